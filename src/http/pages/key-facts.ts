/** Keys as the pages show them. */
import {
  type ApiKeyStore,
  isLive,
  type KeyState,
  type StoredKey,
  stateOf,
} from "../../domain/keys/api-key.ts"
import {
  type FailedRequestStore,
  type InactiveKeyUse,
  listInactiveKeyUse,
} from "../../domain/usage/failed-requests.ts"
import { daysShown, isShipped, type KeyUsage, type UsageStore } from "../../domain/usage/usage.ts"
import { daysBefore, formatTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"
import { findOwnKey } from "../../operations/keys/find-key.ts"

type KeyReads = Readonly<{
  keys: Pick<ApiKeyStore, "find" | "listByIds" | "listDates">
  usage: Pick<UsageStore, "findByKey" | "listByKeys">
  now: () => Date
}>

/** `usage` is null for a key that was never used. */
export type KeyFacts = Readonly<{ key: StoredKey; state: KeyState; usage: KeyUsage | null }>

/** The account's keys, newest first, those that work apart from those that have ended. `ids` are of all, in this order. */
export async function listKeys({ keys, now }: KeyReads, accountId: number) {
  const at = formatTimestamp(now())
  const all = (await keys.listDates(accountId)).toReversed()
  const live = all.filter((key) => isLive(stateOf(key, at)))
  const ended = all.filter((key) => !isLive(stateOf(key, at)))
  return { live, ended, ids: [...live, ...ended].map(({ id }) => id) }
}

/** The keys with these ids, in this order, each with how it is used. */
export async function listKeyFacts(
  { keys, usage, now }: KeyReads,
  ids: readonly string[],
): Promise<readonly KeyFacts[]> {
  const at = formatTimestamp(now())
  const [found, uses] = await Promise.all([keys.listByIds(ids), usage.listByKeys(ids, at)])
  const keyOf = new Map(found.map((key) => [key.id, key]))
  const usageOf = new Map(uses.map((each) => [each.keyId, each]))
  return ids.flatMap((id) => {
    const key = keyOf.get(id)
    if (key === undefined) return []
    return [{ key, state: stateOf(key, at), usage: usageOf.get(id) ?? null }]
  })
}

/** Null for another author's key as for one that never was. */
export async function findKeyFacts(
  { keys, usage, now }: KeyReads,
  accountId: number,
  keyId: string,
): Promise<KeyFacts | null> {
  const at = formatTimestamp(now())
  const key = await findOwnKey(keys, accountId, keyId)
  if (key === null) return null
  return { key, state: stateOf(key, at), usage: await usage.findByKey(keyId, at) }
}

export const requestsOfWeek = (usage: KeyUsage | null) => sumOfDays(usage, 7)
export const requestsOfMonth = (usage: KeyUsage | null) => sumOfDays(usage, daysShown)

const sumOfDays = (usage: KeyUsage | null, count: number) =>
  usage?.days.slice(-count).reduce((sum, calls) => sum + calls, 0) ?? 0

/** Whether a key was used within a day before `at`, after it was replaced. */
export function isUsedSinceRotation({ key, state, usage }: KeyFacts, at: Timestamp): boolean {
  const lastUsedAt = usage?.lastUsedAt ?? ""
  return (
    state === "ending" && lastUsedAt > (key.replacedAt ?? "") && lastUsedAt >= daysBefore(at, 1)
  )
}

export const looksShipped = ({ key, usage }: KeyFacts): boolean =>
  isShipped(key, usage?.ipRanges ?? 0)

/** The networks that call a key which no longer works; none for a key that works. */
export async function listCallers(
  { failedRequests, now }: Readonly<{ failedRequests: FailedRequestStore; now: () => Date }>,
  { key, state }: KeyFacts,
): Promise<readonly InactiveKeyUse[]> {
  if (isLive(state)) return []
  const log = await failedRequests.list(key.accountId, formatTimestamp(now()))
  return listInactiveKeyUse(log).get(key.id) ?? []
}
