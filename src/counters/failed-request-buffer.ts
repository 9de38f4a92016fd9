/**
 * The failed requests of one thread since the last write. The first requests of each key are recorded with IP range
 * and code. Later ones are only counted by operation and error code, so that a client in a loop cannot fill the disk.
 */

import { type RejectedCode, shownCode } from "../domain/catalog/purchase-code.ts"
import type { Operation } from "../domain/keys/api-key.ts"
import type { Caller } from "../domain/limits/request-limits.ts"
import type { FailedRequest } from "../domain/usage/usage.ts"
import type { Failure } from "../domain/values/error.ts"
import { ipRangeOf } from "../domain/values/ip-range.ts"
import { formatTimestamp } from "../domain/values/time/timestamp.ts"

/** Requests of one key, and of all keys, that are recorded with IP range and code between two writes. */
const detailedPerKeyMax = 20
const detailedMax = 300
/** Entries between two writes. Further ones are not logged. */
const entriesMax = 500

export type FailedRequestBuffer = Readonly<{
  record(request: FailingRequest, nowMs: number, caller: Caller): void
  /** Returns the entries and empties the buffer. */
  take(): readonly FailedRequest[]
}>

type FailingRequest = Readonly<{
  keyId: string
  operation: Operation
  reason: Failure
  rejectedCode: RejectedCode | null
}>

type Entry = Omit<FailedRequest, "firstAt" | "lastAt" | "calls"> & {
  readonly firstMs: number
  lastMs: number
  calls: number
}

export function createFailedRequestBuffer(): FailedRequestBuffer {
  let entries = new Map<string, Entry>()
  let detailedByKey = new Map<string, number>()
  let detailed = 0

  function takeDetail(keyId: string): boolean {
    const before = detailedByKey.get(keyId) ?? 0
    if (before >= detailedPerKeyMax || detailed >= detailedMax) return false
    detailedByKey.set(keyId, before + 1)
    detailed += 1
    return true
  }
  return {
    record({ keyId, operation, reason, rejectedCode }, nowMs, caller) {
      const isDetailed = takeDetail(keyId)
      const ipRange = isDetailed ? ipRangeOf(caller.address()) : ""
      const code = isDetailed && rejectedCode !== null ? shownCode(rejectedCode) : ""
      const name = `${keyId} ${operation} ${reason} ${ipRange} ${code}`
      const entry = entries.get(name)
      if (entry !== undefined) {
        entry.lastMs = nowMs
        entry.calls += 1
      } else if (entries.size < entriesMax) {
        const times = { firstMs: nowMs, lastMs: nowMs }
        const rejectedSite = isDetailed ? rejectedCode?.rejectedSite : undefined
        const site = rejectedSite === undefined ? {} : { rejectedSite }
        entries.set(name, { keyId, operation, reason, ipRange, code, ...times, calls: 1, ...site })
      }
    },
    take() {
      const taken = [...entries.values()]
      entries = new Map()
      detailedByKey = new Map()
      detailed = 0
      return taken.map(({ firstMs, lastMs, ...entry }) => ({
        ...entry,
        firstAt: formatTimestamp(new Date(firstMs)),
        lastAt: formatTimestamp(new Date(lastMs)),
      }))
    },
  }
}
