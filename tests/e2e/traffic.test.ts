/** A server writes what its threads counted to the store, and two servers add up. */
import { Database } from "bun:sqlite"
import { afterEach, beforeEach, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { runPazar, startServer } from "../harness/command.ts"
import { temporaryFolder } from "../harness/program.ts"

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => rmSync(folder, { recursive: true }))

test("what the threads of two servers counted is in the store when they stop", async () => {
  const path = join(folder, "pazar.db")
  const env = { DATABASE_URL: `sqlite:${path}`, PAZAR_THREADS: "2" }
  await runPazar(folder, ["migrate"], { env })
  const servers = await Promise.all([startServer(folder, env), startServer(folder, env)])
  for (const { url } of servers) {
    // Each on a connection of its own, so that both threads get some.
    const ask = () => fetch(`${url}/api/account/details`, { headers: { Connection: "close" } })
    for (const { status } of await Promise.all(Array.from({ length: 20 }, ask)))
      expect(status).toBe(401)
  }
  await Promise.all(servers.map(({ stop }) => stop()))
  const db = new Database(path, { readonly: true })
  const sums = db.query(
    "SELECT kind, operation, sum(total) AS total FROM traffic GROUP BY 1, 2 ORDER BY 1",
  )
  expect(sums.all()).toEqual([
    { kind: "duration", operation: "read_account", total: 40 },
    { kind: "request", operation: "read_account", total: 40 },
  ])
  db.close()
})
