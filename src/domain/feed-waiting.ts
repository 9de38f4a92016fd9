/**
 * Records that wait for what they need: an item for its author, a purchase for its item. A record is in the
 * store or waits, never both. It is taken in the transaction that brings what it needs.
 */
import { type Dated, tombstoneName } from "./as-of.ts"
import type { FeedRecord, Refusal, Verdict } from "./feed.ts"
import type { Changes, Decision } from "./feed-rules.ts"
import { type Changed, createStates } from "./feed-states.ts"
import type { ItemRecord } from "./item.ts"
import type { PurchaseRecord } from "./purchase.ts"

export type WaitingKind = "item" | "purchase"

type Waiter =
  | Readonly<{ kind: "item"; record: ItemRecord }>
  | Readonly<{ kind: "purchase"; record: PurchaseRecord }>

export type WaitingRecord = Dated &
  Waiter &
  Readonly<{
    /** When it began to wait, in milliseconds since 1970. */
    sinceMs: number
  }>

/** The records that wait for one account or item. */
export type Need = Readonly<{ kind: WaitingKind; needs: string }>

/** As a store keeps it. */
export type WaitingRow = Dated &
  Need &
  Readonly<{
    identity: string
    /** JSON of the record. */
    record: string
    sinceMs: number
  }>

/** How many records may wait in a store. */
export const waitingRecordsMax = 1_000_000

/** A transaction takes so many of them at a time. */
export const releasedRecords = 1_000

export function toWaitingRow(waiting: WaitingRecord): WaitingRow {
  const { kind, asOf, sinceMs } = waiting
  const needs = waiting.kind === "item" ? waiting.record.author : `${waiting.record.itemId}`
  return {
    kind,
    identity: identityOf(waiting),
    needs,
    asOf,
    sinceMs,
    record: JSON.stringify(waiting.record),
  }
}

/** The text was written by `toWaitingRow`. */
export const fromWaitingRow = ({ kind, record, asOf, sinceMs }: WaitingRow): WaitingRecord => ({
  kind,
  record: JSON.parse(record),
  asOf,
  sinceMs,
})

export const waitingNameOf = (waiting: WaitingRecord) =>
  tombstoneName(waiting.kind, identityOf(waiting))

const identityOf = (waiting: Waiter) =>
  waiting.kind === "item" ? `${waiting.record.id}` : waiting.record.code

/** The record as it came, with the moment it had. */
export function recordOf(waiting: WaitingRecord): FeedRecord {
  const asOf = { ms: waiting.asOf, isArrival: false }
  return waiting.kind === "item"
    ? { type: "item", item: waiting.record, asOf }
    : { type: "purchase", purchase: waiting.record, asOf }
}

/** What the changes bring that records may wait for. */
const arrivalsOf = ({ accounts, items, nameChanges }: Changes): readonly Need[] => [
  ...accounts.inserted.map(({ username }): Need => ({ kind: "item", needs: username })),
  ...nameChanges.flatMap(({ to }): Need[] => (to === null ? [] : [{ kind: "item", needs: to }])),
  ...items.inserted.map(({ id }): Need => ({ kind: "purchase", needs: `${id}` })),
]

/** Some needs at a time: those who wait for a great many are then listed without listing all needs anew. */
const needsAtOnce = 100

/**
 * Goes through all that has arrived. A store takes the records that wait for `next`, some at a time, and says
 * what was decided about them; null once there are none.
 */
export function createArrivals(changes: Changes) {
  const arrived = [...arrivalsOf(changes)]
  return {
    /** Empty at the end. */
    next: (): readonly Need[] => arrived.slice(0, needsAtOnce),
    settle(decision: Decision | null): void {
      // A record that cannot be taken even now stays, and is not tried for ever.
      const isDone = decision === null || !decision.verdicts.includes(null)
      if (isDone) arrived.splice(0, needsAtOnce)
      else arrived.push(...arrivalsOf(decision.changes))
    },
  }
}

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

/** The records that wait for one account or item, together. */
export type WaitingGroup = Readonly<{
  type: "account" | "item"
  identity: string
  records: number
  /** When the first of them began to wait. */
  sinceMs: number
}>

export type WaitingSummary = Readonly<{
  items: number
  purchases: number
  /** When the first of all began to wait; null if none waits. */
  sinceMs: number | null
  /** Those with the most records first, at most as many as were asked for. */
  groups: readonly WaitingGroup[]
}>

/** A record that has waited for so long is a warning. */
const waitingMsMax = 24 * 60 * 60 * 1000

export const isWaitingLong = ({ sinceMs }: Pick<WaitingSummary, "sinceMs">, nowMs: number) =>
  sinceMs !== null && nowMs - sinceMs >= waitingMsMax
