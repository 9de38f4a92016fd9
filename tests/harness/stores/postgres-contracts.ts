import { afterAll, beforeAll } from "bun:test"
import { Client } from "pg"
import { isContention } from "../../../src/platform/database/postgres.ts"
import type { StoreUse } from "../../../src/platform/database/sql.ts"
import { openPostgres } from "../../../src/store/postgres.ts"
import type { Store } from "../../../src/store/store.ts"
import { runStoreContracts } from "./contracts.ts"
import {
  emptyAllTables,
  type PostgresServer,
  queryPostgres,
  sharePostgres,
} from "./postgres-server.ts"

type Reusable = Readonly<{ store: Store; cleaner: Client }>

/**
 * Retries conflicts as a client does after 503. Many concurrent writers need more than three retries, and on a busy
 * machine more than a second for a lock.
 */
const retryConflicts = <Ports extends object>(ports: Ports): Ports =>
  // `as`: the same names with functions of the same types.
  Object.fromEntries(
    Object.entries(ports).map(([name, value]) => [
      name,
      typeof value === "object" && value !== null ? retryConflicts(value) : retryMethod(value),
    ]),
  ) as Ports

function retryMethod(method: unknown): unknown {
  if (typeof method !== "function") return method
  const retry = (...args: unknown[]): unknown => {
    const result = method(...args)
    if (!(result instanceof Promise)) return result
    return result.catch((error) => {
      if (!isContention(error?.cause)) throw error
      return retry(...args)
    })
  }
  return retry
}

/** `setting` applies to all connections to the databases, as in `default_transaction_isolation = serializable`. */
export function runPostgresContracts(adapter: string, setting: string | null = null): void {
  let server: PostgresServer
  beforeAll(async () => {
    server = await sharePostgres()
  })
  /** Stores that a test has closed stay open for the next one, because connections cost more than most tests. */
  const unused: Reusable[] = []
  afterAll(async () => {
    for (const { store, cleaner } of unused) await Promise.all([store.close(), cleaner.end()])
  })
  async function create(): Promise<string> {
    const url = await server.createMigratedDatabase()
    const name = new URL(url).pathname.slice(1)
    if (setting !== null) await queryPostgres(url, `ALTER DATABASE "${name}" SET ${setting}`)
    return url
  }
  const open = async (url: string, use: StoreUse) =>
    retryConflicts(await openPostgres({ url, connectionsMax: 16 }, use))

  async function openReusable(): Promise<Reusable> {
    const url = await create()
    const cleaner = new Client(url)
    await cleaner.connect()
    return { store: await open(url, "command"), cleaner }
  }
  runStoreContracts(adapter, {
    async openEmpty() {
      const reused = unused.pop() ?? (await openReusable())
      async function close() {
        await reused.cleaner.query(emptyAllTables)
        // A failed write would show in the write times of the next test.
        const hasFailed = reused.store.writeTimes().failedAtMs > 0
        if (hasFailed) await Promise.all([reused.store.close(), reused.cleaner.end()])
        else unused.push(reused)
      }
      return { ...reused.store, close }
    },
    async openTwo() {
      const url = await create()
      return [await open(url, "serve"), await open(url, "serve")]
    },
  })
}
