/** Which of the hosts of DATABASE_URL is connected to. Threads and pools find a promoted standby without a restart. */
import { Client, type ClientBase, type QueryConfig } from "pg"
import { hostAndPortOf, splitHosts } from "./hosts.ts"

const askMsMax = 1_000

/** As target_session_attrs of libpq: a host that takes writes, or any that answers, such as a hot standby. */
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
  /** Asks all hosts at the same time: one that is lost answers only with a timeout. */
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
    /** New connections go to this host; those to another are not used any more. */
    current: () => current,
    /** Makes a usable host the current one. False if there is none. */
    find(): Promise<boolean> {
      finding ??= find().finally(() => {
        finding = null
      })
      return finding
    },
  }
}

/** Whether it is writable. Throws if it does not answer. */
async function probeHost(host: string): Promise<boolean> {
  const client = new Client({ connectionString: host, connectionTimeoutMillis: askMsMax })
  // Without a listener, a connection that breaks would end the program.
  client.on("error", () => {})
  try {
    await client.connect()
    return await isWritable(client)
  } finally {
    client.end().catch(() => {})
  }
}

/** A hot standby is read-only, and so is a server that was set to be. */
export async function isWritable(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query({
    text: "SELECT current_setting('transaction_read_only') AS setting",
    query_timeout: askMsMax,
    // The driver's types lack the deadline of a single query.
  } as QueryConfig)
  return rows[0]?.setting === "off"
}
