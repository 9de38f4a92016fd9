import { type Message, message } from "../platform/problem.ts"
import type { Timestamp } from "../platform/time.ts"
import {
  type PurchaseChange,
  type PurchaseRecord,
  purchaseFieldsOf,
} from "../purchases/purchase.ts"
import { type Allowance, isUnlimited, isWithin, showAllowance } from "./allowance.ts"
import type { Changes, DatedPurchase, Decision, ExistingRecords } from "./batch.ts"
import {
  type Ahead,
  type Dated,
  type DatedKind,
  datedIdentityOf,
  type FeedRecord,
  identityOf,
  isOutdated,
  tombstoneName,
} from "./feed-record.ts"

export type KindCounts = Readonly<Record<DatedKind, number>>

export type Tally = Readonly<{
  /** Includes pending records. */
  added: KindCounts
  removed: KindCounts
  revoked: number
  restored: number
  ahead: Ahead
}>

type MassCounts = Pick<Tally, "removed" | "revoked">

export const noRecords: KindCounts = { account: 0, item: 0, purchase: 0 }
export const noTally: Tally = {
  added: noRecords,
  removed: noRecords,
  revoked: 0,
  restored: 0,
  ahead: { records: 0, ms: 0 },
}

export const sumOf = ({ account, item, purchase }: KindCounts) => account + item + purchase

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

export const countBefore = (now: KindCounts, { added, removed }: Tally): KindCounts =>
  addCounts(addCounts(now, added, -1), removed)

/** Revoked by the feed or by an operator. */
export const isRevoked = (
  purchase: Readonly<{
    isRevoked?: boolean | undefined
    isRevokedByOperator?: boolean | undefined
  }>,
) => purchase.isRevoked === true || purchase.isRevokedByOperator === true

export function countChanges(
  { purchases: before }: Pick<ExistingRecords, "purchases">,
  { changes, ahead }: Pick<Decision, "changes" | "ahead">,
): Tally {
  const removed = listIdentities(changes, "removed")
  const inserted = listIdentities(changes, "inserted")
  const { purchases } = changes
  return {
    added: countWithout(inserted, removed),
    removed: countWithout(removed, inserted),
    ...countRevocations(before, [...purchases.inserted, ...purchases.updated]),
    ahead,
  }
}

type Identities = Readonly<Record<DatedKind, readonly string[]>>

function listIdentities(
  { accounts, items, purchases, pending }: Changes,
  change: "removed" | "inserted",
): Identities {
  const listPending = (kind: DatedKind) =>
    pending[change].filter((each) => each.kind === kind).map(identityOf)
  return {
    account: accounts[change].map(({ username }) => username),
    item: [...items[change].map(({ id }) => `${id}`), ...listPending("item")],
    purchase: [...purchases[change].map(({ code }) => code), ...listPending("purchase")],
  }
}

/** A record that is removed and inserted in one batch, or moves from pending to stored, is in both lists. */
function countWithout(listed: Identities, others: Identities): KindCounts {
  const count = (kind: DatedKind) => {
    if (others[kind].length === 0) return listed[kind].length
    const left = new Set(others[kind])
    return listed[kind].filter((identity) => !left.has(identity)).length
  }
  return { account: count("account"), item: count("item"), purchase: count("purchase") }
}

function countRevocations(before: ExistingRecords["purchases"], after: readonly DatedPurchase[]) {
  let [revoked, restored] = [0, 0]
  for (const purchase of after) {
    const known = before.get(purchase.code)
    if (known === undefined || isRevoked(known) === isRevoked(purchase)) continue
    if (isRevoked(purchase)) revoked += 1
    else restored += 1
  }
  return { revoked, restored }
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
  { removed, revoked }: MassCounts,
  totals: KindCounts,
): Message | null {
  const deletions = excessOf(deletesMax, removed, totals)
  if (deletions !== null)
    return message("too_many_deletes", { ...deletions, option: options.deletes })
  const revocations = excessOf(revokesMax, { ...noRecords, purchase: revoked }, totals)
  if (revocations === null) return null
  return message("too_many_revokes", { ...revocations, option: options.revokes })
}

const kinds: readonly DatedKind[] = ["account", "item", "purchase"]

/** The first type beyond the limit. If a type had no records, a run can delete only what it inserted itself. */
function excessOf(
  allowed: Allowance,
  counts: KindCounts,
  totals: KindCounts,
): Message["params"] | null {
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
type Deferrals = ReadonlyMap<string, Deferral>

/** One batch: which records wait for the end of the run, and what they add to the counts. */
type Split = Readonly<{
  isDeferred: readonly boolean[]
  deferrals: Deferrals
  counts: MassCounts
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
  let counts: MassCounts = { removed: noRecords, revoked: 0 }
  let totals: KindCounts | null = null
  let excess: Message | null = null

  return {
    split: (records: readonly FeedRecord[], found: ExistingRecords, nowMs: number): Split =>
      splitBatch(records, found, nowMs, limits, deferrals),
    /** Called after the commit. */
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
      if (totals === null && findExcess(limits, counts, fewest) === null) return null
      totals ??= await countAtStart()
      excess = findExcess(limits, counts, totals)
      return excess
    },
    /** Why these records, which a full sync does not contain, must not be deleted, or null. */
    async findMissingExcess(missing: KindCounts): Promise<Message | null> {
      totals ??= await countAtStart()
      const deletions = addCounts(missing, counts.removed)
      const found = excessOf(limits.deletesMax, deletions, totals)
      const needed = Math.max(...Object.values(deletions))
      const { deletes: option } = limits.options
      return found && message("too_many_missing", { ...found, option, needed })
    },
  }
}

/** If even these totals are not exceeded, the records need not be counted. */
const fewest: KindCounts = { account: 1, item: 1, purchase: 1 }

export function isRevoking(record: FeedRecord): boolean {
  if (record.type === "purchase") return isRevoked(record.purchase)
  return record.type === "patched purchase" && isRevoked(record)
}

function findDeleted(record: FeedRecord, found: ExistingRecords): Dated | null {
  if (!record.type.startsWith("deleted ")) return null
  const { kind, identity } = datedIdentityOf(record)
  const pending = found.pending.get(tombstoneName(kind, identity))
  if (kind === "account") return found.accounts.get(identity) ?? null
  const stored = kind === "item" ? found.items.get(Number(identity)) : found.purchases.get(identity)
  return stored ?? pending ?? null
}

function splitBatch(
  records: readonly FeedRecord[],
  found: ExistingRecords,
  nowMs: number,
  { deletesMax, revokesMax }: MassLimits,
  before: Deferrals,
): Split {
  const deferrals = new Map<string, Deferral>()
  const removed = { ...noRecords }
  let revoked = 0

  function isDeferred(record: FeedRecord): boolean {
    if (record.type === "mentioned") return false
    const { kind, identity } = datedIdentityOf(record)
    const name = tombstoneName(kind, identity)
    const isCurrent = (stored: Dated) => !isOutdated(stored, record.asOf, nowMs)
    const deleted = isUnlimited(deletesMax) ? null : findDeleted(record, found)
    const deletes = deleted !== null && isCurrent(deleted)
    const sold = kind === "purchase" ? found.purchases.get(identity) : undefined
    const isSold = sold !== undefined && isCurrent(sold)
    const revokes = isSold && isRevoking(record) && !isRevoked(sold) && !isUnlimited(revokesMax)
    // A later row may revoke the purchase, which then stays as it is. An earlier one has already dated it.
    const isFirst = sold?.asOf !== record.asOf?.ms
    const restores = isSold && isRestoredByRun(record) && isRevoked(sold) && isFirst
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

const isRestoredByRun = (record: FeedRecord) =>
  record.type === "purchase" && record.asOf?.isOfRun === true && !isRevoking(record)
