/** The records that wait, while a batch of the feed is decided. */
import { tombstoneName } from "./as-of.ts"
import type { Refusal, Verdict } from "./feed.ts"
import { type Changed, createStates } from "./feed-states.ts"
import type { ItemRecord } from "./item.ts"
import type { PurchaseRecord } from "./purchase.ts"
import {
  identityOf,
  type Waiter,
  type WaitingKind,
  type WaitingRecord,
  waitingNameOf,
  waitingRecordsMax,
} from "./waiting-record.ts"

export type WaitingStates = ReturnType<typeof createWaiting>

/** `room`: how many more may wait. */
export function createWaiting(
  found: ReadonlyMap<string, WaitingRecord>,
  room: number,
  nowMs: number,
) {
  const states = createStates<string, WaitingRecord>(found)
  let added = 0

  /** Most stores have none: skip making the name. */
  const find = (kind: WaitingKind, identity: string | number) =>
    states.isEmpty() ? null : states.find(tombstoneName(kind, identity))
  return {
    find,
    findItem(id: number): ItemRecord | null {
      const waiting = find("item", id)
      return waiting?.kind === "item" ? waiting.record : null
    },
    findPurchase(code: string): PurchaseRecord | null {
      const waiting = find("purchase", code)
      return waiting?.kind === "purchase" ? waiting.record : null
    },
    /** `refusal` is the verdict where no more may wait. */
    put(waiter: Waiter, asOf: number, refusal: Refusal): Verdict {
      const name = tombstoneName(waiter.kind, identityOf(waiter))
      const kept = states.find(name)
      if (kept === null && ++added > room) return refuseAnother(refusal)
      states.put(name, { ...waiter, asOf, sinceMs: kept?.sinceMs ?? nowMs })
      return "waiting"
    },
    touch(waiting: WaitingRecord, asOf: number): void {
      states.touch(waitingNameOf(waiting), { ...waiting, asOf })
    },
    remove(kind: WaitingKind, identity: string | number): void {
      if (!states.isEmpty()) states.remove(tombstoneName(kind, identity))
    },
    changes: (): Changed<WaitingRecord> => states.changes(),
  }
}

function refuseAnother(refusal: Refusal): Refusal {
  const why = `, and ${waitingRecordsMax.toLocaleString("en")} records wait already`
  const { kind, reason } = refusal
  return { ...refusal, reason: reason + why, ...(kind === undefined ? {} : { kind: kind + why }) }
}
