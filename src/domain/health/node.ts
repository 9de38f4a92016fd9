/** The servers that run on a store. Each one notes itself, so that the operator sees which versions run where. */
import type { Timestamp } from "../values/time/timestamp.ts"

export type Node = Readonly<{
  id: string
  /** The name of the machine or of the container. */
  host: string
  /** Where it listens there. */
  url: string
  version: string
  threads: number
  startedAt: Timestamp
  lastSeenAt: Timestamp
}>

export interface NodeStore {
  /** Adds the node, or notes that it was seen again. */
  put(node: Node): Promise<void>
  remove(id: string): Promise<void>
  /** Those that were seen at `since` or later, the oldest first. */
  list(since: Timestamp): Promise<readonly Node[]>
  /** Removes those that were last seen before `before`. */
  deleteExpired(before: Timestamp): Promise<void>
}

export const heartbeatSeconds = 60
/** A node that missed two notes is no longer there. */
export const nodeGoneSeconds = 150
