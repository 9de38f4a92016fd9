import { DatabaseError, type PoolClient, type QueryResult } from "pg"
import { findErrorCode, StoreUnavailable, StoreUnreachable } from "../error.ts"
import { describeDatabase, renderHost, splitHosts } from "./postgres-hosts.ts"
import { createHosts, createPool, type Hosts, type PoolOptions } from "./postgres-pool.ts"
import { assertCurrent, type Schema } from "./schema-versions.ts"
import {
  createShortcuts,
  type Dialect,
  listPart,
  type Query,
  rawSql,
  renderWritten,
  type Sql,
  type SqlDatabase,
  type StoreUse,
  sql,
  type Transaction,
  toFieldName,
  type WriteTimes,
  type Written,
} from "./sql.ts"

/** A client waits for a request. A command has time, and on a busy machine it needs some. */
export const timeouts: Readonly<Record<StoreUse, Omit<PoolOptions, "connectionsMax">>> = {
  serve: { connectMsMax: 1_000, statementMsMax: 1_500, queryMsMax: 2_000 },
  command: { connectMsMax: 10_000, statementMsMax: 15_000, queryMsMax: 20_000 },
}
/** The timeout of imports, exports and migrations. */
export const longMsMax = 3_600_000
/** One connection for work without timeouts of the server. */
export const longPool: PoolOptions = {
  ...timeouts.command,
  connectionsMax: 1,
  statementMsMax: 0,
  queryMsMax: longMsMax,
}
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
    const fields = columns.split(/,\s+/).map((column) => [column, toFieldName(column)] as const)
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
  const lost = (await Promise.all(urls.map(findLostHost))).filter((host) => host !== null)
  if (lost.length < urls.length) return explainOpening(error, url)
  const each = lost.map((host) => {
    const [problem] = host.fault === null ? ["standby"] : explain(host.fault)
    return `${renderHost(host.url)}: ${problem}`
  })
  const unreachable = lost.find(({ fault }) => isUnreachable(fault))
  return cannotOpen(url, [each.join(", "), checkServer], unreachable?.fault)
}

/** Returns null for a primary. `fault` is null for a standby. */
async function findLostHost(url: string): Promise<{ url: string; fault: unknown } | null> {
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

  const borrow = async (timeoutMs: number) =>
    asClient(await orUnavailable(pool.connect()), timeoutMs)
  const query = async <Row>(...written: Written): Promise<readonly Row[]> =>
    toRows(await pool.query(toConfig(written)))
  const writes: WriteTimes = { succeededAtMs: 0, failedAtMs: 0 }
  async function transaction<T>(work: (tx: Transaction) => Promise<T>, first = sql``): Promise<T> {
    for (let retries = 0; ; retries += 1) {
      try {
        const result = await endAfter(await borrow(queryMsMax), async ({ query }) => {
          await query`BEGIN; ${first}`
          return work({ ...dialect, query })
        })
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
    const client = await borrow(longMsMax)
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

function toConfig(written: Written) {
  const { text, values, isTuples } = renderWritten(written)
  return { text, values: [...values], ...(isTuples && { rowMode: "array" }) }
}

function toRows<Row>(result: QueryResult | undefined): readonly Row[] {
  const columns = (result?.fields ?? []).map(({ name }) => [name, toFieldName(name)] as const)
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
    const config = { ...toConfig(written), query_timeout: timeoutMs }
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

/** The server is shutting down, the connection broke, or the primary became a standby. */
function isConnectionLost(error: unknown): boolean {
  const code = findErrorCode(error)
  if (code !== null) return /^(57P0[123]|08...|25006|ECONNRESET|EPIPE)$/.test(code)
  // The driver's error for a connection that the server closed has no code.
  return error instanceof Error && error.message === "Connection terminated unexpectedly"
}

/** A serialization failure or a deadlock: the transaction can be retried. */
const isConflict = (error: unknown) => /^(40001|40P01)$/.test(findErrorCode(error) ?? "")

/** Other transactions held a lock for too long or changed the same rows. The database is writable. */
export const isContention = (error: unknown) =>
  /^(55P03|57014|40...)$/.test(findErrorCode(error) ?? "")

/** For work of the driver only: errors of the caller inside a transaction must be rethrown unchanged. */
async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asUnavailable(error)
  }
}

/** A constraint violation is a bug and is returned unchanged. Every other error of the driver becomes StoreUnavailable. */
function asUnavailable(error: unknown): unknown {
  const code = findErrorCode(error)
  if (code?.startsWith("23") === true || !(error instanceof Error)) return error
  return new StoreUnavailable(`the database is unavailable: ${error.message}`, { cause: error })
}

const oldestServer = 13

class ServerTooOld extends Error {
  override name = "ServerTooOld"
}

type Explanation = readonly [problem: string, remedy: string]

const checkServer = "check that the server is running and that DATABASE_URL has its host and port"
const checkTls = "check sslmode and sslrootcert in DATABASE_URL"
const unknownHost: Explanation = ["unknown host", checkServer]
const wrongUser: Explanation = [
  "the server rejects this user or password",
  "check both in DATABASE_URL and write @ : / ? # in a password as %40 %3A %2F %3F %23",
]

/** By error code: SQLSTATE if the server responded, else the code of the system call. */
const explanations: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: ["connection refused", checkServer],
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  "28P01": wrongUser,
  "28000": wrongUser,
  "3D000": ["the database does not exist", "create it on the server, or change DATABASE_URL"],
  "42501": [
    "the user may not create tables",
    "make the user its owner, or GRANT CREATE ON SCHEMA public to the user",
  ],
  "25006": [
    "the server is read-only",
    "DATABASE_URL must contain the primary, alone or among several hosts",
  ],
  "53300": [
    "the server has no free connections",
    "increase max_connections, or use a connection pooler",
  ],
}

export const explainOpening = ({ cause }: StoreUnavailable, url: string) =>
  cannotOpen(url, explain(cause), cause)

function cannotOpen(url: string, [problem, remedy]: Explanation, cause: unknown): StoreUnavailable {
  const Kind = isUnreachable(cause) ? StoreUnreachable : StoreUnavailable
  return new Kind(`${describeDatabase(url)} cannot be opened: ${problem}; ${remedy}`, { cause })
}

/** The connection failed, or the server is starting, stopping or out of connections. */
const isUnreachable = (cause: unknown) =>
  isConnectionLost(cause) ||
  isTimeout(cause) ||
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|53300)$/.test(
    findErrorCode(cause) ?? "",
  )

const isTimeout = (cause: unknown) => cause instanceof Error && /time(d )?out/i.test(cause.message)

function explain(cause: unknown): Explanation {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  if (error instanceof ServerTooOld)
    return [error.message, `Pazar requires ${oldestServer} or newer`]
  if (isTimeout(error)) return ["the server does not respond", checkServer]
  // pg_hba.conf rejects plain connections with the same code as a wrong user.
  if (/, (no encryption|SSL off)$/.test(error.message))
    return ["the server requires encrypted connections", checkTls]
  // TLS errors of the driver have many codes or none.
  if (/certificate|does not support SSL|, open '/.test(error.message))
    return [error.message, checkTls]
  return explanations[findErrorCode(error) ?? ""] ?? [error.message, checkServer]
}

export async function assertServerSupported({ query }: Readonly<{ query: Query }>): Promise<void> {
  const [server] = await query<{ serverVersionNum: string }>`SHOW server_version_num`
  const version = Math.floor(Number(server?.serverVersionNum ?? 0) / 10_000)
  if (version >= oldestServer) return
  const cause = new ServerTooOld(`PostgreSQL ${version} is too old`)
  throw new StoreUnavailable(cause.message, { cause })
}

export async function findVersion({ query }: Readonly<{ query: Query }>): Promise<number | null> {
  const [table] = await query`SELECT 1 WHERE to_regclass('schema_version') IS NOT NULL`
  if (table === undefined) return null
  const [row] = await query<{ version: number }>`SELECT version FROM schema_version`
  return row?.version ?? null
}

/**
 * Sends the lookups of one turn of the event loop as one query. Rows are matched to lookups by a key that includes the
 * account, so that no caller gets a row of another account.
 */
export function batchLookups<Lookup, Row>({
  query,
  keyOfLookup,
  keyOfRow,
}: Readonly<{
  query(lookups: readonly Lookup[]): Promise<readonly Row[]>
  keyOfLookup(lookup: Lookup): string
  keyOfRow(row: Row): string
}>) {
  let pending: (PromiseWithResolvers<readonly Row[]> & { lookup: Lookup })[] = []

  async function flush(): Promise<void> {
    const sent = pending
    pending = []
    try {
      // The same lookup of two callers is sent once; otherwise its rows would be duplicated.
      const distinct = new Map(sent.map(({ lookup }) => [keyOfLookup(lookup), lookup]))
      const rows = await query([...distinct.values()])
      const rowsByKey = Map.groupBy(rows, keyOfRow)
      for (const { lookup, resolve } of sent) {
        resolve(rowsByKey.get(keyOfLookup(lookup)) ?? [])
      }
    } catch (error) {
      for (const { reject } of sent) reject(error)
    }
  }
  return (lookup: Lookup): Promise<readonly Row[]> => {
    if (pending.length === 0) setImmediate(flush)
    const found = Promise.withResolvers<readonly Row[]>()
    pending.push({ lookup, ...found })
    return found.promise
  }
}
