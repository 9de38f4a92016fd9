/** Pools of connections to PostgreSQL, with a deadline on everything that could hang. */
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

/** The driver's error for a caller that got none of the connections; all others are of a new connection. */
const noneFree = "timeout exceeded when trying to connect"

/** A connection knows its host. */
class HostClient extends Client {
  readonly url: string

  constructor(url: string, config?: ClientConfig) {
    super({ ...config, connectionString: url })
    this.url = url
  }
}

/** A class, because `query` of the driver's pool calls its own `connect`. */
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

  private connectToCurrent(mayLook: boolean, callback: Connected): void {
    super.connect((error, client, release) => {
      if (client instanceof HostClient && client.url !== this.hosts.current()) {
        release(true)
        this.connectToCurrent(mayLook, callback)
      } else if (mayLook && error !== undefined && error.message !== noneFree) {
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
        // The error of a write.
        throw Object.assign(new Error("the server takes no writes"), { code: "25006" })
      }
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
