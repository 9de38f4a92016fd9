import { DatabaseError, type PoolClient, type QueryResult } from "pg"
import { StoreUnavailable } from "../error.ts"
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
} from "./postgres-errors.ts"
import { describeDatabase, splitHosts } from "./postgres-hosts.ts"
import { createHosts, createPool, type Hosts, type PoolOptions } from "./postgres-pool.ts"
import { assertCurrent, type Schema } from "./schema-versions.ts"
import {
  createShortcuts,
  type Dialect,
  type Query,
  type SqlDatabase,
  type StoreUse,
  type Transaction,
} from "./sql.ts"
import {
  fieldOf,
  listPart,
  rawSql,
  renderWritten,
  type Sql,
  sql,
  type Written,
} from "./statement.ts"
import { createWriteTimes, type WriteTimes } from "./write-times.ts"

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
const longTimeouts = rawSql(
  `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${longMsMax}`,
)

export type Database = SqlDatabase &
  Readonly<{
    /** Retries once on another connection if the first one is broken. */
    read: Query
    /** Sends the settings in `first` together with BEGIN. */
    transaction<T>(work: (tx: Transaction) => Promise<T>, first?: Sql): Promise<T>
    /** Begins a transaction without the timeouts of a request. The caller must end it and release the client. */
    beginLong(mode: string): Promise<Client>
    writes: Readonly<WriteTimes>
    hosts: Hosts
    close(): Promise<void>
  }>

export type Client = Readonly<{
  query: Query
  release(): void
}>

export const dialect: Dialect = {
  each(list, type) {
    const value = rawSql(type === "bytea" ? "decode(value, 'hex')" : `value::${type}`)
    return sql`SELECT ${value} FROM json_array_elements_text(${listPart(list)}::json)`
  },
  // An array, because the planner could scan the whole table for a subquery.
  among: (list, type) => sql`= ANY (ARRAY(${dialect.each(list, type)}))`,
  rowsFor(table, columns, rows) {
    const fields = columns.split(/,\s+/).map((column) => [column, fieldOf(column)] as const)
    const values = rows.map((row) =>
      Object.fromEntries(
        fields.map(([column, field]) => {
          const value: unknown = row[field as keyof typeof row]
          return [column, value instanceof Uint8Array ? `\\x${value.toHex()}` : value]
        }),
      ),
    )
    return sql`(SELECT ${rawSql(columns)}
      FROM json_populate_recordset(NULL::${rawSql(table)}, ${JSON.stringify(values)}::json)) AS new`
  },
  inserts: (table, columns, rows, onConflict = "") => [
    sql`INSERT INTO ${rawSql(table)} (${rawSql(columns)}) SELECT ${rawSql(columns)}
      FROM ${dialect.rowsFor(table, columns, rows)} ${rawSql(onConflict)}`,
  ],
  fromJson: (column, ...path) => rawSql(`${column}::json #>> '{${path.join()}}'`),
  lock: (clause) => rawSql(clause),
  indexedBy: () => rawSql(""),
}

/** Throws MigrationNeeded for a missing or older database. */
export async function openDatabase(
  url: string,
  schema: Schema,
  connectionsMax: number,
  use: StoreUse = "serve",
): Promise<Database> {
  const database = connect(url, { ...timeouts[use], connectionsMax })
  try {
    const reader = { query: database.read }
    await assertServerSupported(reader)
    assertCurrent(schema, await findVersion(reader), describeDatabase(url))
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
    return (await host.findValue`SELECT pg_is_in_recovery()`) === true ? { url, fault: null } : null
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

  async function query<Row>(...written: Written): Promise<readonly Row[]> {
    return toRows(await pool.query(configOf(written)))
  }
  const borrow = async (timeoutMs: number) => asClient(await pool.connect(), timeoutMs)
  async function transactOnce<T>(begin: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return endAfter(await orUnavailable(borrow(queryMsMax)), async ({ query }) => {
      await query(begin)
      return work({ ...dialect, query })
    })
  }
  const writes = createWriteTimes()
  async function transaction<T>(work: (tx: Transaction) => Promise<T>, first = sql``): Promise<T> {
    for (let retries = 0; ; retries += 1) {
      try {
        const result = await transactOnce(sql`BEGIN; ${first}`, work)
        writes.succeededAtMs = performance.now()
        return result
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        if (isConflict(error.cause) && retries < retriesMax) continue
        if (!isContention(error.cause)) writes.failedAtMs = performance.now()
        throw error
      }
    }
  }
  async function read<Row>(...written: Written): Promise<readonly Row[]> {
    try {
      return await query<Row>(...written)
    } catch (error) {
      if (isConnectionLost(error)) return orUnavailable(query<Row>(...written))
      throw asUnavailable(error)
    }
  }
  const beginLong: Database["beginLong"] = async (mode) => {
    const client = await orUnavailable(borrow(longMsMax))
    try {
      await client.query`BEGIN ${rawSql(mode)}; ${longTimeouts}`
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
    readLong: async (...written) =>
      endAfter(await beginLong("READ ONLY"), ({ query }) => query(...written)),
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
    await client.query`COMMIT`
    return result
  } catch (error) {
    await client.query`ROLLBACK`.catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

function configOf(written: Written) {
  const { text, values, isTuples } = renderWritten(written)
  return { text, values: [...values], ...(isTuples && { rowMode: "array" }) }
}

/** Returns the rows with fields in camelCase. */
function toRows<Row>(result: QueryResult | undefined): readonly Row[] {
  const columns = (result?.fields ?? []).map(({ name }) => [name, fieldOf(name)] as const)
  const renamed = columns.filter(([column, field]) => column !== field)
  const rows = result?.rows ?? []
  if (renamed.length === 0 || Array.isArray(rows[0])) return rows
  return rows.map(
    (row) => Object.fromEntries(columns.map(([column, field]) => [field, row[column]])) as Row,
  )
}

function asClient(client: PoolClient, timeoutMs: number): Client {
  let isBroken = false
  // The pool does not listen while the client is in use: an error between two queries would end the program.
  const onError = () => {
    isBroken = true
  }
  client.on("error", onError)
  async function send(written: Written): Promise<QueryResult | undefined> {
    // A variable, because the driver's types lack `query_timeout`.
    const config = { ...configOf(written), query_timeout: timeoutMs }
    try {
      // Several statements in one text return several results; the last one is used.
      return [await client.query(config)].flat().at(-1)
    } catch (error) {
      isBroken ||= !(error instanceof DatabaseError) || isConnectionLost(error)
      throw asUnavailable(error)
    }
  }
  return {
    query: async (...written) => toRows(await send(written)),
    // A connection that failed without a response, or whose server is now read-only, must not be reused.
    release() {
      client.off("error", onError)
      client.release(isBroken)
    },
  }
}
