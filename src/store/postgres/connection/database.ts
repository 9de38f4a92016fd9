import { DatabaseError, type PoolClient } from "pg"
import { createWriteTimes, StoreUnavailable, type WriteTimes } from "../../../domain/store.ts"
import { postgresSchema } from "../../sql/schema.ts"
import { assertCurrent } from "../../sql/schema-versions.ts"
import {
  createShortcuts,
  type Dialect,
  type Value as SingleValue,
  type SqlDatabase,
  type StoreUse,
  type Transaction,
} from "../../sql/sql-database.ts"
import { createHosts, createPool, type Hosts, type PoolOptions } from "./connection.ts"
import {
  assertServerSupported,
  asUnavailable,
  explainHosts,
  explainOpening,
  findVersion,
  isConflict,
  isConnectionLost,
  isContention,
  type LostHost,
  orUnavailable,
} from "./errors.ts"
import { describeDatabase, splitHosts } from "./hosts.ts"

/** A client waits for a request. A command has time, and on a busy machine it needs some. */
export const timeouts: Readonly<Record<StoreUse, Omit<PoolOptions, "connectionsMax">>> = {
  serve: { connectMsMax: 1_000, statementMsMax: 1_500, queryMsMax: 2_000 },
  command: { connectMsMax: 10_000, statementMsMax: 15_000, queryMsMax: 20_000 },
}
/** The timeout of imports, exports and migrations. */
export const longMsMax = 3_600_000
/** Retries after a serialization failure or a deadlock. */
const retriesMax = 3

/** LOCAL, because a pooler may give the connection to another client after the transaction. */
const longTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${longMsMax}`

export type Value = SingleValue | readonly unknown[]

export type Database = SqlDatabase &
  Readonly<{
    /** Retries once on another connection if the first one is broken. */
    read<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
    readLong<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
    /** Sends the settings in `first` together with BEGIN. */
    transaction<T>(work: (tx: Transaction) => Promise<T>, first?: string): Promise<T>
    /** Begins a transaction without the timeouts of a request. The caller must end it and release the client. */
    beginLong(mode: string): Promise<Client>
    writes: Readonly<WriteTimes>
    hosts: Hosts
    close(): Promise<void>
  }>

export type Client = Readonly<{
  query<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
  release(): void
}>

export const dialect: Dialect = {
  each(list, type) {
    const text = `json_array_elements_text(${list}::json)`
    return `SELECT ${type === "bytea" ? dialect.bytes(text) : `${text}::${type}`}`
  },
  // An array, because the planner could scan the whole table for a subquery.
  among: (list, type) => `= ANY (ARRAY(${dialect.each(list, type)}))`,
  rows: (columns) => `json_to_recordset($1::json) AS new (${columns})`,
  bytes: (digits) => `decode(${digits}, 'hex')`,
  array: (values) => `json_build_array(${values})`,
  listOf: (column) => `json_agg(${column})`,
  newVersion: "gen_random_uuid()",
  lock: (clause) => clause,
  indexedBy: () => "",
  isBlocking: false,
}

/** Throws MigrationNeeded for a missing or older database. */
export async function openDatabase(
  url: string,
  connectionsMax: number,
  use: StoreUse = "serve",
): Promise<Database> {
  const database = connect(url, { ...timeouts[use], connectionsMax })
  try {
    const reader = { query: database.read }
    await assertServerSupported(reader)
    assertCurrent(postgresSchema, await findVersion(reader), describeDatabase(url))
    return database
  } catch (error) {
    await database.close()
    throw error instanceof StoreUnavailable ? await explainError(error, url) : error
  }
}

/** Probes every host, because the error of the pool is the one of the last host only. */
async function explainError(error: StoreUnavailable, url: string): Promise<StoreUnavailable> {
  const urls = splitHosts(url) ?? [url]
  if (urls.length === 1) return explainOpening(error, url)
  const lost = (await Promise.all(urls.map(findLost))).filter((host) => host !== null)
  return lost.length < urls.length ? explainOpening(error, url) : explainHosts(lost, url)
}

async function findLost(url: string): Promise<LostHost | null> {
  const host = connect(url, { ...timeouts.serve, connectionsMax: 1 })
  try {
    const [row] = await host.read<{ isStandby: boolean }>(
      'SELECT pg_is_in_recovery() AS "isStandby"',
    )
    return row?.isStandby === true ? { url, fault: null } : null
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return { url, fault: error.cause }
  } finally {
    await host.close()
  }
}

/** Connects with the first query. Pools that share `hosts` switch to a new primary together. */
export function connect(
  url: string,
  options: PoolOptions,
  hosts = createHosts(url, "read-write"),
): Database {
  const { queryMsMax } = options
  const pool = createPool(hosts, options)

  async function query<Row>(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    const { rows } = await pool.query(sql, [...values])
    return rows
  }
  const borrow = async (timeoutMs: number) => asClient(await pool.connect(), timeoutMs)
  async function transactOnce<T>(begin: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return endAfter(await orUnavailable(borrow(queryMsMax)), async ({ query }) => {
      await query(begin)
      return work({ ...dialect, query })
    })
  }
  const writes = createWriteTimes()
  async function transaction<T>(work: (tx: Transaction) => Promise<T>, first = ""): Promise<T> {
    for (let retries = 0; ; retries += 1) {
      try {
        const result = await transactOnce(`BEGIN; ${first}`, work)
        writes.succeededAtMs = Date.now()
        return result
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        if (isConflict(error.cause) && retries < retriesMax) continue
        if (!isContention(error.cause)) writes.failedAtMs = Date.now()
        throw error
      }
    }
  }
  async function read<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]> {
    try {
      return await query<Row>(sql, values)
    } catch (error) {
      if (isConnectionLost(error)) return orUnavailable(query<Row>(sql, values))
      throw asUnavailable(error)
    }
  }
  const beginLong: Database["beginLong"] = async (mode) => {
    const client = await orUnavailable(borrow(longMsMax))
    try {
      await client.query(`BEGIN ${mode}; ${longTimeouts}`)
      return client
    } catch (error) {
      client.release()
      throw error
    }
  }
  return {
    ...dialect,
    read,
    ...createShortcuts({ read, transaction }),
    transaction,
    readLong: async (sql, values) =>
      endAfter(await beginLong("READ ONLY"), ({ query }) => query(sql, values)),
    beginLong,
    writes,
    hosts,
    close: () => pool.end(),
  }
}

/** Commits the transaction after `work`, or rolls it back, and releases the connection. */
export async function endAfter<T>(
  client: Client,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    const result = await work(client)
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

function asClient(client: PoolClient, timeoutMs: number): Client {
  let isBroken = false
  // The pool does not listen while the client is in use: an error between two queries would end the program.
  const onError = () => {
    isBroken = true
  }
  client.on("error", onError)
  return {
    async query(sql, values = []) {
      // A variable, because the driver's types lack `query_timeout`.
      const config = { text: sql, values: [...values], query_timeout: timeoutMs }
      try {
        // Several statements in one text return several results; the last one is used.
        const result = [await client.query(config)].flat().at(-1)
        return result?.rows ?? []
      } catch (error) {
        isBroken ||= !(error instanceof DatabaseError) || isConnectionLost(error)
        throw asUnavailable(error)
      }
    },
    // A connection that failed without a response, or whose server is now read-only, must not be reused.
    release() {
      client.off("error", onError)
      client.release(isBroken)
    },
  }
}
