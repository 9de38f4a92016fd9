import { afterAll, beforeAll, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { temporaryFolder } from "../harness/program.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { queryPostgres } from "../harness/stores/postgres-server.ts"
import { createPostgresStore, type PostgresStore } from "../harness/stores/test-stores.ts"

let folder: string
let store: PostgresStore
const pazar = (...args: readonly string[]) => runInProcess(folder, args, { env: { ...store } })
beforeAll(async () => {
  folder = temporaryFolder()
  store = await createPostgresStore()
  await pazar("migrate")
})
afterAll(() => rmSync(folder, { recursive: true }))

test("pazar doctor reports that the database is read-only, until it is not", async () => {
  const { pathname } = new URL(store.DATABASE_URL)
  // A new connection starts read-only and could not change the setting.
  const change = (what: string) =>
    queryPostgres(
      store.DATABASE_URL,
      `SET transaction_read_only = off; ALTER DATABASE ${pathname.slice(1)} ${what}`,
    )
  const find = async () => {
    const { status, stdout } = await pazar("doctor", "--quick", "--json")
    const { checks } = JSON.parse(stdout)
    return [status, checks.find(({ check }: { check: string }) => check === "writes")?.level]
  }
  await change("SET default_transaction_read_only = on")
  expect(await find()).toEqual([1, "problem"])
  await change("RESET default_transaction_read_only")
  expect((await find())[1]).toBeUndefined()
})
