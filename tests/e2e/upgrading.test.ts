/** A store of an earlier release: whoever starts the program hears why it takes its time. */
import { Database } from "bun:sqlite"
import { afterEach, beforeEach, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import initial from "../../src/store/sqlite/migrations/0001-initial.sql" with { type: "text" }
import { migrations } from "../../src/store/sqlite/migrations.ts"
import { runPazar, startServer } from "../harness/command.ts"
import { temporaryFolder } from "../harness/program.ts"

let folder: string
let env: { DATABASE_URL: string }
beforeEach(() => {
  folder = temporaryFolder()
  env = { DATABASE_URL: `sqlite:${join(folder, "old.db")}` }
  const db = new Database(join(folder, "old.db"), { create: true })
  db.run(initial)
  db.run("PRAGMA user_version = 1")
  db.close()
})
afterEach(() => rmSync(folder, { recursive: true }))

const newest = migrations.at(-1)?.version

test("a command says so once, on standard error", async () => {
  const list = () => runPazar(folder, ["account", "list", "--json"], { env })
  const first = await list()
  expect(first.stderr).toBe(
    `Bringing the store from version 1 to ${newest}: with many purchases this takes minutes.\n`,
  )
  expect(await list()).toEqual({ ...first, stderr: "" })
})

test("a server logs it before it listens", async () => {
  const server = await startServer(folder, env)
  const [first = ""] = server.stderr().split("\n")
  expect(JSON.parse(first)).toMatchObject({
    ...{ level: "info", message: "bringing the store to this version" },
    ...{ from: 1, to: newest },
  })
  await server.stop()
})
