/** The contract suites of the stores on a real PostgreSQL. */
import { afterAll, beforeAll } from "bun:test"
import { Client } from "pg"
import type { Store } from "../../../src/domain/store.ts"
import { isConflict } from "../../../src/store/postgres/connection/errors.ts"
import { openPostgres } from "../../../src/store/postgres/store.ts"
import type { StoreUse } from "../../../src/store/sql/database.ts"
import { runStoreContracts } from "../../contracts/contracts.ts"
import { askPostgres, emptyAllTables, type PostgresServer, sharePostgres } from "./postgres.ts"

type Kept = Readonly<{ store: Store; cleaner: Client }>

/** A store that sends a request again as a client does after 503: many at once need more attempts than three. */
const retryConflicts = (store: Store): Store =>
  mapMethods(store, (port) =>
    typeof port === "object" && port !== null ? mapMethods(port, retryMethod) : port,
  )

function retryMethod(method: unknown): unknown {
  if (typeof method !== "function") return method
  const retry = (...given: unknown[]): unknown => {
    const result = method(...given)
    if (!(result instanceof Promise)) return result
    return result.catch((error) => {
      if (!isConflict(error?.cause)) throw error
      return retry(...given)
    })
  }
  return retry
}

const mapMethods = <Port extends object>(port: Port, map: (value: unknown) => unknown): Port =>
  // The same names with functions of the same types.
  Object.fromEntries(Object.entries(port).map(([name, value]) => [name, map(value)])) as Port

/** `setting` is set for all connections to the databases: `default_transaction_isolation = serializable`. */
export function runPostgresContracts(adapter: string, setting: string | null = null): void {
  let server: PostgresServer
  beforeAll(async () => {
    server = await sharePostgres()
  })
  /** Stores that a test has closed stay open for the next one: connections cost more than most tests. */
  const unused: Kept[] = []
  afterAll(async () => {
    for (const { store, cleaner } of unused) await Promise.all([store.close(), cleaner.end()])
  })
  async function create(): Promise<string> {
    const url = await server.createMigratedDatabase()
    const name = new URL(url).pathname.slice(1)
    if (setting !== null) await askPostgres(url, `ALTER DATABASE "${name}" SET ${setting}`)
    return url
  }
  async function open(url: string, use: StoreUse): Promise<Store> {
    const store = await openPostgres({ url, connectionsMax: 16 }, use)
    return setting === null ? store : retryConflicts(store)
  }

  async function openKept(): Promise<Kept> {
    const url = await create()
    const cleaner = new Client(url)
    await cleaner.connect()
    return { store: await open(url, "command"), cleaner }
  }
  runStoreContracts(adapter, {
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
      const url = await create()
      return [await open(url, "serve"), await open(url, "serve")]
    },
  })
}
