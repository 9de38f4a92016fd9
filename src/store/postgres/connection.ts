/** Pools of connections to PostgreSQL, with a deadline on everything that could hang. */
import { Pool, type PoolConfig, types } from "pg"

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

/** The deadlines that the server keeps. A pooler takes no settings with a connection: see `connect`. */
export const serverDeadlines = ({ statementMsMax }: PoolOptions): PoolConfig => ({
  statement_timeout: statementMsMax,
  lock_timeout: lockMsMax,
})

export function createPool(url: string, options: PoolOptions, settings: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: url,
    max: options.connectionsMax,
    connectionTimeoutMillis: options.connectMsMax ?? connectMsMax,
    query_timeout: options.queryMsMax,
    ...settings,
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
