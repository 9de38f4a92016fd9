import { expect, test } from "bun:test"
import { join } from "node:path"
import { pickFreePort } from "../processes/processes.ts"

/** One query before any request, and three statements in each. */
const server = `
  import { Database } from "bun:sqlite"
  const db = new Database(":memory:")
  db.run("CREATE TABLE a (x)")
  const find = db.prepare("SELECT x FROM a")
  find.all()
  const handle = async () => {
    db.run("BEGIN")
    db.run("INSERT INTO a VALUES (1)")
    db.run("COMMIT")
    await Bun.sleep(0)
    return new Response(find.all().length + db.query("SELECT 1 AS one").get().one)
  }
  const { port } = Bun.serve({ port: 0, routes: { "/": handle }, fetch: handle })
  console.log(port)
`

test("counts what requests run, and nothing else", async () => {
  const counterPort = pickFreePort()
  const preload = join(import.meta.dir, "count-queries.ts")
  const child = Bun.spawn([process.execPath, "--preload", preload, "--eval", server], {
    env: { COUNTER_PORT: String(counterPort) },
    stdout: "pipe",
  })
  try {
    const { value } = await child.stdout.getReader().read()
    const port = Number(Buffer.from(value ?? []).toString())
    const ask = (port: number, path = "/") => fetch(`http://127.0.0.1:${port}${path}`)
    const count = async () => Number(await (await ask(counterPort)).text())
    expect(await count()).toBe(0)
    expect((await ask(port)).status).toBe(200)
    expect(await count()).toBe(3)
    expect((await ask(port, "/other")).status).toBe(200)
    expect(await count()).toBe(6)
  } finally {
    child.kill()
    await child.exited
  }
})
