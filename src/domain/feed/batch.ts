/** A store reads what a batch mentions (`ExistingRecords`), the rules change it, and the store writes the changes. */
import type { AccountRecord } from "../catalog/account.ts"
import type { ItemRecord } from "../catalog/item.ts"
import type { PurchaseRecord } from "../catalog/purchase.ts"
import type { Timestamp } from "../values/time/timestamp.ts"
import {
  type Ahead,
  type AsOf,
  type Dated,
  type DatedKind,
  type Tombstone,
  tombstoneName,
} from "./as-of.ts"
import type { FeedRecord, ImportedKey, Verdict } from "./feed-record.ts"
import type { Need, PendingRecord } from "./pending-record.ts"
import {
  type Changed,
  createApplyIfNewer,
  createPendingStates,
  createStates,
} from "./record-states.ts"

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
  /** For the identities in `absentOf`, by `tombstoneName`. */
  tombstones: ReadonlyMap<string, Tombstone>
  /** For absent items and purchases that the batch mentions, by `tombstoneName`. */
  pending: ReadonlyMap<string, PendingRecord>
  hasPending: boolean
  /** When the oldest enabled endpoint was created; null if there is none. */
  oldestEndpointAt: Timestamp | null
  /** Keys with one of the look-up values, and all keys of renamed accounts. */
  keys: readonly ImportedKey[]
  /** Accounts to delete that have items outside the batch. */
  accountsInUse: ReadonlySet<string>
  /** Items to delete that have purchases outside the batch. */
  itemsInUse: ReadonlySet<number>
}>

/** `to` is null for a deleted account. */
export type NameChange = Readonly<{ from: string; to: string | null }>

export type Changes = Readonly<{
  accounts: Changed<DecidedAccount>
  items: Changed<DatedItem>
  purchases: Changed<DatedPurchase>
  tombstones: Changed<Tombstone>
  pending: Changed<PendingRecord>
  /** Removed keys are deleted with their account. */
  keys: Changed<ImportedKey>
  /** Accounts in `updated` with another name in the store. */
  renamedAccounts: readonly DecidedAccount[]
  /** Every rename and deletion of an account, in order. */
  nameChanges: readonly NameChange[]
  /** Items in `updated` with another author in the store. */
  movedItems: readonly DatedItem[]
  changedLists: ReadonlySet<string>
}>

export type Decision = Readonly<{ verdicts: readonly Verdict[]; changes: Changes; ahead: Ahead }>

export type Batch = ReturnType<typeof createBatch>

/** `nowMs` is the timestamp of records without one, `pendingRoom` how many more records may become pending. */
export function createBatch(found: ExistingRecords, nowMs: number, pendingRoom: number) {
  const accounts = createStates<string, DecidedAccount>(found.accounts)
  const items = createStates<number, DatedItem>(found.items)
  const purchases = createStates<string, DatedPurchase>(found.purchases)
  const tombstones = createStates<string, Tombstone>(found.tombstones)
  const pending = createPendingStates(found.pending, pendingRoom, nowMs)
  const ahead = { records: 0, ms: 0 }
  function onAhead(ms: number): void {
    ahead.records += 1
    ahead.ms = Math.max(ahead.ms, ms)
  }
  const dated = { tombstones, pending, onAhead }
  return {
    found,
    nowMs,
    accounts,
    items,
    purchases,
    tombstones,
    pending,
    ahead,
    keys: createStates(new Map(found.keys.map((key) => [key.id, key]))),
    keyIds: new Map(found.keys.map(({ lookup, id }) => [hex(lookup), id])),
    accountsInUse: new Set(found.accountsInUse),
    changedLists: new Set<string>(),
    nameChanges: [] as NameChange[],
    movedItems: new Set<number>(),
    /** Applies a record unless its stored state is newer. */
    ifNewer: {
      account: createApplyIfNewer("account", { ...dated, states: accounts }, nowMs),
      item: createApplyIfNewer("item", { ...dated, states: items }, nowMs),
      purchase: createApplyIfNewer("purchase", { ...dated, states: purchases }, nowMs),
    },
  }
}

export const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

export function changesOf(batch: Batch): Changes {
  const [accounts, items] = [batch.accounts.changes(), batch.items.changes()]
  return {
    accounts,
    items,
    purchases: batch.purchases.changes(),
    tombstones: batch.tombstones.changes(),
    pending: batch.pending.changes(),
    keys: batch.keys.changes(),
    renamedAccounts: accounts.updated.filter(
      ({ id, username }) => batch.found.accounts.get(username)?.id !== id,
    ),
    nameChanges: batch.nameChanges,
    movedItems: items.updated.filter(({ id }) => batch.movedItems.has(id)),
    changedLists: batch.changedLists,
  }
}

/** Whether an earlier row of the same pull had this code. Stored timestamps tell, so memory does not grow. */
export function isRepeated(batch: Batch, code: string, given: AsOf | undefined): boolean {
  if (given?.isOfRun !== true) return false
  const { purchases, pending, tombstones } = batch
  const known =
    purchases.find(code) ??
    pending.find("purchase", code) ??
    (tombstones.isEmpty() ? null : tombstones.find(tombstoneName("purchase", code)))
  return known?.asOf === given.ms
}

/** Whether an operator had suspended or refunded a record that was deleted since. */
export const wasByOperator = ({ tombstones }: Batch, kind: DatedKind, identity: string) =>
  !tombstones.isEmpty() && tombstones.find(tombstoneName(kind, identity))?.byOperator === true

/** Records with an operator override whose value in the feed changed. */
export type OverriddenChanges = Readonly<{
  accounts: readonly DecidedAccount[]
  purchases: readonly DatedPurchase[]
}>

export const listOverriddenChanges = (
  found: ExistingRecords,
  { accounts, purchases }: Changes,
): OverriddenChanges => ({
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
export const arrivalsOf = ({ accounts, items, nameChanges }: Changes): readonly Need[] => [
  ...accounts.inserted.map(({ username }): Need => ({ kind: "item", needs: username })),
  ...nameChanges.flatMap(({ to }): Need[] => (to === null ? [] : [{ kind: "item", needs: to }])),
  ...items.inserted.map(({ id }): Need => ({ kind: "purchase", needs: `${id}` })),
]

export function recordOf(pending: PendingRecord): FeedRecord {
  const asOf = { ms: pending.asOf, isArrival: false }
  return pending.kind === "item"
    ? { type: "item", item: pending.record, asOf }
    : { type: "purchase", purchase: pending.record, asOf }
}
