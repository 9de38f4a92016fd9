import {
  Client,
  type ClientBase,
  type ClientConfig,
  Pool,
  type PoolClient,
  type PoolConfig,
  type QueryConfig,
  types,
} from "pg"
import { type Hosts, isWritable } from "./current-host.ts"

/** `statementMsMax` is the timeout of the server. It must be below `queryMsMax`, so that a slow query ends there too. */
export type PoolOptions = Readonly<{
  connectionsMax: number
  /** Default: one second. */
  connectMsMax?: number
  statementMsMax: number
  queryMsMax: number
}>

const connectMsMax = 1_000
const lockMsMax = 1_000
const bigintTypeId = 20

/**
 * Sets the timeouts of the server. A connection pooler rejects settings at connect and shares connections between
 * clients, so nothing is set behind one: there the process id differs from the one it reported.
 */
const setDeadlines = `SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false)
  WHERE pg_backend_pid() = $3`

type Connected = Parameters<Pool["connect"]>[0]

/** The driver's error if all connections are in use. Other errors concern a new connection. */
const poolTimeout = "timeout exceeded when trying to connect"

class HostClient extends Client {
  readonly url: string

  constructor(url: string, config?: ClientConfig) {
    super({ ...config, connectionString: url })
    this.url = url
  }
}

/** A subclass, because `query` of the driver's pool calls `connect`. */
class HostPool extends Pool {
  private readonly hosts: Hosts

  constructor(hosts: Hosts, options: PoolConfig) {
    super(options)
    this.hosts = hosts
  }

  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    if (callback === undefined) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client === undefined ? reject(error) : resolve(client)))
      })
    }
    this.connectToCurrent(this.hosts.count > 1, callback)
    return undefined
  }

  private connectToCurrent(mayFindHost: boolean, callback: Connected): void {
    super.connect((error, client, release) => {
      if (client instanceof HostClient && client.url !== this.hosts.current()) {
        release(true)
        this.connectToCurrent(mayFindHost, callback)
      } else if (mayFindHost && error !== undefined && error.message !== poolTimeout) {
        this.hosts.find().then((isFound) => {
          if (isFound) this.connectToCurrent(false, callback)
          else callback(error, client, release)
        })
      } else callback(error, client, release)
    })
  }
}

export function createPool(hosts: Hosts, options: PoolOptions): HostPool {
  const pool = new HostPool(hosts, {
    Client: class extends HostClient {
      constructor(config?: ClientConfig) {
        super(hosts.current(), config)
      }
    },
    max: options.connectionsMax,
    connectionTimeoutMillis: options.connectMsMax ?? connectMsMax,
    query_timeout: options.queryMsMax,
    async onConnect(client: ClientBase) {
      const mustWrite = hosts.count > 1 && hosts.target === "read-write"
      if (mustWrite && !(await isWritable(client))) {
        // The error code of a write on a read-only server.
        throw Object.assign(new Error("the server is read-only"), { code: "25006" })
      }
      // `as`: the driver's types lack `processID` and `query_timeout`.
      const { processID } = client as ClientBase & { processID: number }
      const values = [`${options.statementMsMax}`, `${lockMsMax}`, processID]
      await client.query({ text: setDeadlines, values, query_timeout: connectMsMax } as QueryConfig)
    },
    keepAlive: true,
    // `bigint` columns contain ids and counts, which a double represents exactly.
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === bigintTypeId && format !== "binary" ? Number : types.getTypeParser(oid, format),
    },
  })
  // The pool replaces broken idle connections. Without a listener their errors would end the program.
  pool.on("error", () => {})
  // The pool does not listen for errors between connecting and the first query.
  pool.on("connect", (client) => client.on("error", () => {}))
  return pool
}
