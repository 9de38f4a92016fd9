/** A store reads what a batch mentions (`ExistingRecords`), the rules change it, and the store writes the changes. */

import type { AccountRecord } from "../accounts/account.ts"
import type { ItemRecord } from "../items/item.ts"
import type { ImportedKey } from "../keys/key.ts"
import { type Message, message } from "../platform/problem.ts"
import type { Timestamp } from "../platform/time.ts"
import {
  type PurchaseChange,
  type PurchaseRecord,
  purchaseFieldsOf,
} from "../purchases/purchase.ts"
import { type Allowance, isUnlimited, isWithin, showAllowance } from "./allowance.ts"
import {
  type Ahead,
  type Dated,
  type DatedIdentity,
  type DatedKind,
  type FeedRecord,
  identifyPending,
  identifyRecord,
  isOutdated,
  type Need,
  type PendingRecord,
  type Tombstone,
  tombstoneName,
  type Verdict,
} from "./feed-record.ts"

/** `id` is null for an account that this batch creates. */
export type DecidedAccount = AccountRecord &
  Dated &
  Readonly<{ id: number | null; isSuspendedByOperator: boolean }>
export type FoundAccount = DecidedAccount & Readonly<{ id: number }>
export type DatedItem = ItemRecord & Dated
export type DatedPurchase = PurchaseRecord & Dated

/** The stored state of everything that a batch mentions. Bodies that are not compared may be empty. */
export type ExistingRecords = Readonly<{
  accounts: ReadonlyMap<string, FoundAccount>
  items: ReadonlyMap<number, DatedItem>
  purchases: ReadonlyMap<string, DatedPurchase>
  /** For absent records that the batch contains, by `tombstoneName`. */
  tombstones: ReadonlyMap<string, Tombstone>
  /** For absent items and purchases that the batch mentions, by `tombstoneName`. */
  pending: ReadonlyMap<string, PendingRecord>
  hasPending: boolean
  /** When the oldest enabled endpoint was created; null if there is none. */
  oldestEndpointAt: Timestamp | null
  /** The usernames of stored keys by look-up value in hexadecimal. */
  keyOwners: ReadonlyMap<string, string>
  /** Accounts to delete that have items outside the batch, or live keys for items that have moved from them. */
  accountsInUse: ReadonlySet<string>
  /** Items to delete that have purchases outside the batch. */
  itemsInUse: ReadonlySet<number>
}>

/** `from` is the author before the first move of the batch. */
export type MovedItem = DatedItem & Readonly<{ from: string }>

export type Changes = Readonly<{
  accounts: Changed<DecidedAccount>
  items: Changed<DatedItem>
  purchases: Changed<DatedPurchase>
  tombstones: Changed<Tombstone>
  pending: Changed<PendingRecord>
  newKeys: readonly Readonly<{ username: string; key: ImportedKey }>[]
  /** Accounts in `updated` with another name in the store. */
  renamedAccounts: readonly DecidedAccount[]
  /** Every rename and deletion of an account, in order. `to` is null for a deleted account. */
  nameChanges: readonly Readonly<{ from: string; to: string | null }>[]
  /** Items in `updated` with another author in the store. */
  movedItems: readonly MovedItem[]
  changedLists: ReadonlySet<string>
}>

export type Decision = Readonly<{ verdicts: readonly Verdict[]; changes: Changes; ahead: Ahead }>

export const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

/** Records with an operator override whose value in the feed changed. */
export const listOverriddenChanges = (
  found: ExistingRecords,
  { accounts, purchases }: Changes,
) => ({
  accounts: accounts.updated.filter((account) => {
    if (!account.isSuspendedByOperator) return false
    // The account may have been renamed.
    const known = found.accounts.values().find(({ id }) => id === account.id)
    return known?.isSuspendedByOperator && known.isSuspended !== account.isSuspended
  }),
  purchases: purchases.updated.filter(({ code, isRevoked, isRevokedByOperator }) => {
    const known = isRevokedByOperator ? found.purchases.get(code) : null
    return known?.isRevokedByOperator && known.isRevoked !== isRevoked
  }),
})

/** The accounts and items that the changes insert: pending records may need them. */
export const listArrivals = ({ accounts, items, nameChanges }: Changes): readonly Need[] => [
  ...accounts.inserted.map(({ username }): Need => ({ kind: "item", needs: username })),
  ...nameChanges.flatMap(({ to }): Need[] => (to === null ? [] : [{ kind: "item", needs: to }])),
  ...items.inserted.map(({ id }): Need => ({ kind: "purchase", needs: `${id}` })),
]

/** Final states. A store deletes first, then inserts and updates: an identity can be in both. */
export type Changed<State> = Readonly<{
  removed: State[]
  inserted: State[]
  updated: State[]
  /** Only the timestamp changes. */
  touched: State[]
}>

export type KindCounts = Readonly<Record<DatedKind, number>>

export type Tally = Readonly<{
  /** Includes pending records. */
  added: KindCounts
  removed: KindCounts
  revoked: number
  restored: number
  ahead: Ahead
}>

export const noRecords: KindCounts = { account: 0, item: 0, purchase: 0 }
export const noTally: Tally = {
  added: noRecords,
  removed: noRecords,
  revoked: 0,
  restored: 0,
  ahead: { records: 0, ms: 0 },
}

export const addCounts = (one: KindCounts, other: KindCounts, sign: 1 | -1 = 1): KindCounts => ({
  account: one.account + sign * other.account,
  item: one.item + sign * other.item,
  purchase: one.purchase + sign * other.purchase,
})

export const addTally = (one: Tally, other: Tally): Tally => ({
  added: addCounts(one.added, other.added),
  removed: addCounts(one.removed, other.removed),
  revoked: one.revoked + other.revoked,
  restored: one.restored + other.restored,
  ahead: {
    records: one.ahead.records + other.ahead.records,
    ms: Math.max(one.ahead.ms, other.ahead.ms),
  },
})

const isRevoked = ({ isRevoked, isRevokedByOperator }: PurchaseRecord) =>
  isRevoked || isRevokedByOperator === true

export function countChanges(
  { purchases: before }: Pick<ExistingRecords, "purchases">,
  { changes, ahead }: Pick<Decision, "changes" | "ahead">,
): Tally {
  const removed = listIdentities(changes, "removed")
  const inserted = listIdentities(changes, "inserted")
  const { purchases } = changes
  let [revoked, restored] = [0, 0]
  for (const purchase of [...purchases.inserted, ...purchases.updated]) {
    const known = before.get(purchase.code)
    if (known === undefined || isRevoked(known) === isRevoked(purchase)) continue
    if (isRevoked(purchase)) revoked += 1
    else restored += 1
  }
  return {
    added: countWithout(inserted, removed),
    removed: countWithout(removed, inserted),
    revoked,
    restored,
    ahead,
  }
}

const listIdentities = (
  { accounts, items, purchases, pending }: Changes,
  change: "removed" | "inserted",
): readonly DatedIdentity[] => [
  ...accounts[change].map(({ username }) => ({ kind: "account" as const, identity: username })),
  ...items[change].map(({ id }) => ({ kind: "item" as const, identity: `${id}` })),
  ...purchases[change].map(({ code }) => ({ kind: "purchase" as const, identity: code })),
  ...pending[change].map((each) => ({ kind: each.kind, identity: identifyPending(each) })),
]

/** A record that is removed and inserted in one batch, or moves from pending to stored, is in both lists. */
function countWithout(
  listed: readonly DatedIdentity[],
  others: readonly DatedIdentity[],
): KindCounts {
  const counts = { ...noRecords }
  const left = new Set(others.map(({ kind, identity }) => tombstoneName(kind, identity)))
  for (const { kind, identity } of listed)
    if (left.size === 0 || !left.has(tombstoneName(kind, identity))) counts[kind] += 1
  return counts
}

/** Omits sales before `since`, when the first endpoint was created. */
export function listPurchaseChanges(
  found: Pick<ExistingRecords, "purchases">,
  { purchases: { removed, inserted, updated } }: Pick<Changes, "purchases">,
  since: Timestamp,
): readonly PurchaseChange[] {
  const events: PurchaseChange[] = []
  function add(type: PurchaseChange["type"], purchase: DatedPurchase, isRemoved = false): void {
    const { beforeItem, afterItem, itemId } = purchase
    const event = { type, beforeItem, afterItem, itemId, isRemoved }
    if (found.purchases.has(purchase.code) && type !== "purchase.changed") {
      events.push(event)
      return
    }
    const { date: soldAt } = purchaseFieldsOf(purchase)
    if (soldAt >= since) events.push({ ...event, soldAt })
  }
  const present = new Set<string>()
  for (const purchase of [...inserted, ...updated]) {
    const { code } = purchase
    present.add(code)
    const known = found.purchases.get(code)
    const was = known === undefined ? null : isRevoked(known)
    if (was === null) add(isRevoked(purchase) ? "purchase.revoked" : "purchase.created", purchase)
    else if (was !== isRevoked(purchase)) {
      add(was ? "purchase.restored" : "purchase.revoked", purchase)
    } else if (!was && known !== undefined && !isSameSale(known, purchase)) {
      add("purchase.changed", purchase)
    }
  }
  for (const purchase of removed) {
    if (!present.has(purchase.code) && !isRevoked(purchase)) add("purchase.revoked", purchase, true)
  }
  return events
}

export const isSameSale = (one: PurchaseRecord, other: PurchaseRecord) =>
  one.itemId === other.itemId &&
  (one.validUntil ?? null) === (other.validUntil ?? null) &&
  one.beforeItem === other.beforeItem &&
  one.afterItem === other.afterItem

export type MassLimits = Readonly<{
  deletesMax: Allowance
  revokesMax: Allowance
  options: Readonly<{ deletes: string; revokes: string }>
}>

/** 20 records are ordinary even for a small marketplace, more than 100 not even for a large one. */
const ordinary: Allowance = { percent: 1, atLeast: 20, atMost: 100 }

export const standardLimits: MassLimits = {
  deletesMax: ordinary,
  revokesMax: ordinary,
  options: { deletes: "--max-deletes", revokes: "--max-revokes" },
}

export type MassGuardOptions = Readonly<{ limits?: MassLimits | undefined }>

function findExcess(
  { deletesMax, revokesMax, options }: MassLimits,
  { removed, revoked }: Split["counts"],
  totals: KindCounts,
): Message | null {
  const deletions = compareCounts(deletesMax, removed, totals)
  if (deletions !== null)
    return message("too_many_deletes", { ...deletions, option: options.deletes })
  const revocations = compareCounts(revokesMax, { ...noRecords, purchase: revoked }, totals)
  if (revocations === null) return null
  return message("too_many_revokes", { ...revocations, option: options.revokes })
}

/** The first type beyond the limit. If a type had no records, a run can delete only what it inserted itself. */
function compareCounts(
  allowed: Allowance,
  counts: KindCounts,
  totals: KindCounts,
): Message["params"] | null {
  const kinds = ["account", "item", "purchase"] as const
  const type = kinds.find(
    (kind) => totals[kind] > 0 && !isWithin(allowed, counts[kind], totals[kind]),
  )
  if (type === undefined) return null
  const { atLeast, atMost } = "percent" in allowed ? allowed : {}
  return {
    type,
    records: counts[type],
    total: totals[type],
    allowed: showAllowance(allowed),
    ...(atLeast !== undefined && { atLeast }),
    ...(atMost !== undefined && { atMost }),
  }
}

type Deferral = Readonly<{ deletes: boolean; revokes: boolean }>

/** One batch: which records wait for the end of the run, and what they add to the counts. */
type Split = Readonly<{
  isDeferred: readonly boolean[]
  deferrals: ReadonlyMap<string, Deferral>
  counts: Pick<Tally, "removed" | "revoked">
}>

/**
 * Defers deletions and revocations until all of a run are counted, and later records of the same identity with them.
 * `countAtStart` counts the records when the run began.
 */
export function openMassGuard(
  { limits = standardLimits }: MassGuardOptions,
  countAtStart: () => Promise<KindCounts>,
) {
  const deferrals = new Map<string, Deferral>()
  let counts: Split["counts"] = { removed: noRecords, revoked: 0 }
  let totals: KindCounts | null = null
  let excess: Message | null = null

  return {
    split: (records: readonly FeedRecord[], found: ExistingRecords, nowMs: number): Split =>
      splitBatch(records, found, nowMs, { limits, before: deferrals }),
    keep(split: Split): void {
      const { removed, revoked } = split.counts
      counts = {
        removed: addCounts(counts.removed, removed),
        revoked: counts.revoked + revoked,
      }
      // The deferred records of a stopped run are only counted, to limit memory.
      if (excess === null) for (const [name, each] of split.deferrals) deferrals.set(name, each)
    },
    /** Why the deferred records must not be written, or null. Counts the stored records only if it could matter. */
    async findExcess(): Promise<Message | null> {
      const fewest = { account: 1, item: 1, purchase: 1 }
      if (totals === null && findExcess(limits, counts, fewest) === null) return null
      totals ??= await countAtStart()
      excess = findExcess(limits, counts, totals)
      return excess
    },
    /** Why these records, which a full sync does not contain, must not be deleted, or null. */
    async findMissingExcess(missing: KindCounts): Promise<Message | null> {
      totals ??= await countAtStart()
      const deletions = addCounts(missing, counts.removed)
      const found = compareCounts(limits.deletesMax, deletions, totals)
      const needed = Math.max(...Object.values(deletions))
      const { deletes: option } = limits.options
      return found && message("too_many_missing", { ...found, option, needed })
    },
  }
}

export function isRevoking(record: FeedRecord): boolean {
  if (record.type === "purchase") return isRevoked(record.purchase)
  return record.type === "patched purchase" && record.isRevoked === true
}

function findDeleted(record: FeedRecord, found: ExistingRecords): Dated | null {
  if (!record.type.startsWith("deleted ")) return null
  const { kind, identity } = identifyRecord(record)
  const pending = found.pending.get(tombstoneName(kind, identity))
  if (kind === "account") return found.accounts.get(identity) ?? null
  const stored = kind === "item" ? found.items.get(Number(identity)) : found.purchases.get(identity)
  return stored ?? pending ?? null
}

function splitBatch(
  records: readonly FeedRecord[],
  found: ExistingRecords,
  nowMs: number,
  { limits, before }: Readonly<{ limits: MassLimits; before: Split["deferrals"] }>,
): Split {
  const { deletesMax, revokesMax } = limits
  const deferrals = new Map<string, Deferral>()
  const removed = { ...noRecords }
  let revoked = 0

  function isDeferred(record: FeedRecord): boolean {
    if (record.type === "mentioned") return false
    const { kind, identity } = identifyRecord(record)
    const name = tombstoneName(kind, identity)
    const isCurrent = (stored: Dated) => !isOutdated(stored, record.asOf, nowMs)
    const deleted = isUnlimited(deletesMax) ? null : findDeleted(record, found)
    const deletes = deleted !== null && isCurrent(deleted)
    const sold = kind === "purchase" ? found.purchases.get(identity) : undefined
    const isSold = sold !== undefined && isCurrent(sold)
    const revokes = isSold && isRevoking(record) && !isRevoked(sold) && !isUnlimited(revokesMax)
    // A later row may revoke the purchase, which then stays as it is. An earlier one has already dated it.
    const isFirst = sold?.asOf !== record.asOf?.ms
    const isValid = record.type === "purchase" && !isRevoked(record.purchase)
    const isOfRun = record.asOf?.isOfRun === true
    const restores = isSold && isValid && isOfRun && isRevoked(sold) && isFirst
    const known = deferrals.get(name) ?? before.get(name)
    if (known === undefined && !deletes && !revokes && !restores) return false
    if (deletes && known?.deletes !== true) removed[kind] += 1
    if (revokes && known?.revokes !== true) revoked += 1
    deferrals.set(name, {
      deletes: deletes || known?.deletes === true,
      revokes: revokes || known?.revokes === true,
    })
    return true
  }
  return { isDeferred: records.map(isDeferred), deferrals, counts: { removed, revoked } }
}
