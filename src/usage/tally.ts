/** The calls of one key since the last write, in few objects: a tally is touched by every request. */
import type { Operation } from "../domain/api-key.ts"
import { formatTimestamp } from "../domain/timestamp.ts"
import type { ItemCalls, KeySighting, NetworkCalls, UsageCount } from "../domain/usage.ts"

export type Tally = {
  readonly calls: Calls[]
  /** In the order of their last call: the first is evicted. */
  readonly networks: Map<string, NetworkTally>
  /** How many calls were sampled for their network, those of evicted networks included. */
  samples: number
  sampledAtSecond: number
  /** Valid codes by item. Null stands for all items beyond the first ones. */
  readonly items: Map<number | null, number>
}
type Calls = { -readonly [Name in keyof UsageCount]: UsageCount[Name] }
type NetworkTally = { lastUsedMs: number; readonly samples: Map<Operation, number> }

/** Far above the number of networks that makes a key look shipped. */
export const networksMax = 64
/** A row is written for each, so the items of a large catalogue cannot all be counted apart. */
export const itemsMax = 64

export const createTally = (): Tally => ({
  ...{ calls: [], networks: new Map(), samples: 0, sampledAtSecond: 0, items: new Map() },
})

export function addCalls({ calls }: Tally, count: UsageCount): void {
  for (const each of calls) {
    if (isSameCall(each, count)) {
      each.calls += count.calls
      return
    }
  }
  calls.push({ ...count })
}

const isSameCall = (one: UsageCount, other: UsageCount) =>
  one.operation === other.operation && one.outcome === other.outcome && one.hour === other.hour

export function addItem({ items }: Tally, itemId: number | null, calls: number): void {
  const kept = items.get(itemId)
  if (kept !== undefined) items.set(itemId, kept + calls)
  else if (itemId === null || items.size < itemsMax) items.set(itemId, calls)
  else items.set(null, (items.get(null) ?? 0) + calls)
}

/** The network becomes the latest one. */
export function addSamples(
  { networks }: Tally,
  network: string,
  usedMs: number,
  operation: Operation,
  samples: number,
): void {
  const found = networks.get(network)
  const tally = found ?? { lastUsedMs: usedMs, samples: new Map() }
  tally.lastUsedMs = usedMs
  tally.samples.set(operation, (tally.samples.get(operation) ?? 0) + samples)
  if (found !== undefined) networks.delete(network)
  networks.set(network, tally)
  if (networks.size <= networksMax) return
  const [oldest] = networks.keys()
  if (oldest !== undefined) networks.delete(oldest)
}

/** Adds newer calls, so that the latest networks stay last. */
export function mergeTally(tally: Tally, newer: Tally): void {
  for (const each of newer.calls) addCalls(tally, each)
  for (const [network, { lastUsedMs, samples }] of newer.networks) {
    for (const [operation, count] of samples) {
      addSamples(tally, network, lastUsedMs, operation, count)
    }
  }
  tally.samples += newer.samples
  tally.sampledAtSecond = newer.sampledAtSecond
  for (const [itemId, calls] of newer.items) addItem(tally, itemId, calls)
}

/** How many rows it takes to write it, roughly: most networks use one operation. */
export const rowsOf = ({ calls, networks, items }: Tally) =>
  calls.length + 2 * networks.size + items.size

export const listSightings = (keyId: string, { networks }: Tally): readonly KeySighting[] =>
  [...networks].map(([network, { lastUsedMs }]) => ({
    ...{ keyId, network, lastUsedAt: formatTimestamp(new Date(lastUsedMs)) },
  }))

/** If only some calls were sampled, the calls of a network are estimated from its share of the samples. */
export function listNetworkCalls(keyId: string, tally: Tally): readonly NetworkCalls[] {
  const calls = tally.calls.reduce((sum, each) => sum + each.calls, 0)
  const isEstimate = calls > tally.samples
  return [...tally.networks].flatMap(([network, { lastUsedMs, samples }]) => {
    const day = formatTimestamp(new Date(lastUsedMs)).slice(0, 10)
    return [...samples].map(([operation, count]) => ({
      ...{ keyId, network, operation, day, isEstimate },
      calls: Math.round((count * calls) / tally.samples),
    }))
  })
}

export const listItemCalls = (keyId: string, { items }: Tally, day: string): readonly ItemCalls[] =>
  [...items].map(([itemId, calls]) => ({ keyId, itemId, day, calls }))
