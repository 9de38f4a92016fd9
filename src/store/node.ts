/** Running servers. Each one writes a heartbeat, so that operators see which versions run where. */
import { hostname } from "node:os"
import type { Timestamp } from "../platform/time.ts"

export type Node = Readonly<{
  id: string
  host: string
  url: string
  version: string
  threads: number
  startedAt: Timestamp
  lastSeenAt: Timestamp
}>

export interface NodeStore {
  put(node: Node): Promise<void>
  remove(id: string): Promise<void>
  /** Nodes seen at `since` or later, oldest first. */
  list(since: Timestamp): Promise<readonly Node[]>
  deleteExpired(before: Timestamp): Promise<void>
}

export const heartbeatSeconds = 60
/** A node that missed two heartbeats is gone. */
export const nodeGoneSeconds = 150

/** Returns the URL of the node on this machine that was last seen, or null. */
export function findLocalServerUrl(nodes: readonly Node[]): string | null {
  const own = nodes.filter(({ host }) => host === hostname())
  const [last] = own.toSorted((one, other) => (one.lastSeenAt < other.lastSeenAt ? 1 : -1))
  return last === undefined ? null : toLoopbackUrl(last.url)
}

/** Replaces the wildcard address, to which no request can be sent. */
export const toLoopbackUrl = (url: string) =>
  url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
