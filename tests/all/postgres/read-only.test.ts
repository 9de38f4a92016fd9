/** `pazar doctor` and `pazar status` on a database that takes no writes, as providers set it on a full disk. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { temporaryFolder } from "../../harness/program.ts"
import { runInProcess } from "../../harness/run-in-process.ts"
import { askPostgres } from "../../harness/stores/postgres.ts"
import { createPostgresStore, type PostgresStore } from "../../harness/stores/stores.ts"

let folder: string
let store: PostgresStore
const pazar = (...args: readonly string[]) => runInProcess(folder, args, { env: { ...store } })
beforeAll(async () => {
  folder = temporaryFolder()
  store = await createPostgresStore()
  await pazar("migrate")
})
afterAll(() => rmSync(folder, { recursive: true }))

test("both say that it is read-only, and no longer once it is not", async () => {
  const { pathname } = new URL(store.DATABASE_URL)
  // By itself a new connection could change nothing any more.
  const change = (what: string) =>
    askPostgres(
      store.DATABASE_URL,
      `SET transaction_read_only = off; ALTER DATABASE ${pathname.slice(1)} ${what}`,
    )
  const find = async (command: "doctor" | "status") => {
    const { status, stdout } = await pazar(command, "--json")
    const { checks, warnings } = JSON.parse(stdout)
    const found = checks ?? warnings
    return [status, found.find(({ check }: { check: string }) => check === "writes")?.level]
  }
  await change("SET default_transaction_read_only = on")
  expect(await find("doctor")).toEqual([1, "problem"])
  expect(await find("status")).toEqual([0, "problem"])
  await change("RESET default_transaction_read_only")
  for (const command of ["doctor", "status"] as const) {
    expect((await find(command))[1]).toBeUndefined()
  }
})
