import type { AccountRecord } from "../accounts/account.ts"
import type { ItemRecord } from "../items/item.ts"
import type { ImportedKey } from "../keys/key.ts"
import { type Problem, problem } from "../platform/problem.ts"
import type { PatchFields } from "../platform/schema.ts"
import { daySeconds, type Timestamp } from "../platform/time.ts"
import type { PurchaseRecord } from "../purchases/purchase.ts"

/** The feed itself has no master key. */
export type PrepareKey = (secret: string) => ImportedKey

export type FeedRecord = Readonly<{ asOf?: AsOf }> & RecordContent
export type RecordOf<Type extends FeedRecord["type"]> = Extract<FeedRecord, { type: Type }>

type RecordContent =
  | Readonly<{ type: "account"; account: FeedAccount; key: ImportedKey | null; was?: PreviousName }>
  | Readonly<{ type: "item"; item: ItemRecord; wasAuthor?: PreviousName }>
  | Readonly<{ type: "purchase"; purchase: PurchaseRecord }>
  | AccountPatch
  | ItemPatch
  | PurchasePatch
  | Readonly<{ type: "deleted account"; username: string }>
  | Readonly<{ type: "deleted item"; id: number }>
  | Readonly<{ type: "deleted purchase"; code: string }>
  /** The source has this record, but its line was rejected: only its timestamp changes. */
  | (Readonly<{ type: "mentioned" }> & DatedIdentity)

export function datedIdentityOf(record: FeedRecord): DatedIdentity {
  if ("identity" in record) return { kind: record.kind, identity: record.identity }
  if ("account" in record) return { kind: "account", identity: record.account.username }
  if ("item" in record) return { kind: "item", identity: `${record.item.id}` }
  if ("purchase" in record) return { kind: "purchase", identity: record.purchase.code }
  if ("username" in record) return { kind: "account", identity: record.username }
  if ("id" in record) return { kind: "item", identity: `${record.id}` }
  return { kind: "purchase", identity: record.code }
}

/** Null keeps the suspension: a source without this field must not lift it. */
export type FeedAccount = Omit<AccountRecord, "isSuspended"> &
  Readonly<{ isSuspended: boolean | null }>

type PreviousName = string | undefined

/** A patch changes only the fields it contains. */
export type AccountPatch = Readonly<{
  type: "patched account"
  username: string
  isSuspended?: boolean | undefined
  fields: PatchFields
  key: ImportedKey | null
  was?: PreviousName
}>
export type ItemPatch = Readonly<{
  type: "patched item"
  id: number
  author?: string | undefined
  wasAuthor?: PreviousName
  isHidden?: boolean | undefined
  downloadUrl?: string | null | undefined
  fields: PatchFields
}>
export type PurchasePatch = Readonly<{
  type: "patched purchase"
  code: string
  itemId?: number | undefined
  isRevoked?: boolean | undefined
  buyer?: string | null | undefined
  validUntil?: Timestamp | null | undefined
  siteLimit?: number | null | undefined
  fields: PatchFields
}>

export const unknownAccount = (username: string, field = "username") =>
  problem(field, "unknown_account", { username })

export const unknownItem = (id: number, field = "item_id") =>
  problem(field, "unknown_item", { id: `${id}` })

/**
 * Null: accepted. `outdated`: the stored state is newer. `repeated`: an earlier row of the pull has the identity.
 * `deferred`: not decided before the end of the run.
 */
export type Verdict = Problem | "outdated" | "pending" | "repeated" | "deferred" | null

/** A record without it counts as of now and replaces any state. */
export type AsOf = Readonly<{
  ms: number
  /** A push replaces any state: the clocks of nodes may differ, and the later push must win. */
  isArrival: boolean
  /** How far the source's timestamp is ahead of this clock; absent if it is not. */
  aheadMs?: number
  /** The timestamp of a pull or full sync, which no other run has: a stored state with it is from an earlier row. */
  isOfRun?: boolean
}>

/** A timestamp later than now counts as now, so that no record waits for a clock. */
export function asOfAt(ms: number, nowMs: number): AsOf {
  if (ms <= nowMs) return { ms, isArrival: false }
  return { ms: nowMs, isArrival: false, aheadMs: ms - nowMs }
}

export type Ahead = Readonly<{ records: number; ms: number }>

/** 0 is older than everything: the row was written before the column existed. */
export type Dated = Readonly<{ asOf: number }>

/** Stored timestamps further ahead are from a wrong clock. Clocks of nodes differ by less, and a pull rereads more. */
export const aheadMsMax = 60_000
const isAhead = ({ asOf }: Dated, nowMs: number) => asOf > nowMs + aheadMsMax

/** If timestamps are equal, the later record wins. A stored timestamp that is ahead outdates nothing. */
export const isOutdated = (
  stored: Dated | null,
  incoming: AsOf | undefined,
  nowMs: number,
): boolean =>
  stored !== null &&
  incoming !== undefined &&
  !incoming.isArrival &&
  Math.min(stored.asOf, nowMs) > incoming.ms &&
  !isAhead(stored, nowMs)

/** Never earlier than the stored timestamp, unless that is ahead; never later than now. */
export function replacementAsOf(
  stored: Dated | null,
  incoming: AsOf | undefined,
  nowMs: number,
): number {
  const before = stored === null || isAhead(stored, nowMs) ? 0 : stored.asOf
  return Math.min(Math.max(before, incoming?.ms ?? nowMs), nowMs)
}

/** A smaller difference is not worth reporting. */
const reportedMsMin = 1_000

export function aheadMsOf(stored: Dated | null, incoming: AsOf | undefined, nowMs: number): number {
  const storedAheadMs = stored !== null && isAhead(stored, nowMs) ? stored.asOf - nowMs : 0
  const ms = Math.max(storedAheadMs, incoming?.aheadMs ?? 0)
  return ms < reportedMsMin ? 0 : ms
}

export type DatedKind = "account" | "item" | "purchase"
export type DatedIdentity = Readonly<{ kind: DatedKind; identity: string }>

/** A deleted record, so that an older feed does not restore it. */
export type Tombstone = Dated &
  DatedIdentity &
  Readonly<{
    /** The operator override applies again if the record returns. */
    isByOperator: boolean
  }>

export const tombstoneName = (kind: DatedKind, identity: string | number) => `${kind} ${identity}`

/** After this time an older feed can restore a deleted record. */
export const tombstoneMs = 30 * daySeconds * 1000

/** A record is stored or pending, never both. It is stored in the transaction that inserts what it needs. */

export type PendingKind = "item" | "purchase"

export type PendingContent =
  | Readonly<{ kind: "item"; record: ItemRecord }>
  | Readonly<{ kind: "purchase"; record: PurchaseRecord }>

export type PendingRecord = Dated & PendingContent & Readonly<{ sinceMs: number }>
export type Need = Readonly<{ kind: PendingKind; needs: string }>

export type PendingRow = Dated &
  Need &
  Readonly<{ identity: string; record: string; sinceMs: number }>

export const pendingRecordsMax = 1_000_000

/** Pending records per transaction. */
export const releasedRecords = 1_000

export function toPendingRow(pending: PendingRecord): PendingRow {
  const needs = pending.kind === "item" ? pending.record.author : `${pending.record.itemId}`
  return {
    ...pending,
    identity: identityOf(pending),
    needs,
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

export type Needed = Readonly<{ type: "account" | "item"; identity: string; records: number }>
export type PendingGroup = Needed & Readonly<{ sinceMs: number }>

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
