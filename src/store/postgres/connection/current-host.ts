/** Selects one of the hosts in DATABASE_URL. Threads and pools find a promoted standby without a restart. */
import { Client, type ClientBase, type QueryConfig } from "pg"
import { hostAndPortOf, splitHosts } from "./hosts.ts"

const probeMsMax = 1_000

/** As target_session_attrs of libpq: a writable host, or any host, such as a hot standby. */
export type Target = "read-write" | "any"

export type Hosts = ReturnType<typeof createHosts>

export function createHosts(url: string, target: Target) {
  const urls = splitHosts(url) ?? [url]
  let current = urls[0] ?? url
  let finding: Promise<boolean> | null = null

  async function assertUsable(host: string): Promise<string> {
    const isWritable = await probeHost(host)
    if (target === "read-write" && !isWritable)
      throw new Error(`${hostAndPortOf(host)} is read-only`)
    return host
  }
  /** Probes all hosts concurrently: a lost host responds with a timeout only. */
  async function find(): Promise<boolean> {
    try {
      current = await Promise.any(urls.map(assertUsable))
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
    /** Selects a usable host. Returns false if no host is usable. */
    find(): Promise<boolean> {
      finding ??= find().finally(() => {
        finding = null
      })
      return finding
    },
  }
}

/** Returns whether the host is writable. Throws if it does not respond. */
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

export async function isWritable(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query({
    text: "SELECT current_setting('transaction_read_only') AS setting",
    query_timeout: probeMsMax,
    // `as`: the driver's types lack `query_timeout`.
  } as QueryConfig)
  return rows[0]?.setting === "off"
}
