/** A store reads what a batch mentions (`ExistingRecords`), the rules change it, and the store writes the changes. */
import type { AccountRecord } from "../accounts/account.ts"
import type { ItemRecord } from "../items/item.ts"
import type { ImportedKey } from "../keys/key.ts"
import { problem } from "../platform/problem.ts"
import type { Timestamp } from "../platform/time.ts"
import type { PurchaseRecord } from "../purchases/purchase.ts"
import {
  type Ahead,
  type AsOf,
  aheadMsOf,
  type Dated,
  type DatedKind,
  datedIdentityOf,
  type FeedRecord,
  identityOf,
  isOutdated,
  type Need,
  type PendingContent,
  type PendingKind,
  type PendingRecord,
  pendingNameOf,
  pendingRecordsMax,
  replacementAsOf,
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
  /** For the identities in `absentOf`, by `tombstoneName`. */
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

/** `to` is null for a deleted account. */
export type NameChange = Readonly<{ from: string; to: string | null }>

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
  /** Every rename and deletion of an account, in order. */
  nameChanges: readonly NameChange[]
  /** Items in `updated` with another author in the store. */
  movedItems: readonly MovedItem[]
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

  /** Applies a record unless its stored state is newer. `change` puts a state with the timestamp it is called with. */
  const createApplyIfNewer =
    <Identity extends string | number, State extends DatedRecord>(
      kind: DatedKind,
      states: States<Identity, State>,
    ) =>
    (
      identity: Identity,
      incoming: AsOf | undefined,
      change: (asOf: number) => Verdict,
    ): Verdict => {
      const kept = states.find(identity)
      const pendingBefore = kept === null ? pending.find(kind, identity) : null
      const isAbsent = kept === null && pendingBefore === null
      const tombstone = isAbsent ? findNamed(tombstones, kind, identity) : null
      const known = kept ?? pendingBefore ?? tombstone
      const aheadMs = aheadMsOf(known, incoming, nowMs)
      if (aheadMs > 0) {
        ahead.records += 1
        ahead.ms = Math.max(ahead.ms, aheadMs)
      }
      if (isOutdated(known, incoming, nowMs)) return "outdated"
      const asOf = replacementAsOf(known, incoming, nowMs)
      const verdict = change(asOf)
      if (verdict !== null && verdict !== "pending") return verdict
      // Without a timestamp, a record that changes nothing writes nothing.
      const isNewer = incoming !== undefined && asOf !== known?.asOf
      const state = states.find(identity)
      const pendingAfter = state === null ? pending.find(kind, identity) : null
      if (state === null && pendingAfter === null) {
        const record = kept ?? (pendingBefore && { ...pendingBefore.record, asOf })
        const isByOperator =
          record === null ? tombstone?.isByOperator === true : isOfOperator(record)
        if (!isAbsent || isNewer) {
          const name = tombstoneName(kind, identity)
          tombstones.put(name, { kind, identity: `${identity}`, asOf, isByOperator })
        }
      } else if (tombstone !== null) {
        tombstones.remove(tombstoneName(kind, identity))
      } else if (state !== null && state === kept && isNewer) {
        states.touch(identity, { ...state, asOf })
      } else if (pendingAfter !== null && pendingAfter === pendingBefore && isNewer) {
        pending.touch(pendingAfter, asOf)
      }
      return verdict
    }
  return {
    found,
    nowMs,
    accounts,
    items,
    purchases,
    tombstones,
    pending,
    ahead,
    keyOwners: new Map(found.keyOwners),
    /** By look-up value. */
    newKeys: new Map<string, ImportedKey>(),
    accountsInUse: new Set(found.accountsInUse),
    changedLists: new Set<string>(),
    nameChanges: [] as NameChange[],
    movedItems: new Map<number, string>(),
    ifNewer: {
      account: createApplyIfNewer("account", accounts),
      item: createApplyIfNewer("item", items),
      purchase: createApplyIfNewer("purchase", purchases),
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
    newKeys: [...batch.newKeys].map(([lookup, key]) => ({
      username: batch.keyOwners.get(lookup) ?? "",
      key,
    })),
    renamedAccounts: accounts.updated.filter(
      ({ id, username }) => batch.found.accounts.get(username)?.id !== id,
    ),
    nameChanges: batch.nameChanges,
    movedItems: items.updated.flatMap((item) => {
      const from = batch.movedItems.get(item.id)
      return from === undefined ? [] : [{ ...item, from }]
    }),
    changedLists: batch.changedLists,
  }
}

/**
 * Whether an earlier row of the same pull or full sync had this identity. Stored timestamps tell, so memory does not
 * grow. A name that another account had before is not an earlier row.
 */
export function isRepeated(batch: Batch, record: FeedRecord): boolean {
  if (record.asOf?.isOfRun !== true) return false
  const { accounts, items, purchases, pending, tombstones } = batch
  const { kind, identity } = datedIdentityOf(record)
  const stored = {
    account: () => accounts.find(identity),
    item: () => items.find(Number(identity)),
    purchase: () => purchases.find(identity) ?? findNamed(tombstones, kind, identity),
  }
  const known = stored[kind]() ?? pending.find(kind, identity)
  return known?.asOf === record.asOf.ms
}

/** Whether an operator had suspended or refunded a record that was deleted since. */
export const wasByOperator = ({ tombstones }: Batch, kind: DatedKind, identity: string) =>
  findNamed(tombstones, kind, identity)?.isByOperator === true

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

/** Final states. A store deletes first, then inserts and updates: an identity can be in both. */
export type Changed<State> = Readonly<{
  removed: State[]
  inserted: State[]
  updated: State[]
  /** Only the timestamp changes. */
  touched: State[]
}>

type States<Identity, State> = ReturnType<typeof createStates<Identity, State>>

function createStates<Identity, State>(found: ReadonlyMap<Identity, State>) {
  let stored = found
  let copy: Map<Identity, State> | null = null
  /** In the order of the first change. */
  const changed = new Map<Identity, State>()
  const touched = new Set<Identity>()
  const removed: State[] = []

  function ownStored(): Map<Identity, State> {
    copy ??= new Map(found)
    stored = copy
    return copy
  }
  function remove(identity: Identity): void {
    changed.delete(identity)
    touched.delete(identity)
    const state = stored.get(identity)
    if (state === undefined) return
    removed.push(state)
    ownStored().delete(identity)
  }
  return {
    find(identity: Identity): State | null {
      return changed.get(identity) ?? stored.get(identity) ?? null
    },
    isEmpty: () => stored.size === 0 && changed.size === 0,
    some(isWanted: (state: State) => boolean): boolean {
      for (const state of changed.values()) if (isWanted(state)) return true
      for (const [id, state] of stored) if (!changed.has(id) && isWanted(state)) return true
      return false
    },
    put(identity: Identity, state: State): void {
      changed.set(identity, state)
      touched.delete(identity)
    },
    touch(identity: Identity, state: State): void {
      if (!changed.has(identity)) touched.add(identity)
      changed.set(identity, state)
    },
    remove,
    /** Changes the identity of a state. That alone is not a change of the state. */
    move(from: Identity, to: Identity, revise: (state: State) => State): void {
      const [change, state] = [changed.get(from), stored.get(from)]
      changed.delete(from)
      if (change !== undefined) changed.set(to, revise(change))
      if (touched.delete(from)) touched.add(to)
      if (state === undefined) return
      const own = ownStored()
      own.delete(from)
      own.set(to, revise(state))
    },
    /** Corrects states that follow from another change and need not be written. */
    revise(revise: (state: State) => State): void {
      for (const [id, state] of changed) changed.set(id, revise(state))
      const own = ownStored()
      for (const [id, state] of own) own.set(id, revise(state))
    },
    changes(): Changed<State> {
      const changes: Changed<State> = { removed, inserted: [], updated: [], touched: [] }
      for (const [identity, state] of changed) {
        if (touched.has(identity)) changes.touched.push(state)
        else if (stored.has(identity)) changes.updated.push(state)
        else changes.inserted.push(state)
      }
      return changes
    },
  }
}

/** Skips building the name: most batches find no pending records and no tombstones. */
const findNamed = <State>(
  states: States<string, State>,
  kind: DatedKind,
  identity: string | number,
): State | null => (states.isEmpty() ? null : states.find(tombstoneName(kind, identity)))

/** `room` is how many more records may become pending. */
function createPendingStates(
  found: ReadonlyMap<string, PendingRecord>,
  room: number,
  nowMs: number,
) {
  const states = createStates<string, PendingRecord>(found)
  let added = 0

  const find = (kind: DatedKind, identity: string | number) => findNamed(states, kind, identity)
  return {
    find,
    findItem(id: number): ItemRecord | null {
      const pending = find("item", id)
      return pending?.kind === "item" ? pending.record : null
    },
    findPurchase(code: string): PurchaseRecord | null {
      const pending = find("purchase", code)
      return pending?.kind === "purchase" ? pending.record : null
    },
    /** `field` names what is missing, for the rejection if no more records may become pending. */
    put(content: PendingContent, asOf: number, field: string): Verdict {
      const name = tombstoneName(content.kind, identityOf(content))
      const kept = states.find(name)
      if (kept === null && ++added > room)
        return problem(field, "too_many_pending", { max: pendingRecordsMax })
      // The clock may have been ahead when the record became pending.
      states.put(name, { ...content, asOf, sinceMs: Math.min(kept?.sinceMs ?? nowMs, nowMs) })
      return "pending"
    },
    touch(pending: PendingRecord, asOf: number): void {
      states.touch(pendingNameOf(pending), { ...pending, asOf })
    },
    remove(kind: PendingKind, identity: string | number): void {
      if (!states.isEmpty()) states.remove(tombstoneName(kind, identity))
    },
    changes: (): Changed<PendingRecord> => states.changes(),
  }
}

type DatedRecord = Dated &
  Readonly<{ isSuspendedByOperator?: boolean; isRevokedByOperator?: boolean | undefined }>

const isOfOperator = (record: DatedRecord) =>
  record.isSuspendedByOperator === true || record.isRevokedByOperator === true
