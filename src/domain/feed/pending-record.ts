/** A record is stored or pending, never both. It is stored in the transaction that inserts what it needs. */
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
    sinceMs: number
  }>

export type Need = Readonly<{ kind: PendingKind; needs: string }>

export type PendingRow = Dated &
  Need &
  Readonly<{
    identity: string
    record: string
    sinceMs: number
  }>

export const pendingRecordsMax = 1_000_000

/** Pending records per transaction. */
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

/** Inverse of `toPendingRow`. */
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

export type Needed = Readonly<{
  type: "account" | "item"
  identity: string
  records: number
}>

export type PendingGroup = Needed &
  Readonly<{
    sinceMs: number
  }>

export type PendingSummary = Readonly<{
  items: number
  purchases: number
  /** Since when the oldest record is pending; null if none is. */
  sinceMs: number | null
  groups: readonly PendingGroup[]
}>

/** Records that are pending for this long cause a warning. */
const pendingMsMax = daySeconds * 1000

export const isPendingTooLong = ({ sinceMs }: Pick<PendingSummary, "sinceMs">, nowMs: number) =>
  sinceMs !== null && nowMs - sinceMs >= pendingMsMax
