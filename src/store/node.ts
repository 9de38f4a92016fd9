/** Running servers. Each one writes a heartbeat, so that operators see which versions run where. */
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
