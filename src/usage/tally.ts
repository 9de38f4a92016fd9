/**
 * The calls of one key since the last write. Its lists are searched from the start: nearly all of them have one or
 * two entries, and a hundred thousand keys may be in use.
 */
import type { Operation } from "../domain/keys/api-key.ts"
import type { ItemCalls, KeySighting, NetworkCalls, UsageCount } from "../domain/usage/usage.ts"
import type { Reason } from "../domain/values/error.ts"
import { formatTimestamp } from "../domain/values/time/timestamp.ts"

export type Tally = {
  readonly calls: Changeable<UsageCount>[]
  /** In the order of their last call: the first is evicted. */
  readonly networks: NetworkTally[]
  /** How many calls were sampled for their network, those of evicted networks included. */
  samples: number
  sampledAtSecond: number
  /** Valid codes. */
  readonly items: Changeable<Pick<ItemCalls, "itemId" | "calls">>[]
}
type Changeable<T> = { -readonly [Name in keyof T]: T[Name] }
type NetworkTally = { network: string; operation: Operation; lastUsedMs: number; samples: number }

/** Far above the number of networks that makes a key look shipped. */
export const networksMax = 64
/** A row is written for each, so the items of a large catalogue cannot all be counted apart. */
const itemsMax = 64

export const createTally = (): Tally => ({
  calls: [],
  networks: [],
  samples: 0,
  sampledAtSecond: 0,
  items: [],
})

export function addCall(
  { calls }: Tally,
  keyId: string,
  operation: Operation,
  outcome: Reason,
  hour: string,
): void {
  for (const each of calls) {
    if (each.operation === operation && each.outcome === outcome && each.hour === hour) {
      each.calls += 1
      return
    }
  }
  calls.push({ keyId, operation, outcome, hour, calls: 1 })
}

/** Null stands for all items beyond the first ones. */
export function addItem(tally: Tally, itemId: number | null): void {
  for (const each of tally.items) {
    if (each.itemId === itemId) {
      each.calls += 1
      return
    }
  }
  if (itemId === null || tally.items.length < itemsMax) tally.items.push({ itemId, calls: 1 })
  else addItem(tally, null)
}

/** The network becomes the latest one. */
export function addSample(
  { networks }: Tally,
  network: string,
  operation: Operation,
  usedMs: number,
): void {
  const at = networks.findIndex((each) => each.network === network && each.operation === operation)
  const [kept] = at === -1 ? [] : networks.splice(at, 1)
  networks.push({ network, operation, lastUsedMs: usedMs, samples: (kept?.samples ?? 0) + 1 })
  if (networks.length > networksMax) networks.shift()
}

export type CountsOfKeys = Readonly<{
  calls: UsageCount[]
  sightings: KeySighting[]
  networks: NetworkCalls[]
  items: ItemCalls[]
}>

/** If only some calls were sampled, those of a network are estimated from its share of the samples. */
export function addTally(counts: CountsOfKeys, keyId: string, tally: Tally, today: string): void {
  let all = 0
  for (const each of tally.calls) {
    counts.calls.push(each)
    all += each.calls
  }
  const isEstimate = all > tally.samples
  for (const { network, operation, lastUsedMs, samples } of tally.networks) {
    const lastUsedAt = formatTimestamp(new Date(lastUsedMs))
    const calls = Math.round((samples * all) / tally.samples)
    counts.sightings.push({ keyId, network, lastUsedAt })
    const day = lastUsedAt.slice(0, 10)
    counts.networks.push({ keyId, network, operation, day, calls, isEstimate })
  }
  for (const { itemId, calls } of tally.items) {
    counts.items.push({ keyId, itemId, day: today, calls })
  }
}
