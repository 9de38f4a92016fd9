/** A pool of connections to PostgreSQL, with a deadline on everything that could hang. */
import { DatabaseError, Pool, type PoolClient, type PoolConfig, types } from "pg"
import { StoreUnavailable } from "../../domain/store.ts"
import { assertCurrent, newestOf, upgradedUnderUs } from "../migrate.ts"
import { migrations } from "./migrations.ts"
import { admitServer, describe, explainOpening } from "./opening.ts"

/** How long a server may take. It gives up first, so that a slow query ends there too. */
export type Patience = Readonly<{
  connectionsMax: number
  /** How long to wait for one of them; a second where nothing else is said. */
  connectMsMax?: number
  statementMsMax: number
  queryMsMax: number
}>

export const primaryPatience = { statementMsMax: 1_500, queryMsMax: 2_000 }
const connectMsMax = 1_000
const lockMsMax = 1_000
/** For a feed, an export, a migration: long, but not for ever. */
export const leisureMsMax = 3_600_000
/** For one transaction: a pooler may give the connection to somebody else after it. */
const leisurely = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${leisureMsMax}`
/** Any number, the same on every node: its holder writes the feed. */
export const feedLock = 7_243_002

export type Value = string | number | boolean | null | Uint8Array | readonly unknown[]

export type Database = Readonly<{
  /** A read: asked again once on another connection if the first turns out to be dead. */
  read<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
  write(sql: string, values?: readonly Value[]): Promise<void>
  /** All of `change` or nothing of it. */
  transact<T>(change: (client: Client) => Promise<T>): Promise<T>
  /** The same without a request's deadlines, for what may take its time. */
  transactAtLeisure<T>(change: (client: Client) => Promise<T>): Promise<T>
  /** Begins a transaction without those deadlines. The caller must end it and release the client. */
  beginAtLeisure(mode: string): Promise<Client>
  close(): Promise<void>
}>

export type Client = Readonly<{
  query<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
  release(): void
}>

const bigint = 20

/** Throws MigrationNeeded where there is no store, or an older one: opening never makes or changes one. */
export async function openDatabase(url: string, connectionsMax: number): Promise<Database> {
  const database = connect(url, { ...primaryPatience, connectionsMax })
  try {
    const reader = { query: database.read }
    admitServer(await readServerVersion(reader))
    assertCurrent(migrations, await readVersion(reader), describe(url))
    return database
  } catch (error) {
    await database.close()
    throw error instanceof StoreUnavailable ? explainOpening(error, url) : error
  }
}

type Reader = Pick<Client, "query">

export async function readServerVersion({ query }: Reader): Promise<number> {
  const [server] = await query<{ version: number }>(
    "SELECT current_setting('server_version_num')::integer AS version",
  )
  return server?.version ?? 0
}

/** Null where there is no store. */
async function readVersion({ query }: Reader): Promise<number | null> {
  const [found] = await query<{ table: string | null }>(
    `SELECT to_regclass('schema_version')::text AS "table"`,
  )
  if (found?.table == null) return null
  const [row] = await query<{ version: number }>(selectVersion)
  return row?.version ?? null
}

export const selectVersion = "SELECT version FROM schema_version"

function createPool(url: string, patience: Patience, serverDeadlines: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: url,
    max: patience.connectionsMax,
    connectionTimeoutMillis: patience.connectMsMax ?? connectMsMax,
    query_timeout: patience.queryMsMax,
    ...serverDeadlines,
    keepAlive: true,
    // bigint holds ids and counts, all of them exact in a double.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === bigint && format !== "binary" ? Number : types.getTypeParser(oid, format),
    },
  })
  // An idle connection that breaks is replaced by the pool; unheard, its error would end the program.
  pool.on("error", () => {})
  // Between connecting and the first query the pool itself listens for no error.
  pool.on("connect", (client) => client.on("error", () => {}))
  return pool
}

/** Opens no connection yet: that waits for the first question. */
export function connect(url: string, patience: Patience): Database {
  const { statementMsMax, queryMsMax } = patience
  const deadlines = { statement_timeout: statementMsMax, lock_timeout: lockMsMax }
  let pool = createPool(url, patience, deadlines)

  /** A pooler takes no settings with a connection: the client's own deadline remains, and the role's. */
  async function use<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
    const used = pool
    try {
      return await work(used)
    } catch (error) {
      if (!isSettingRefused(error)) throw error
      if (pool === used) {
        pool = createPool(url, patience, {})
        await used.end()
      }
      return work(pool)
    }
  }
  async function query<Row>(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    const { rows } = await use((pool) => pool.query(sql, [...values]))
    return rows
  }
  const borrow = async (waitMsMax: number) =>
    asClient(await use((pool) => pool.connect()), waitMsMax)
  async function transactOn<T>(
    connecting: Promise<Client>,
    begin: string,
    change: (client: Client) => Promise<T>,
  ): Promise<T> {
    const client = await orUnavailable(connecting)
    try {
      // Reading the version also locks out an upgrade until this transaction ends.
      const [row] = await client.query<{ version: number }>(`${begin}; ${selectVersion}`)
      assertVersion(row?.version ?? null)
      const result = await change(client)
      await client.query("COMMIT")
      return result
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {})
      throw error
    } finally {
      client.release()
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
  return {
    read,
    async write(sql, values) {
      await transactOn(borrow(queryMsMax), "BEGIN", (client) => client.query(sql, values))
    },
    transact: (change) => transactOn(borrow(queryMsMax), "BEGIN", change),
    transactAtLeisure: (change) => transactOn(borrow(leisureMsMax), `BEGIN; ${leisurely}`, change),
    async beginAtLeisure(mode) {
      const client = await orUnavailable(borrow(leisureMsMax))
      try {
        await client.query(`BEGIN ${mode}; ${leisurely}`)
        return client
      } catch (error) {
        client.release()
        throw error
      }
    },
    close: () => pool.end(),
  }
}

function asClient(client: PoolClient, waitMsMax: number): Client {
  let isBroken = false
  // While it is ours the pool does not listen: unheard, a break between two queries would end the program.
  const onError = () => {
    isBroken = true
  }
  client.on("error", onError)
  return {
    async query(sql, values = []) {
      // The driver's own types do not know that a query can have its own deadline.
      const config = { text: sql, values: [...values], query_timeout: waitMsMax }
      try {
        // Several statements in one text have several results: the last one answers.
        const result = [await client.query(config)].flat().at(-1)
        return result?.rows ?? []
      } catch (error) {
        isBroken ||= !(error instanceof DatabaseError)
        throw asUnavailable(error)
      }
    },
    // A connection that failed in some other way than by an answer must not be used again.
    release() {
      client.off("error", onError)
      client.release(isBroken)
    },
  }
}

/** Throws StoreUnavailable once another version has upgraded the store under this program. */
export function assertVersion(version: number | null): void {
  const known = newestOf(migrations)
  if (version !== known) throw new StoreUnavailable(upgradedUnderUs(known, version))
}

/** A server that goes down, a connection that broke, a primary that became a replica. */
const isConnectionLost = (error: unknown) =>
  error instanceof Error &&
  ("code" in error
    ? /^(57P0[123]|08...|25006|ECONNRESET|EPIPE)$/.test(String(error.code))
    : // What the driver says of a connection that the other side closed; it has no code.
      error.message === "Connection terminated unexpectedly")

const isSettingRefused = (error: unknown) =>
  error instanceof DatabaseError && error.code === "08P01" && /startup param/.test(error.message)

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asUnavailable(error)
  }
}

/**
 * For what the driver throws, and nothing else: an error of our own inside a transaction is a bug and
 * stays one. A broken rule of the schema is a bug too.
 */
function asUnavailable(error: unknown): unknown {
  const isRule = error instanceof DatabaseError && error.code?.startsWith("23") === true
  if (isRule || !(error instanceof Error)) return error
  return new StoreUnavailable(`the store cannot be used: ${error.message}`, { cause: error })
}
