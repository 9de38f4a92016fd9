/** The PostgreSQL database: a pool of connections, and transactions on them. */
import { DatabaseError, type PoolClient } from "pg"
import { StoreUnavailable } from "../../../domain/store.ts"
import { createWriteTimes, type WriteTimes } from "../../../domain/usage/write-times.ts"
import { assertCurrent } from "../../sql/schema-versions.ts"
import {
  createShortcuts,
  type Dialect,
  type Value as SingleValue,
  type SqlDatabase,
  type Transaction,
} from "../../sql/sql-database.ts"
import { schema } from "../schema/schema.ts"
import { createPool, type PoolOptions } from "./connection.ts"
import { createHosts, type Hosts } from "./current-host.ts"
import { asUnavailable, isConflict, isConnectionLost, isHeldUp, orUnavailable } from "./errors.ts"
import { describeDatabase, splitHosts } from "./hosts.ts"
import {
  assertServerSupported,
  explainHosts,
  explainOpening,
  findVersion,
  type LostHost,
  readServerVersion,
} from "./opening.ts"

export const primaryTimeouts = { statementMsMax: 1_500, queryMsMax: 2_000 }
/** A page may wait longer for a connection than a validation. */
export const pagePool: PoolOptions = { ...primaryTimeouts, connectionsMax: 2, connectMsMax: 5_000 }
/** For a feed, an export or a migration. */
export const longMsMax = 3_600_000
/** How often a transaction runs again that PostgreSQL ended because of others. */
const retriesMax = 3

/** For one transaction only: afterwards a pooler may give the connection to another client. */
const longTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${longMsMax}`

export type Value = SingleValue | readonly unknown[]

export type Database = SqlDatabase &
  Readonly<{
    /** Retries once on another connection if the first turns out to be dead. */
    read<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
    readLong<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
    /** The settings in `first` are made without a round trip of their own. */
    transaction<T>(work: (tx: Transaction) => Promise<T>, first?: string): Promise<T>
    /** Begins a transaction without the time-outs of a request. The caller must end it and release the client. */
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
  // An array is computed once; a list of rows could make the planner read a whole table.
  among: (list, type) => `= ANY (ARRAY(${dialect.each(list, type)}))`,
  rows: (columns) => `json_to_recordset($1::json) AS new (${columns})`,
  bytes: (digits) => `decode(${digits}, 'hex')`,
  newVersion: "gen_random_uuid()",
  lock: (words) => words,
}

/** Throws MigrationNeeded where there is no store, or an older one: opening never makes or changes one. */
export async function openDatabase(url: string, connectionsMax: number): Promise<Database> {
  const database = connect(url, { ...primaryTimeouts, connectionsMax })
  try {
    const reader = { query: database.read }
    assertServerSupported(await readServerVersion(reader))
    assertCurrent(schema, await findVersion(reader), describeDatabase(url))
    return database
  } catch (error) {
    await database.close()
    throw error instanceof StoreUnavailable ? await explainFault(error, url) : error
  }
}

/** Several hosts are asked one by one: the error of a connection is only that of the host that was tried last. */
async function explainFault(error: StoreUnavailable, url: string): Promise<StoreUnavailable> {
  const urls = splitHosts(url) ?? [url]
  if (urls.length === 1) return explainOpening(error, url)
  const found = await Promise.all(urls.map(findLost))
  const lost = found.filter((host) => host !== null)
  return lost.length < urls.length ? explainOpening(error, url) : explainHosts(lost, url)
}

/** Null for a primary. */
async function findLost(url: string): Promise<LostHost | null> {
  const host = connect(url, { ...primaryTimeouts, connectionsMax: 1 })
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

/** The first query opens the first connection. Pools with the same hosts switch to a new primary together. */
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
  const borrow = async (waitMsMax: number) => asClient(await pool.connect(), waitMsMax)
  async function transactOnce<T>(begin: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await orUnavailable(borrow(queryMsMax))
    return endAfter(client, async () => {
      await client.query(begin)
      return work({ ...dialect, query: client.query })
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
        if (!isHeldUp(error.cause)) writes.failedAtMs = Date.now()
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
    async readLong(sql, values) {
      const client = await beginLong("READ ONLY")
      return endAfter(client, () => client.query(sql, values))
    },
    beginLong,
    writes,
    hosts,
    close: () => pool.end(),
  }
}

/** Ends the transaction that `work` is in, and gives the connection back. */
async function endAfter<T>(client: Client, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/** A transaction of `beginLong`, which ends with `work`. */
export async function inLongTransaction<T>(
  db: Pick<Database, "beginLong">,
  mode: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await db.beginLong(mode)
  return endAfter(client, () => work(client))
}

function asClient(client: PoolClient, waitMsMax: number): Client {
  let isBroken = false
  // The pool does not listen meanwhile: an error between two queries would end the program.
  const onError = () => {
    isBroken = true
  }
  client.on("error", onError)
  return {
    async query(sql, values = []) {
      // The driver's types lack the deadline of a single query.
      const config = { text: sql, values: [...values], query_timeout: waitMsMax }
      try {
        // Several statements in one text give several results: the last one counts.
        const result = [await client.query(config)].flat().at(-1)
        return result?.rows ?? []
      } catch (error) {
        isBroken ||= !(error instanceof DatabaseError) || isConnectionLost(error)
        throw asUnavailable(error)
      }
    },
    // A connection that failed without an answer of the server, or to one that is read-only now, must not be used again.
    release() {
      client.off("error", onError)
      client.release(isBroken)
    },
  }
}
