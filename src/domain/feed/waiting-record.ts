/**
 * Records that wait for what they need: an item for its author, a purchase for its item. A record is in the
 * store or waits, never both. It is taken in the transaction that brings what it needs.
 */
import type { ItemRecord } from "../catalogue/item.ts"
import type { PurchaseRecord } from "../catalogue/purchase.ts"
import { daySeconds } from "../values/time/timestamp.ts"
import { type Dated, tombstoneName } from "./as-of.ts"

export type WaitingKind = "item" | "purchase"

export type Waiter =
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

export const identityOf = (waiting: Waiter) =>
  waiting.kind === "item" ? `${waiting.record.id}` : waiting.record.code

/** An account or item, and how many records wait for it. */
export type Needed = Readonly<{
  type: "account" | "item"
  identity: string
  records: number
}>

export type WaitingGroup = Needed &
  Readonly<{
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
const waitingMsMax = daySeconds * 1000

export const isWaitingLong = ({ sinceMs }: Pick<WaitingSummary, "sinceMs">, nowMs: number) =>
  sinceMs !== null && nowMs - sinceMs >= waitingMsMax
