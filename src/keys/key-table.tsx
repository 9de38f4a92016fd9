import type { Actor } from "../access/actor.ts"
import { may } from "../access/page-view.ts"
import { workspaceOf } from "../access/paths.ts"
import type { TokenMaker } from "../access/token.ts"
import type { AccountStore } from "../accounts/account.ts"
import { keyKinds, publicTestSecret } from "../contract/operation.ts"
import { currentView, type PageContext } from "../platform/pages/context.ts"
import { type Column, column } from "../platform/pages/data-table.tsx"
import { displayName, Pill, pastedUnitsMax, SentenceWithTime } from "../platform/pages/elements.tsx"
import { Warning } from "../platform/pages/layout.tsx"
import {
  FilterSelect,
  type ListRequest,
  type OpenList,
  readByOffset,
} from "../platform/pages/list.tsx"
import { currentLocale, t } from "../platform/t.ts"
import { daysBefore, formatTimestamp, type Timestamp } from "../platform/time.ts"
import {
  daysShown,
  type FailedRequestStore,
  type InactiveKeyUse,
  isShipped,
  type KeyUsage,
  listInactiveKeyUse,
  type UsageStore,
} from "../usage/usage.ts"
import {
  type ApiKeyStore,
  containsKey,
  extractSecret,
  isLive,
  type KeyCipher,
  type KeySearch,
  type KeyState,
  keySorts,
  maskOf,
  parseKeyEnding,
  type StoredKey,
  stateOf,
} from "./key.ts"
import { findOwnKey, type Issuing } from "./key-operations.ts"

export type ListedKey = KeyFacts &
  Readonly<{ mask: string; isStillUsed: boolean; isAuthorSuspended: boolean }>

export const keyFilterNames = ["kind", "state"] as const

type KeyReads = Readonly<{ keys: ApiKeyStore; usage: UsageStore; now: () => Date }>
export type KeyListServices = KeyReads &
  Readonly<{ accounts: Pick<AccountStore, "find">; keyCipher: KeyCipher; keySearch: KeySearch }>

/** The author's items, of which a validation key may be limited to some. */
type ItemChoices = Readonly<{
  search(
    accountId: number,
    query: Readonly<{ text: string; sort: "name"; after: null; rowsMax: number }>,
  ): Promise<Readonly<{ items: readonly NamedItem[]; next: string | null }>>
  listByIds(accountId: number, ids: readonly number[]): Promise<readonly NamedItem[]>
}>
type NamedItem = Readonly<{ id: number; name: string }>

export type KeyPageServices = KeyListServices &
  Readonly<{
    itemSearch: ItemChoices
    failedRequests: FailedRequestStore
    tokens: TokenMaker
    keyServices(actor: Actor): Issuing
    publicUrl: string
  }>

/** `usedIds` are inactive keys that still send requests. */
export function openKeyList(
  services: KeyListServices,
  { text, filters, sort }: ListRequest<"kind" | "state">,
  accountId: number | null,
  usedIds: ReadonlySet<string> = new Set(),
): Pick<OpenList<ListedKey>, "read" | "search" | "filters"> {
  const { keySearch, now } = services
  const at = formatTimestamp(now())
  const sorting = {
    sort: keySorts.find((each) => each === sort.replace(/^-/, "")) ?? keySorts[0],
    isDescending: sort === "" || sort.startsWith("-"),
  }
  return {
    search:
      accountId === null
        ? t("Name, ID or a whole key")
        : t("Name, last four characters or a whole key"),
    filters: (
      <>
        <FilterSelect
          name="kind"
          label={t("Type")}
          every={t("All types")}
          options={keyKinds.map((each) => [each, t(keyKindTexts[each])])}
          chosen={filters.kind}
        />
        <FilterSelect
          name="state"
          label={t("Status")}
          every={t("Valid keys")}
          options={(["inactive", "all"] as const).map((each) => [each, t(stateFilterTexts[each])])}
          chosen={filters.state}
        />
      </>
    ),
    read: (after, rowsMax) =>
      readByOffset(after, rowsMax, async (offset) => {
        const query = {
          ...{ accountId, text, at, offset, rowsMax, ...sorting },
          kind: keyKinds.find((each) => each === filters.kind) ?? null,
          isLive: filters.state === "all" ? null : filters.state !== "inactive",
          matchingIds: await listByEnding(services, accountId, text),
        }
        const { ids, total } = await keySearch.search(query)
        return { rows: await listKeyRows(services, ids, usedIds), total }
      }),
  }
}

async function listKeyRows(
  services: KeyListServices,
  ids: readonly string[],
  usedIds: ReadonlySet<string>,
): Promise<readonly ListedKey[]> {
  const { accounts, keyCipher, now } = services
  const facts = await listKeyFacts(services, ids)
  const owners = new Set(facts.map(({ key }) => key.accountId))
  const authors = await Promise.all([...owners].map((id) => accounts.find(id)))
  const suspended = new Set(authors.flatMap((author) => (author?.isSuspended ? author.id : [])))
  return facts.map((each) => ({
    ...each,
    mask: maskOf(keyCipher, each.key),
    isStillUsed: usedIds.has(each.key.id) || isUsedSinceRotation(each, formatTimestamp(now())),
    isAuthorSuspended: suspended.has(each.key.accountId),
  }))
}

/** The keys of one account that end in this text. Those of all accounts would take too long to decrypt. */
export async function listByEnding(
  { keys, keyCipher }: Pick<KeyListServices, "keys" | "keyCipher">,
  accountId: number | null,
  text: string,
): Promise<readonly string[]> {
  const ending = parseKeyEnding(text)
  if (ending === null || accountId === null) return []
  const all = await keys.list(accountId)
  return all.filter((key) => maskOf(keyCipher, key).endsWith(`…${ending}`)).map(({ id }) => id)
}

/** `others` are the columns between the key and its state. */
export const keyColumns = (
  others: readonly Column<ListedKey>[] = [],
): readonly Column<ListedKey>[] => [
  column(t("Name"), ({ key }) => displayName(key.name, key.id), { sort: "name", isWide: true }),
  column(t("Key"), ({ mask }) => mask, { kind: "code" }),
  column(
    t("Type"),
    ({ key: { kind, scope } }) =>
      scope === null ? t(shortKeyKindTexts[kind]) : t(keyScopeTexts[scope].name),
    { priority: 2 },
  ),
  ...others,
  column(t("Status"), (row) => keyStatus(row).text, { cell: (row) => <StatePill facts={row} /> }),
  column(t("Requests, 30 days"), ({ usage }) => requestsOfMonth(usage), {
    kind: "number",
    priority: 3,
    cell: ({ usage }) => (
      <span class="use">
        <Sparkline days={usage?.days ?? []} />
        {requestsOfMonth(usage).toLocaleString(currentLocale())}
      </span>
    ),
  }),
  column(t("Last used"), (row) => row.usage?.lastUsedAt ?? null, { kind: "time", sort: "used" }),
  column(t("Created # date"), ({ key }) => key.createdAt, {
    kind: "time",
    sort: "created",
    priority: 3,
    ...(others.length > 0 && { on: "csv" as const }),
  }),
  column(t("Expires"), ({ key }) => key.expiresAt, { kind: "time", on: "csv" }),
  column(t("Key ID"), ({ key }) => key.id, { on: "csv" }),
]

/** Requests of 30 days. Hidden from screen readers: the number is beside it. */
const Sparkline = ({ days }: Readonly<{ days: readonly number[] }>) => {
  const highest = Math.max(1, ...days)
  // A day with few requests is still visible.
  const heightOf = (calls: number) => (calls === 0 ? 0 : Math.max(3, (calls / highest) * 20))
  const steps = days.map((calls) => `V${20 - Math.round(heightOf(calls))}h3`)
  return (
    <svg class="spark" viewBox="0 0 90 20" width="90" height="20" aria-hidden="true">
      <path d={`M0 20${steps.join("")}V20z`} />
    </svg>
  )
}

/**
 * The response to a search for a whole key; null for other searches. An unknown key may be valid on another server, so
 * no page repeats it.
 */
export async function redirectPastedKey(
  c: PageContext,
  find: (pasted: string) => Promise<StoredKey | null>,
  pathOf = ({ id, username }: StoredKey) => workspaceOf(username).key(id),
): Promise<Response | null> {
  if (c.req.method !== "POST") return null
  const pasted = c.var.form.raw("q").slice(0, pastedUnitsMax)
  const key = await find(pasted)
  if (key !== null) return c.redirect(pathOf(key), 303)
  if (!containsKey(pasted)) return null
  const isPublic = extractSecret(pasted) === publicTestSecret
  return c.redirect(`${c.req.path}?problem=${isPublic ? "public-test-key" : "unknown-key"}`, 303)
}

export function PastedKeyProblem({ c, unknown }: Readonly<{ c: PageContext; unknown: string }>) {
  const problem = c.req.query("problem")
  if (problem === "unknown-key") return <Warning text={unknown} />
  return problem === "public-test-key" ? (
    <Warning
      text={t("This is the public test key of the docs. It does not belong to an account.")}
    />
  ) : null
}

export function describeKey({
  kind,
  itemIds,
  isSiteRequired,
  scope,
}: Pick<StoredKey, "kind" | "itemIds" | "isSiteRequired" | "scope">): string {
  if (scope !== null) return t(keyScopeTexts[scope].about)
  if (kind !== "vk") return t(keyKindAbout[kind])
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

const tones = { active: "good", ending: "warning", revoked: "danger", expired: "plain" } as const

type KeyStatus = KeyFacts & Readonly<{ isStillUsed?: boolean; isAuthorSuspended?: boolean }>

export function keyStatus(facts: KeyStatus) {
  const { key, state, isStillUsed = false, isAuthorSuspended = false } = facts
  const warning = (text: string) => ({ tone: "warning", text }) as const
  if (isLive(state) && isAuthorSuspended) {
    return { tone: "danger", text: t("Suspended") } as const
  }
  if (state === "active" && looksShipped(facts)) return warning(t("Looks shipped"))
  if (isStillUsed) {
    return warning(isLive(state) ? t("Rotated, still used") : t("Still used"))
  }
  // A rotated key stays "Rotated" after its overlap period.
  const label = state === "expired" && key.replacedAt !== null ? "ending" : state
  return { tone: tones[state], text: t(keyStateTexts[label]) }
}

export const StatePill = ({ facts }: { facts: KeyStatus }) => {
  const { tone, text } = keyStatus(facts)
  return <Pill tone={tone}>{text}</Pill>
}

/** The mask distinguishes keys of the same name. */
export type NamedKey = Readonly<{ id: string; name: string; mask: string }>

type NoticeProps = Readonly<{ facts: KeyFacts }>
type InactiveKeyNoticeProps = NoticeProps & Readonly<{ successor: NamedKey | null }>

export const InactiveKeyNotice = ({ facts, successor }: InactiveKeyNoticeProps) => {
  const { key, state, usage } = facts
  if (state === "active") return null
  const sentence = (when: string) => t(endedTexts[state], { when })
  const endsAt = key.revokedAt ?? key.expiresAt
  return (
    <p class={`notice ${tones[state]}`}>
      {key.replacedAt !== null && (
        <SentenceWithTime
          at={key.replacedAt}
          sentence={(when) => t("Rotated on {when}.", { when })}
        />
      )}{" "}
      {endsAt !== null && <SentenceWithTime at={endsAt} sentence={sentence} />}{" "}
      {state === "ending" && describeWeek(requestsOfWeek(usage))}{" "}
      {successor !== null && (
        <>
          {t("Replaced by")}{" "}
          <a href={currentView().paths.key(successor.id)}>
            <bdi>{successor.name}</bdi> <span class="mono">{successor.mask}</span>
          </a>
        </>
      )}
    </p>
  )
}

export const ShippedNotice = ({ facts }: NoticeProps) => (
  <p class="notice warning">
    {t(
      "This key looks shipped in a product: it was used from {ipRanges IP range|IP ranges} this week. Anyone who has it can read your whole account. Ship a validation key instead, then revoke this one.",
      { ipRanges: facts.usage?.ipRanges ?? 0 },
    )}{" "}
    {may("secrets") && (
      <a href={currentView().paths.newValidationKey}>{t("Create a validation key")}</a>
    )}
  </p>
)

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

export const keyKindTexts = {
  sk: "Secret key",
  vk: "Validation key",
  tk: "Test key",
  imported: "Imported key",
} as const

const stateFilterTexts = { inactive: "Inactive keys", all: "All keys" } as const

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

const keyKindAbout = {
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

export const describeWeek = (n: number) =>
  n === 0
    ? t("No requests in the last 7 days.")
    : t("{n request|requests} in the last 7 days.", { n })

const endedTexts = {
  revoked: "Revoked on {when}. Requests with this key are rejected.",
  expired: "Expired on {when}. Requests with this key are rejected.",
  ending: "Valid until {when}.",
} as const
