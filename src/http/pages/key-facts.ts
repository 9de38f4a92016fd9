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

export type KeyReads = Readonly<{
  keys: Pick<ApiKeyStore, "find" | "list" | "listByIds" | "listDates">
  usage: Pick<UsageStore, "findByKey" | "listByKeys">
  now: () => Date
}>

/** `usage` is null for an unused key. */
export type KeyFacts = Readonly<{ key: StoredKey; state: KeyState; usage: KeyUsage | null }>

/** The keys of an account, newest first: valid ones, inactive ones, and the ids of both in this order. */
export async function listKeys({ keys, now }: KeyReads, accountId: number) {
  const at = formatTimestamp(now())
  const all = (await keys.listDates(accountId)).toReversed()
  const live = all.filter((key) => isLive(stateOf(key, at)))
  const ended = all.filter((key) => !isLive(stateOf(key, at)))
  return { live, ended, ids: [...live, ...ended].map(({ id }) => id) }
}

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

/** Null for an unknown key and for one of another author. */
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

/** Whether a rotated key was used after its rotation and within a day before `at`. */
export function isUsedSinceRotation({ key, state, usage }: KeyFacts, at: Timestamp): boolean {
  const lastUsedAt = usage?.lastUsedAt ?? ""
  return (
    state === "ending" && lastUsedAt > (key.replacedAt ?? "") && lastUsedAt >= daysBefore(at, 1)
  )
}

export const looksShipped = ({ key, usage }: KeyFacts): boolean =>
  isShipped(key, usage?.ipRanges ?? 0)

/** The IP ranges that still use an inactive key; none for a valid key. */
export async function listCallers(
  { failedRequests, now }: Readonly<{ failedRequests: FailedRequestStore; now: () => Date }>,
  { key, state }: KeyFacts,
): Promise<readonly InactiveKeyUse[]> {
  if (isLive(state)) return []
  const log = await failedRequests.list(key.accountId, formatTimestamp(now()))
  return listInactiveKeyUse(log).get(key.id) ?? []
}
