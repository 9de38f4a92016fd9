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
  const said = "the database takes no writes: it is set to read-only"
  await change("SET default_transaction_read_only = on")
  const [doctor, status] = [await pazar("doctor"), await pazar("status")]
  expect([doctor.status, doctor.stdout]).toEqual([1, expect.stringContaining(said)])
  expect([status.status, status.stdout]).toEqual([0, expect.stringContaining(said)])
  await change("RESET default_transaction_read_only")
  for (const command of ["doctor", "status"]) {
    expect((await pazar(command)).stdout).not.toContain("takes no writes")
  }
})
