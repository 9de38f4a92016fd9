/** Pools of connections to PostgreSQL, with a deadline on everything that could hang. */
import { type ClientBase, Pool, type PoolClient, type QueryConfig, types } from "pg"

/** How long a server may take. Its own deadline is the shorter one, so that a slow query ends there too. */
export type PoolOptions = Readonly<{
  connectionsMax: number
  /** How long to wait for one of them; a second by default. */
  connectMsMax?: number
  statementMsMax: number
  queryMsMax: number
}>

const connectMsMax = 1_000
const lockMsMax = 1_000
/** The number of the type in PostgreSQL. */
const bigint = 20

/**
 * The deadlines that the server keeps. A pooler refuses a connection that brings settings with it, and gives a
 * connection with other settings to the next client: behind one, whose process has another number than it told
 * us, the settings of the role apply.
 */
const setDeadlines = `SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false)
  WHERE pg_backend_pid() = $3`

type Connected = Parameters<Pool["connect"]>[0]

/** A class, because `query` of the driver's pool calls its own `connect`. */
export class MeasuredPool extends Pool {
  /** How long the last caller waited for a connection, also if it got none. */
  lastWaitMs = 0

  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    const askedAtMs = performance.now()
    const note = () => {
      this.lastWaitMs = performance.now() - askedAtMs
    }
    if (callback === undefined) return super.connect().finally(note)
    super.connect((error, client, release) => {
      note()
      callback(error, client, release)
    })
    return undefined
  }
}

export function createPool(url: string, options: PoolOptions): MeasuredPool {
  const pool = new MeasuredPool({
    connectionString: url,
    max: options.connectionsMax,
    connectionTimeoutMillis: options.connectMsMax ?? connectMsMax,
    query_timeout: options.queryMsMax,
    async onConnect(client: ClientBase) {
      // The driver's types lack the number, and the deadline of a single query.
      const { processID } = client as ClientBase & { processID: number }
      const values = [`${options.statementMsMax}`, `${lockMsMax}`, processID]
      await client.query({ text: setDeadlines, values, query_timeout: connectMsMax } as QueryConfig)
    },
    keepAlive: true,
    // bigint holds ids and counts, all of them exact in a double.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === bigint && format !== "binary" ? Number : types.getTypeParser(oid, format),
    },
  })
  // The pool replaces an idle connection that breaks; without a listener its error would end the program.
  pool.on("error", () => {})
  // Between connecting and the first query the pool itself listens for no error.
  pool.on("connect", (client) => client.on("error", () => {}))
  return pool
}
