/** The PostgreSQL database: a pool of connections, and transactions on them. */
import { DatabaseError, type PoolClient } from "pg"
import { StoreUnavailable } from "../../../domain/store.ts"
import {
  createWriteTimes,
  type PoolMeasures,
  type WriteTimes,
} from "../../../domain/usage/measures.ts"
import { createWorkQueue, type WorkQueue } from "../../../domain/values/work-queue.ts"
import {
  ask,
  createShortcuts,
  type Dialect,
  type Value as SingleValue,
  type SqlDatabase,
  type Steps,
} from "../../sql/database.ts"
import { assertCurrent } from "../../sql/migrate.ts"
import { assertNotMoving, explainMoved, selectClosing, selectMoved } from "../../sql/move/marks.ts"
import { migrations } from "../migrations/migrations.ts"
import { createPool, type PoolOptions } from "./connection.ts"
import { asUnavailable, isConnectionLost, isHeldUp, orUnavailable } from "./errors.ts"
import { describe, splitHosts } from "./hosts.ts"
import { writersLock } from "./locks.ts"
import {
  assertServerSupported,
  assertUsable,
  explainHosts,
  explainOpening,
  findVersions,
  type LostHost,
  readServerVersion,
  selectOldest,
} from "./opening.ts"

export const primaryTimeouts = { statementMsMax: 1_500, queryMsMax: 2_000 }
/** Reads of pages at the same time; the other connections are left to the API. */
const pageReadsMax = 2
/** For a feed, an export or a migration. */
export const longMsMax = 3_600_000
export const holdWriters = `SELECT pg_advisory_xact_lock(${writersLock})`
const joinWriters = `SELECT pg_advisory_xact_lock_shared(${writersLock})`

/** For one transaction only: afterwards a pooler may give the connection to another client. */
const longTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${longMsMax}`

const selectUsable = `SELECT version, (${selectMoved}) AS moved FROM schema_version`

export type Value = SingleValue | readonly unknown[]

export type Database = SqlDatabase &
  Readonly<{
    /** Tries once more on another connection if the first turns out to be dead. */
    read<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
    readLong<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
    readInTurn<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
    /** All of `change` or nothing of it. */
    transact<T>(change: (client: Client) => Promise<T>): Promise<T>
    /** The same without the deadlines of a request. The statements in `first` cost no round trip of their own. */
    transactLong<T>(change: (client: Client) => Promise<T>, ...first: readonly string[]): Promise<T>
    /** Begins a transaction without those deadlines. The caller must end it and release the client. */
    beginLong(mode: string): Promise<Client>
    measure(): PoolMeasures
    writes: Readonly<WriteTimes>
    close(): Promise<void>
  }>

export type Client = Readonly<{
  query<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
  release(): void
}>

export async function runSteps<T>({ query }: Client, steps: Steps<T>): Promise<T> {
  let step = steps.next([])
  while (step.done !== true) step = steps.next(await query(...step.value))
  return step.value
}

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
  const database = await openAnyDatabase(url, connectionsMax)
  try {
    assertNotMoving(await database.read(selectClosing))
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Also one that was moved, or whose move is not complete. */
export async function openAnyDatabase(url: string, connectionsMax: number): Promise<Database> {
  const database = connect(url, { ...primaryTimeouts, connectionsMax })
  try {
    const reader = { query: database.read }
    assertServerSupported(await readServerVersion(reader))
    assertCurrent(migrations, await findVersions(reader), describe(url))
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

/** The first query opens the first connection. */
export function connect(url: string, options: PoolOptions): Database {
  const { queryMsMax } = options
  const pool = createPool(url, options)

  async function query<Row>(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    const { rows } = await pool.query(sql, [...values])
    return rows
  }
  const borrow = async (waitMsMax: number) => asClient(await pool.connect(), waitMsMax)
  async function transactOn<T>(
    connecting: Promise<Client>,
    begin: string,
    change: (client: Client) => Promise<T>,
  ): Promise<T> {
    const client = await orUnavailable(connecting)
    return endAfter(client, async () => {
      // Reading the version also locks out an upgrade until this transaction ends.
      const [row] = await client.query<{ version: number; moved?: string | null }>(begin)
      assertUsable(row?.version ?? null)
      if (typeof row?.moved === "string") throw explainMoved(row.moved)
      return change(client)
    })
  }
  const writes = createWriteTimes()
  async function write<T>(
    connecting: Promise<Client>,
    begin: string,
    change: (client: Client) => Promise<T>,
  ): Promise<T> {
    try {
      const result = await transactOn(connecting, begin, change)
      writes.succeededAtMs = Date.now()
      return result
    } catch (error) {
      if (error instanceof StoreUnavailable && !isHeldUp(error.cause))
        writes.failedAtMs = Date.now()
      throw error
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
  const inTurn = createTurns(queryMsMax)
  const transact: Database["transact"] = (change) =>
    write(borrow(queryMsMax), `BEGIN; ${joinWriters}; ${selectUsable}`, change)
  const change: Database["change"] = (steps) => transact((client) => runSteps(client, steps()))
  return {
    ...dialect,
    read,
    readInTurn: (sql, values) => inTurn(() => read(sql, values)),
    ...createShortcuts({ read, change, changeUnsynced: change }),
    change,
    // The server decides when it waits for its disk.
    changeUnsynced: change,
    *lockTable(table) {
      yield* ask(`LOCK TABLE ${table} IN EXCLUSIVE MODE`)
    },
    transact,
    readLong: (sql, values) =>
      transactOn(
        borrow(longMsMax),
        `BEGIN READ ONLY; ${longTimeouts}; ${selectOldest}`,
        ({ query }) => query(sql, values),
      ),
    transactLong: (change, ...first) =>
      write(
        borrow(longMsMax),
        ["BEGIN", longTimeouts, joinWriters, ...first, selectUsable].join("; "),
        change,
      ),
    async beginLong(mode) {
      const client = await orUnavailable(borrow(longMsMax))
      try {
        await client.query(`BEGIN ${mode}; ${longTimeouts}`)
        return client
      } catch (error) {
        client.release()
        throw error
      }
    },
    measure: () => ({
      inUse: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
      waitMs: pool.waitingCount > 0 ? pool.lastWaitMs : 0,
      max: options.connectionsMax,
    }),
    writes,
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
export async function within<T>(
  db: Pick<Database, "beginLong">,
  mode: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await db.beginLong(mode)
  return endAfter(client, () => work(client))
}

/**
 * The reads of pages, few at a time. Behind a server that does not answer, waits must not add up: they give up where none was answered
 * for `silentMsMax`. Behind a slow one they wait, because people and downloads rather wait.
 */
export function createTurns(silentMsMax: number, now = () => performance.now()): WorkQueue {
  const queue = createWorkQueue(pageReadsMax, () => Promise.resolve())
  let answeredAtMs = 0
  return (read) => {
    const askedAtMs = now()
    return queue(async () => {
      if (now() - Math.max(askedAtMs, answeredAtMs) > silentMsMax) {
        throw new StoreUnavailable("the read of a page waited too long")
      }
      const rows = await read()
      answeredAtMs = now()
      return rows
    })
  }
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
        isBroken ||= !(error instanceof DatabaseError)
        throw asUnavailable(error)
      }
    },
    // A connection that failed without an answer of the server must not be used again.
    release() {
      client.off("error", onError)
      client.release(isBroken)
    },
  }
}
