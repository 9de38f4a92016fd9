/** Numbers that a part of the program knows without I/O, for the metrics. */

export type CacheCounts = { hits: number; misses: number }

export const createCacheCounts = (): CacheCounts => ({ hits: 0, misses: 0 })

/** A pool of connections. `waiting` counts the callers that wait for one. */
export type PoolMeasures = Readonly<{
  inUse: number
  waiting: number
  /** How long the last caller waited that got a connection or gave up; 0 while none is waiting. */
  waitMs: number
  max: number
}>

/** `replica` is all replicas together. */
export const poolNames = ["primary", "replica", "feed"] as const
export type PoolName = (typeof poolNames)[number]

export type StoreMeasures = Readonly<{
  /** Null where the store is embedded. */
  pools: Readonly<Record<PoolName, PoolMeasures>> | null
  rowCache: Readonly<CacheCounts>
  /**
   * For each replica, in the order of the configuration, the seconds since it was last known to have
   * everything. Up to half a second is normal.
   */
  replicaLagSeconds: readonly number[]
}>
