import { afterAll, beforeAll } from "bun:test"
import { Client } from "pg"
import { runStoreContracts } from "../../../tests/contracts/contracts.ts"
import {
  emptyAllTables,
  type PostgresServer,
  sharePostgres,
} from "../../../tests/harness/stores/postgres.ts"
import type { Store } from "../../domain/store.ts"
import type { StoreUse } from "../sql/database.ts"
import { openPostgres } from "./store.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await sharePostgres()
})

type Kept = Readonly<{ store: Store; cleaner: Client }>
/** Stores that a test has closed stay open for the next one: connections cost more than most tests. */
const unused: Kept[] = []
afterAll(async () => {
  for (const { store, cleaner } of unused) await Promise.all([store.close(), cleaner.end()])
})

async function open(url: string, use: StoreUse): Promise<Store> {
  return openPostgres({ url, connectionsMax: 16 }, use)
}

async function openKept(): Promise<Kept> {
  const url = await server.createMigratedDatabase()
  const cleaner = new Client(url)
  await cleaner.connect()
  return { store: await open(url, "command"), cleaner }
}

runStoreContracts("postgres", {
  async openEmpty() {
    const kept = unused.pop() ?? (await openKept())
    async function close() {
      await kept.cleaner.query(emptyAllTables)
      // Its measures would tell of it.
      const hasFailed = kept.store.measure().writes.failedAtMs > 0
      if (hasFailed) await Promise.all([kept.store.close(), kept.cleaner.end()])
      else unused.push(kept)
    }
    return { ...kept.store, close }
  },
  async openTwo() {
    const url = await server.createMigratedDatabase()
    return [await open(url, "serve"), await open(url, "serve")]
  },
})
