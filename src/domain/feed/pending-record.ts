/**
 * Records that wait for what they need: an item for its author, a purchase for its item. A record is in the
 * store or waits, never both. It is taken in the transaction that brings what it needs.
 */
import type { ItemRecord } from "../catalog/item.ts"
import type { PurchaseRecord } from "../catalog/purchase.ts"
import { daySeconds } from "../values/time/timestamp.ts"
import { type Dated, tombstoneName } from "./as-of.ts"

export type PendingKind = "item" | "purchase"

export type PendingContent =
  | Readonly<{ kind: "item"; record: ItemRecord }>
  | Readonly<{ kind: "purchase"; record: PurchaseRecord }>

export type PendingRecord = Dated &
  PendingContent &
  Readonly<{
    /** When it began to wait, in milliseconds since 1970. */
    sinceMs: number
  }>

/** The records that wait for one account or item. */
export type Need = Readonly<{ kind: PendingKind; needs: string }>

/** As a store keeps it. */
export type PendingRow = Dated &
  Need &
  Readonly<{
    identity: string
    /** JSON of the record. */
    record: string
    sinceMs: number
  }>

export const pendingRecordsMax = 1_000_000

/** A transaction takes so many of them at a time. */
export const releasedRecords = 1_000

export function toPendingRow(pending: PendingRecord): PendingRow {
  const { kind, asOf, sinceMs } = pending
  const needs = pending.kind === "item" ? pending.record.author : `${pending.record.itemId}`
  return {
    kind,
    identity: identityOf(pending),
    needs,
    asOf,
    sinceMs,
    record: JSON.stringify(pending.record),
  }
}

/** The text was written by `toWaitingRow`. */
export const fromPendingRow = ({ kind, record, asOf, sinceMs }: PendingRow): PendingRecord => ({
  kind,
  record: JSON.parse(record),
  asOf,
  sinceMs,
})

export const pendingNameOf = (pending: PendingRecord) =>
  tombstoneName(pending.kind, identityOf(pending))

export const identityOf = (pending: PendingContent) =>
  pending.kind === "item" ? `${pending.record.id}` : pending.record.code

/** An account or item, and how many records wait for it. */
export type Needed = Readonly<{
  type: "account" | "item"
  identity: string
  records: number
}>

export type PendingGroup = Needed &
  Readonly<{
    /** When the first of them began to wait. */
    sinceMs: number
  }>

export type PendingSummary = Readonly<{
  items: number
  purchases: number
  /** When the first of all began to wait; null if none waits. */
  sinceMs: number | null
  /** Those with the most records first, at most as many as were asked for. */
  groups: readonly PendingGroup[]
}>

/** A record that has waited for so long is a warning. */
const pendingMsMax = daySeconds * 1000

export const isPendingTooLong = ({ sinceMs }: Pick<PendingSummary, "sinceMs">, nowMs: number) =>
  sinceMs !== null && nowMs - sinceMs >= pendingMsMax
