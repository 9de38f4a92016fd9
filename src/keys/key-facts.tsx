/** What pages show of a key: its state, its requests, and the words for both. */

import type { Actor } from "../access/actor.ts"
import type { TokenMaker } from "../access/token.ts"
import type { Tone } from "../platform/pages/data-table.tsx"
import { t } from "../platform/t.ts"
import { daysBefore, formatTimestamp, type Timestamp } from "../platform/time.ts"
import {
  type FailedRequestStore,
  isShipped,
  type KeyUsage,
  type UsageStore,
} from "../usage/usage.ts"
import {
  type ApiKeyStore,
  isLive,
  type KeyCipher,
  type KeySearch,
  type KeyState,
  type StoredKey,
  stateOf,
} from "./key.ts"
import type { Issuing } from "./key-operations.ts"

type KeyReads = Readonly<{ keys: ApiKeyStore; usage: UsageStore; now: () => Date }>

export type KeySearchServices = KeyReads & Readonly<{ keyCipher: KeyCipher; keySearch: KeySearch }>

export type NamedItem = Readonly<{ id: number; name: string }>

export type KeyPageServices = KeySearchServices &
  Readonly<{
    /** The author's items, of which a validation key may be limited to some. */
    itemSearch: Readonly<{
      search(
        accountId: number,
        query: Readonly<{ text: string; sort: "name"; after: null; rowsMax: number }>,
      ): Promise<Readonly<{ items: readonly NamedItem[]; next: string | null }>>
      listByIds(accountId: number, ids: readonly number[]): Promise<readonly NamedItem[]>
    }>
    failedRequests: FailedRequestStore
    tokens: TokenMaker
    keyServices(actor: Actor): Issuing
    publicUrl: string
  }>

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
  const keyById = new Map(found.map((key) => [key.id, key]))
  const usageById = new Map(uses.map((each) => [each.keyId, each]))
  return ids.flatMap((id) => {
    const key = keyById.get(id)
    return key ? [{ key, state: stateOf(key, at), usage: usageById.get(id) ?? null }] : []
  })
}

/** Null for an unknown key and for one of another author. */
export async function findKeyFacts(
  reads: KeyReads,
  accountId: number,
  keyId: string,
): Promise<KeyFacts | null> {
  const [facts] = await listKeyFacts(reads, [keyId])
  return facts?.key.accountId === accountId ? facts : null
}

export const sumRequests = (usage: KeyUsage | null, days: number) =>
  usage?.days.slice(-days).reduce((sum, calls) => sum + calls, 0) ?? 0

/** Whether a rotated key was used after its rotation and within a day before `at`. */
export function isUsedSinceRotation({ key, state, usage }: KeyFacts, at: Timestamp): boolean {
  const lastUsedAt = usage?.lastUsedAt ?? ""
  return (
    state === "ending" && lastUsedAt > (key.replacedAt ?? "") && lastUsedAt >= daysBefore(at, 1)
  )
}

export const looksShipped = ({ key, usage }: KeyFacts): boolean =>
  isShipped(key, usage?.ipRanges ?? 0)

const stateTones = {
  active: "good",
  ending: "warning",
  revoked: "danger",
  expired: "plain",
} as const

export function describeStatus(
  facts: KeyFacts & Readonly<{ isStillUsed?: boolean; isAuthorSuspended?: boolean }>,
): readonly [tone: Tone, text: string] {
  const { key, state, isStillUsed = false, isAuthorSuspended = false } = facts
  if (isLive(state) && isAuthorSuspended) return ["danger", t("Suspended")]
  if (state === "active" && looksShipped(facts)) return ["warning", t("Looks shipped")]
  if (isStillUsed) {
    return ["warning", isLive(state) ? t("Rotated, still used") : t("Still used")]
  }
  // A rotated key stays "Rotated" after its overlap period.
  const label = state === "expired" && key.replacedAt !== null ? "ending" : state
  return [stateTones[state], t(keyStateTexts[label])]
}

export function describeKey({
  kind,
  itemIds,
  isSiteRequired,
  scope,
}: Pick<StoredKey, "kind" | "itemIds" | "isSiteRequired" | "scope">): string {
  if (scope !== null) return t(keyScopeTexts[scope].about)
  if (kind !== "vk") return t(kindAbouts[kind])
  const items =
    itemIds === null
      ? t(
          "This key can only validate purchases, release sites and create download links. Safe to ship inside a product.",
        )
      : t(
          "This key can only validate purchases of {n item|items}, release sites and create download links. Safe to ship inside a product.",
          { n: itemIds.length },
        )
  return isSiteRequired ? `${items} ${t("Validations without a site are rejected.")}` : items
}

export function describeWeek(usage: KeyUsage | null): string {
  const n = sumRequests(usage, 7)
  return n === 0
    ? t("No requests in the last 7 days.")
    : t("{n request|requests} in the last 7 days.", { n })
}

export const keyKindTexts = {
  sk: "Secret key",
  vk: "Validation key",
  tk: "Test key",
  imported: "Imported key",
} as const

export const shortKeyKindTexts = {
  sk: "Secret",
  vk: "Validation",
  tk: "Test",
  imported: "Imported",
} as const

export const keyScopeTexts = {
  everything: { name: "Everything", about: "All operations of the API." },
  help_desk: {
    name: "Help desk",
    about: "Validates codes, lists purchases and sites, and releases sites.",
  },
  catalog: { name: "Catalog", about: "Lists and reads items." },
} as const

const kindAbouts = {
  sk: "This key can read your account, items and purchases, validate codes, release sites and create download links. Keep it on your server.",
  imported:
    "This key can read your account, items and purchases, validate codes, release sites and create download links. Imported from your marketplace's earlier API.",
  tk: "This key can send every request and returns test data only.",
} as const

export const keyStateTexts = {
  active: "Active",
  ending: "Rotated",
  revoked: "Revoked",
  expired: "Expired",
} as const
