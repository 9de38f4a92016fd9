import { type PurchaseRecord, type PurchaseText, purchaseFieldsOf } from "../catalog/purchase.ts"
import type { EventType } from "../events/event.ts"
import { type Allowance, isWithin, showAllowance } from "../values/allowance.ts"
import { type Message, message } from "../values/problems/problem.ts"
import type { Timestamp } from "../values/time/timestamp.ts"
import type { Changes, DatedPurchase, Decision, ExistingRecords } from "./batch.ts"
import {
  type Ahead,
  type DatedKind,
  datedIdentityOf,
  type FeedRecord,
  identityOf,
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

export type MassCounts = Pick<Tally, "removed" | "revoked">

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

export type PurchaseChange = PurchaseText &
  Readonly<{
    type: Extract<EventType, `purchase.${string}`>
    itemId: number
    /** If present, only endpoints older than the sale receive the event. */
    soldAt?: Timestamp
    /** The item may be deleted in the same batch. */
    isRemoved: boolean
  }>

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

/** 20 records are ordinary even for a small marketplace. */
const ordinary: Allowance = { percent: 1, atLeast: 20 }

export const standardLimits: MassLimits = {
  deletesMax: ordinary,
  revokesMax: ordinary,
  options: { deletes: "--max-deletes", revokes: "--max-revokes" },
}

/** The batch was not written. The problem contains the counts and the option that allows them. */
export class TooManyChanges extends Error {
  override name = "TooManyChanges"
  readonly problem: Message

  constructor(problem: Message) {
    super(problem.code)
    this.problem = problem
  }
}

export type MassGuardOptions = Readonly<{
  limits?: MassLimits | undefined
  /** Changes of the source's last run, if it was stopped. Without them, repeated pulls would bypass the limit. */
  before?: MassCounts | undefined
}>

export function findExcess(
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
export function excessOf(
  allowed: Allowance,
  counts: KindCounts,
  totals: KindCounts,
): Message["params"] | null {
  const type = kinds.find(
    (kind) => totals[kind] > 0 && !isWithin(allowed, counts[kind], totals[kind]),
  )
  if (type === undefined) return null
  const atLeast = "atLeast" in allowed ? allowed.atLeast : undefined
  return {
    type,
    records: counts[type],
    total: totals[type],
    allowed: showAllowance(allowed),
    ...(atLeast !== undefined && { atLeast }),
  }
}

/** Stops a run before the batch that exceeds its limit. `countAtStart` counts the records when the run began. */
export function openMassGuard(
  { limits = standardLimits, before = noTally }: MassGuardOptions,
  countAtStart: () => Promise<KindCounts>,
) {
  let committed = noTally
  let totals: KindCounts | null = null

  /** A run without deletions and revocations may continue, whatever the one before it did. */
  function findProblem(changes: MassCounts): Message | null {
    const removed = addCounts(committed.removed, changes.removed)
    const revoked = committed.revoked + changes.revoked
    const counts = {
      removed: sumOf(removed) === 0 ? removed : addCounts(before.removed, removed),
      revoked: revoked === 0 ? revoked : before.revoked + revoked,
    }
    return findExcess(limits, counts, totals ?? fewest)
  }
  return {
    /** Called before a batch is written. Records are counted only if the batch could exceed a limit. */
    async prepare(records: readonly FeedRecord[]): Promise<void> {
      if (totals !== null || findProblem(mostChangesOf(records)) === null) return
      totals = await countAtStart()
    },
    /** Called before changes are written, with all changes of the transaction. Throws TooManyChanges. */
    check(tally: Tally): void {
      const problem = findProblem(tally)
      if (problem !== null) throw new TooManyChanges(problem)
    },
    /** Called after the commit. */
    keep(tally: Tally): void {
      committed = addTally(committed, tally)
    },
    kept: () => committed,
    /** Includes `before`. */
    counted: (): MassCounts => ({
      removed: addCounts(before.removed, committed.removed),
      revoked: before.revoked + committed.revoked,
    }),
  }
}

/** If even these totals are not exceeded, the records need not be counted. */
const fewest: KindCounts = { account: 1, item: 1, purchase: 1 }

/** The most that the records can delete and revoke, whatever is stored. */
function mostChangesOf(records: readonly FeedRecord[]): MassCounts {
  const removed = { ...noRecords }
  let revoked = 0
  for (const record of records) {
    if (record.type.startsWith("deleted ")) removed[datedIdentityOf(record).kind] += 1
    else if (record.type === "purchase") revoked += isRevoked(record.purchase) ? 1 : 0
    else if (record.type === "patched purchase") revoked += isRevoked(record) ? 1 : 0
  }
  return { removed, revoked }
}
