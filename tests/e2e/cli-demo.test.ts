import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { runPazar, type Served, startServer, until } from "../harness/command.ts"
import { temporaryFolder } from "../harness/program.ts"

let folder: string
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => rmSync(folder, { recursive: true }))

const demoStore = { DATABASE_URL: "sqlite:data/demo/pazar.db" }
/** A store the demo must keep its hands off, and a key that is not its own. */
const surroundings = {
  DATABASE_URL: "sqlite:data/pazar.db",
  PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
}

async function startDemo() {
  const server = await startServer(folder, surroundings, "demo")
  const screen = await until(() => {
    const text = server.stdout()
    return text.includes("Ctrl+C stops it") ? text : undefined
  })
  return { server, screen }
}

const keysOn = (screen: string) => screen.match(/pzr_\w+/g) ?? []
const curlLinesOn = (screen: string) =>
  screen.split("\n").filter((line) => line.startsWith("curl "))

async function paste(line: string) {
  const shell = Bun.spawn(["sh", "-c", `${line} -s -w '\\n%{http_code}'`], { stderr: "ignore" })
  const [body = "", status] = (await shell.stdout.text()).split("\n")
  const { status: word, ...rest } = JSON.parse(body)
  return { status, word, members: Object.keys(rest) }
}

test("prints four curl lines that work when pasted, and starting it again keeps keys and data", async () => {
  const first = await startDemo()
  const lines = curlLinesOn(first.screen)
  expect(await Promise.all(lines.map(paste))).toEqual([
    { status: "200", word: "success", members: ["data"] },
    { status: "200", word: "success", members: ["items"] },
    { status: "200", word: "success", members: ["item"] },
    { status: "200", word: "success", members: ["data"] },
  ])
  await stop(first.server)

  const { stdout: before } = await runPazar(folder, ["export"], { env: demoStore })
  const input = before.split("\n").find((line) => line.startsWith('{"type":"account"')) ?? ""
  const renamed = input.replace(/"heading":"[^"]*"/, '"heading":"Changed by hand"')
  await runPazar(folder, ["import", "-"], { env: demoStore, input: `${renamed}\n` })
  const { stdout: changed } = await runPazar(folder, ["export"], { env: demoStore })
  expect(changed).toBe(before.replace(input, renamed))

  const second = await startDemo()
  expect(keysOn(second.screen)).toEqual(keysOn(first.screen))
  await stop(second.server)
  expect((await runPazar(folder, ["export"], { env: demoStore })).stdout).toBe(changed)
  expect(existsSync(join(folder, "data/pazar.db"))).toBe(false)
})

async function stop(server: Served): Promise<void> {
  expect((await server.stop()).status).toBe(0)
}
