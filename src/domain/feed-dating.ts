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

/**
 * `change` decides about the record and puts or removes its state; a state that it puts has the moment
 * it is called with.
 */
export type Dating<Identity> = (
  identity: Identity,
  given: AsOf | undefined,
  change: (asOf: number) => Verdict,
) => Verdict

export function createDating<Identity extends string | number, State extends Dated>(
  kind: DatedKind,
  states: States<Identity, State>,
  tombstones: States<string, Tombstone>,
  nowMs: number,
): Dating<Identity> {
  /** Most batches find no tombstones: skip making the name. */
  const findTombstone = (identity: Identity) =>
    tombstones.isEmpty() ? null : tombstones.find(tombstoneName(kind, identity))
  return (identity, given, change) => {
    const kept = states.find(identity)
    const known = kept ?? findTombstone(identity)
    if (isOutdated(known, given)) return "outdated"
    const knownMs = known?.asOf ?? 0
    // Never earlier than before: a clock may have been set back.
    const asOf = Math.max(knownMs, given?.ms ?? nowMs)
    const verdict = change(asOf)
    if (verdict !== null) return verdict
    // Without a given moment, a record that changes nothing writes nothing.
    const isNewer = given !== undefined && asOf > knownMs
    const state = states.find(identity)
    if (state === null) {
      const tombstone = { kind, identity: `${identity}`, asOf }
      if (kept !== null || isNewer) tombstones.put(tombstoneName(kind, identity), tombstone)
    } else if (kept === null) {
      if (known !== null) tombstones.remove(tombstoneName(kind, identity))
    } else if (state === kept && isNewer) {
      states.touch(identity, { ...state, asOf })
    }
    return null
  }
}
