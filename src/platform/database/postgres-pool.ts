import {
  Client,
  type ClientBase,
  type ClientConfig,
  Pool,
  type PoolClient,
  type QueryConfig,
  types,
} from "pg"
import { renderHost, splitHosts } from "./postgres-hosts.ts"
import { render, sql } from "./sql.ts"

/** `statementMsMax` is the timeout of the server. It must be below `queryMsMax`, so that a slow query ends there too. */
export type PoolOptions = Readonly<{
  connectionsMax: number
  connectMsMax: number
  statementMsMax: number
  queryMsMax: number
}>

const lockMsMax = 1_000
const bigintTypeId = 20

/**
 * Sets the timeouts of the server. A connection pooler rejects settings at connect and shares connections between
 * clients, so nothing is set behind one: there the process id differs from the one it reported.
 */
const setDeadlines = (statementMsMax: number, processId: number) => sql`
  SELECT set_config('statement_timeout', ${`${statementMsMax}`}, false),
    set_config('lock_timeout', ${`${lockMsMax}`}, false)
  WHERE pg_backend_pid() = ${processId}`

type Connected = Parameters<Pool["connect"]>[0]

/** The driver's error if all connections are in use. Other errors concern a new connection. */
const poolTimeout = "timeout exceeded when trying to connect"

export function createPool(hosts: Hosts, options: PoolOptions): Pool {
  class HostClient extends Client {
    readonly url = hosts.current()

    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: hosts.current() })
    }
  }

  /** A subclass, because `query` of the driver's pool calls `connect`. */
  class HostPool extends Pool {
    override connect(): Promise<PoolClient>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<PoolClient> | undefined {
      if (callback === undefined) {
        return new Promise((resolve, reject) => {
          this.connect((error, client) => (client === undefined ? reject(error) : resolve(client)))
        })
      }
      this.connectToCurrent(hosts.count > 1, callback)
      return undefined
    }

    private connectToCurrent(mayFindHost: boolean, callback: Connected): void {
      super.connect((error, client, release) => {
        if (client instanceof HostClient && client.url !== hosts.current()) {
          release(true)
          this.connectToCurrent(mayFindHost, callback)
        } else if (mayFindHost && error !== undefined && error.message !== poolTimeout) {
          hosts.find().then((isFound) => {
            if (isFound) this.connectToCurrent(false, callback)
            else callback(error, client, release)
          })
        } else callback(error, client, release)
      })
    }
  }

  const pool = new HostPool({
    Client: HostClient,
    max: options.connectionsMax,
    connectionTimeoutMillis: options.connectMsMax,
    query_timeout: options.queryMsMax,
    async onConnect(client: ClientBase) {
      const mustWrite = hosts.count > 1 && hosts.target === "read-write"
      if (mustWrite && !(await isWritable(client))) {
        // The error code of a write on a read-only server.
        throw Object.assign(new Error("the server is read-only"), { code: "25006" })
      }
      // `as`: the driver's types lack `processID` and `query_timeout`.
      const { processID } = client as ClientBase & { processID: number }
      const { text, values } = render(setDeadlines(options.statementMsMax, processID))
      const query_timeout = options.connectMsMax
      await client.query({ text, values: [...values], query_timeout } as QueryConfig)
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

const probeMsMax = 1_000

/** As target_session_attrs of libpq: a writable host, or any host, such as a hot standby. */
type Target = "read-write" | "any"

export type Hosts = ReturnType<typeof createHosts>

/** Selects one of the hosts in DATABASE_URL. Threads and pools find a promoted standby without a restart. */
export function createHosts(url: string, target: Target) {
  const urls = splitHosts(url) ?? [url]
  let current = urls[0] ?? url
  let finding: Promise<boolean> | null = null

  /** Probes all hosts concurrently: a lost host responds with a timeout only. */
  async function find(): Promise<boolean> {
    try {
      const probes = urls.map(async (host) => {
        if ((await probeHost(host)) || target === "any") return host
        throw new Error(`${renderHost(host)} is read-only`)
      })
      current = await Promise.any(probes)
      return true
    } catch {
      return false
    }
  }
  return {
    count: urls.length,
    target,
    /** The host of new connections. Connections to other hosts are not reused. */
    current: () => current,
    find(): Promise<boolean> {
      finding ??= find().finally(() => {
        finding = null
      })
      return finding
    },
  }
}

async function probeHost(host: string): Promise<boolean> {
  const client = new Client({ connectionString: host, connectionTimeoutMillis: probeMsMax })
  // Without a listener a broken connection would end the program.
  client.on("error", () => {})
  try {
    await client.connect()
    return await isWritable(client)
  } finally {
    client.end().catch(() => {})
  }
}

async function isWritable(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query({
    text: "SHOW transaction_read_only",
    query_timeout: probeMsMax,
    // `as`: the driver's types lack `query_timeout`.
  } as QueryConfig)
  return rows[0]?.transaction_read_only === "off"
}
