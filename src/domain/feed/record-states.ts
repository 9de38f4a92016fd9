import type { ItemRecord } from "../catalog/item.ts"
import type { PurchaseRecord } from "../catalog/purchase.ts"
import {
  type AsOf,
  aheadMsOf,
  type Dated,
  type DatedKind,
  isOutdated,
  replacementAsOf,
  type Tombstone,
  tombstoneName,
} from "./as-of.ts"
import type { Rejection, Verdict } from "./feed-record.ts"
import {
  identityOf,
  type PendingContent,
  type PendingKind,
  type PendingRecord,
  pendingNameOf,
  pendingRecordsMax,
} from "./pending-record.ts"

/** Final states. A store deletes first, then inserts and updates: an identity can be in both. */
export type Changed<State> = Readonly<{
  removed: State[]
  inserted: State[]
  updated: State[]
  /** Only the timestamp changes. */
  touched: State[]
}>

type States<Identity, State> = ReturnType<typeof createStates<Identity, State>>

export function createStates<Identity, State>(found: ReadonlyMap<Identity, State>) {
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
  function list(): readonly (readonly [Identity, State])[] {
    return [...changed, ...[...stored].filter(([identity]) => !changed.has(identity))]
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
    list,
    put(identity: Identity, state: State): void {
      changed.set(identity, state)
      touched.delete(identity)
    },
    touch(identity: Identity, state: State): void {
      if (!changed.has(identity)) touched.add(identity)
      changed.set(identity, state)
    },
    remove,
    removeAll(isWanted: (state: State) => boolean): void {
      for (const [id, state] of list()) if (isWanted(state)) remove(id)
    },
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

type PendingStates = ReturnType<typeof createPendingStates>

/** `room` is how many more records may become pending. */
export function createPendingStates(
  found: ReadonlyMap<string, PendingRecord>,
  room: number,
  nowMs: number,
) {
  const states = createStates<string, PendingRecord>(found)
  let added = 0

  /** Skips building the name: most stores have no pending records. */
  const find = (kind: PendingKind, identity: string | number) =>
    states.isEmpty() ? null : states.find(tombstoneName(kind, identity))
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
    /** `rejection` is the verdict if no more records may become pending. */
    put(content: PendingContent, asOf: number, rejection: Rejection): Verdict {
      const name = tombstoneName(content.kind, identityOf(content))
      const kept = states.find(name)
      if (kept === null && ++added > room) {
        return { ...rejection, code: "too_many_pending", params: { max: pendingRecordsMax } }
      }
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

/** A state that `change` puts has the timestamp it is called with. */
type ApplyIfNewer<Identity> = (
  identity: Identity,
  incoming: AsOf | undefined,
  change: (asOf: number) => Verdict,
) => Verdict

type DatedStates<Identity, State> = Readonly<{
  states: States<Identity, State>
  tombstones: States<string, Tombstone>
  pending: PendingStates
  /** Called if the timestamp of a record, or of its stored state, is ahead of the clock. */
  onAhead(ms: number): void
}>

type DatedRecord = Dated &
  Readonly<{ isSuspendedByOperator?: boolean; isRevokedByOperator?: boolean | undefined }>

const isByOperator = (record: DatedRecord) =>
  record.isSuspendedByOperator === true || record.isRevokedByOperator === true

export function createApplyIfNewer<Identity extends string | number, State extends DatedRecord>(
  kind: DatedKind,
  { states, tombstones, pending, onAhead }: DatedStates<Identity, State>,
  nowMs: number,
): ApplyIfNewer<Identity> {
  /** Skips building the name: most batches find no tombstones. */
  const findTombstone = (identity: Identity) =>
    tombstones.isEmpty() ? null : tombstones.find(tombstoneName(kind, identity))
  const findPending = (identity: Identity) =>
    kind === "account" ? null : pending.find(kind, identity)
  return (identity, incoming, change) => {
    const kept = states.find(identity)
    const pendingBefore = kept === null ? findPending(identity) : null
    const tombstone = kept === null && pendingBefore === null ? findTombstone(identity) : null
    const known = kept ?? pendingBefore ?? tombstone
    const aheadMs = aheadMsOf(known, incoming, nowMs)
    if (aheadMs > 0) onAhead(aheadMs)
    if (isOutdated(known, incoming, nowMs)) return "outdated"
    const asOf = replacementAsOf(known, incoming, nowMs)
    const verdict = change(asOf)
    if (verdict !== null && verdict !== "pending") return verdict
    // Without a timestamp, a record that changes nothing writes nothing.
    const isNewer = incoming !== undefined && asOf !== known?.asOf
    const state = states.find(identity)
    const pendingAfter = state === null ? findPending(identity) : null
    if (state === null && pendingAfter === null) {
      const record = kept ?? (pendingBefore && { ...pendingBefore.record, asOf })
      const byOperator = record === null ? tombstone?.byOperator === true : isByOperator(record)
      if (kept !== null || pendingBefore !== null || isNewer) {
        const name = tombstoneName(kind, identity)
        tombstones.put(name, { kind, identity: `${identity}`, asOf, byOperator })
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
}
