/** Applies a record of the feed only if the store has no newer state of it. */
import {
  type AsOf,
  type Dated,
  type DatedKind,
  isOutdated,
  type Tombstone,
  tombstoneName,
} from "./as-of.ts"
import type { Verdict } from "./feed.ts"
import type { States } from "./feed-states.ts"
import type { WaitingStates } from "./feed-waiting.ts"

/**
 * `change` decides about the record and puts or removes its state; a state that it puts has the moment
 * it is called with.
 */
export type Dating<Identity> = (
  identity: Identity,
  given: AsOf | undefined,
  change: (asOf: number) => Verdict,
) => Verdict

type DatedStates<Identity, State> = Readonly<{
  states: States<Identity, State>
  tombstones: States<string, Tombstone>
  waiting: WaitingStates
}>

type DatedRecord = Dated &
  Readonly<{ isSuspendedByOperator?: boolean; isRevokedByOperator?: boolean | undefined }>

const isByOperator = (record: DatedRecord) =>
  record.isSuspendedByOperator === true || record.isRevokedByOperator === true

export function createDating<Identity extends string | number, State extends DatedRecord>(
  kind: DatedKind,
  { states, tombstones, waiting }: DatedStates<Identity, State>,
  nowMs: number,
): Dating<Identity> {
  /** Most batches find no tombstones: skip making the name. */
  const findTombstone = (identity: Identity) =>
    tombstones.isEmpty() ? null : tombstones.find(tombstoneName(kind, identity))
  const findWaiting = (identity: Identity) =>
    kind === "account" ? null : waiting.find(kind, identity)
  return (identity, given, change) => {
    const kept = states.find(identity)
    const waited = kept === null ? findWaiting(identity) : null
    const tombstone = kept === null && waited === null ? findTombstone(identity) : null
    const known = kept ?? waited ?? tombstone
    if (isOutdated(known, given)) return "outdated"
    const knownMs = known?.asOf ?? 0
    // Never earlier than before: a clock may have been set back.
    const asOf = Math.max(knownMs, given?.ms ?? nowMs)
    const verdict = change(asOf)
    if (verdict !== null && verdict !== "waiting") return verdict
    // Without a given moment, a record that changes nothing writes nothing.
    const isNewer = given !== undefined && asOf > knownMs
    const state = states.find(identity)
    const waits = state === null ? findWaiting(identity) : null
    if (state === null && waits === null) {
      const record = kept ?? (waited && { ...waited.record, asOf })
      const byOperator = record === null ? tombstone?.byOperator === true : isByOperator(record)
      if (kept !== null || waited !== null || isNewer) {
        const name = tombstoneName(kind, identity)
        tombstones.put(name, { kind, identity: `${identity}`, asOf, byOperator })
      }
    } else if (tombstone !== null) {
      tombstones.remove(tombstoneName(kind, identity))
    } else if (state !== null && state === kept && isNewer) {
      states.touch(identity, { ...state, asOf })
    } else if (waits !== null && waits === waited && isNewer) {
      waiting.touch(waits, asOf)
    }
    return verdict
  }
}
