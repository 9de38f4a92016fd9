/**
 * The failed calls of one thread since the last write. The first ones of each key are noted with network and code;
 * later ones are summed up by operation and reason, so that calls in a loop cost no more memory, and fill no disk.
 */

import { type RejectedCode, shownCode } from "../domain/catalog/purchase-code.ts"
import type { Operation } from "../domain/keys/api-key.ts"
import type { Caller } from "../domain/limits/request-limits.ts"
import type { FailedRequest } from "../domain/usage/failed-requests.ts"
import type { Failure } from "../domain/values/error.ts"
import { ipRangeOf } from "../domain/values/ip-range.ts"
import { formatTimestamp } from "../domain/values/time/timestamp.ts"

/** Calls of one key between two writes whose network and code are noted. */
const notedOfKeyMax = 20
/** Of all keys together. */
const notedMax = 300
/** Entries between two writes. Others are only counted. */
const entriesMax = 500

export type FailedRequestBuffer = Readonly<{
  record(call: FailingCall, nowMs: number, caller: Caller): void
  /** The entries so far, and begins anew. */
  take(): readonly FailedRequest[]
}>

type FailingCall = Readonly<{
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
  let notedOfKey = new Map<string, number>()
  let noted = 0

  /** Whether this call is one of the first of its key. */
  function takeTurn(keyId: string): boolean {
    const before = notedOfKey.get(keyId) ?? 0
    if (before >= notedOfKeyMax || noted >= notedMax) return false
    notedOfKey.set(keyId, before + 1)
    noted += 1
    return true
  }
  return {
    record({ keyId, operation, reason, rejectedCode }, nowMs, caller) {
      const isNoted = takeTurn(keyId)
      const ipRange = isNoted ? ipRangeOf(caller.address()) : ""
      const code = isNoted && rejectedCode !== null ? shownCode(rejectedCode) : ""
      const name = `${keyId} ${operation} ${reason} ${ipRange} ${code}`
      const entry = entries.get(name)
      if (entry !== undefined) {
        entry.lastMs = nowMs
        entry.calls += 1
      } else if (entries.size < entriesMax) {
        const times = { firstMs: nowMs, lastMs: nowMs }
        const rejectedSite = isNoted ? rejectedCode?.rejectedSite : undefined
        const told = rejectedSite === undefined ? {} : { rejectedSite }
        entries.set(name, { keyId, operation, reason, ipRange, code, ...times, calls: 1, ...told })
      }
    },
    take() {
      const taken = [...entries.values()]
      entries = new Map()
      notedOfKey = new Map()
      noted = 0
      return taken.map(({ firstMs, lastMs, ...entry }) => ({
        ...entry,
        firstAt: formatTimestamp(new Date(firstMs)),
        lastAt: formatTimestamp(new Date(lastMs)),
      }))
    },
  }
}
