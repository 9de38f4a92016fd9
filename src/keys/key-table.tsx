import { workspaceOf } from "../access/paths.ts"
import { keyKinds, publicTestSecret } from "../contract/operation.ts"
import { may, type PageContext, type View } from "../platform/pages/context.ts"
import type { Column } from "../platform/pages/data-table.tsx"
import { displayName, Pill, SentenceWithTime } from "../platform/pages/elements.tsx"
import { pastedUnitsMax } from "../platform/pages/form-fields.tsx"
import { Warning } from "../platform/pages/layout.tsx"
import {
  FilterSelect,
  type ListRequest,
  type OpenList,
  readByOffset,
} from "../platform/pages/list.tsx"
import type { PageTexts } from "../platform/pages/translations/texts.ts"
import { daysBefore, formatTimestamp, type Timestamp } from "../platform/time.ts"
import {
  daysShown,
  type FailedRequestStore,
  type InactiveKeyUse,
  isShipped,
  type KeyUsage,
  listInactiveKeyUse,
} from "../usage/usage.ts"
import type { PageServices } from "../workspace/services.ts"
import {
  containsKey,
  extractSecret,
  isLive,
  type KeyState,
  keySorts,
  maskOf,
  parseKeyEnding,
  type StoredKey,
  stateOf,
} from "./key.ts"
import { findOwnKey } from "./key-operations.ts"

export type ListedKey = KeyFacts &
  Readonly<{ mask: string; isStillUsed: boolean; isAuthorSuspended: boolean }>

export const keyFilterNames = ["kind", "state"] as const

type KeyReads = Pick<PageServices, "keys" | "usage" | "now">
export type KeyListServices = KeyReads & Pick<PageServices, "accounts" | "keyCipher" | "keySearch">

/** `usedIds` are inactive keys that still send requests. */
export function openKeyList(
  services: KeyListServices,
  view: View,
  { text, filters, sort }: ListRequest<"kind" | "state">,
  accountId: number | null,
  usedIds: ReadonlySet<string> = new Set(),
): Pick<OpenList<ListedKey>, "read" | "search" | "filters"> {
  const { keySearch, now } = services
  const { columns, keys, keyPages } = view.texts
  const at = formatTimestamp(now())
  const sorting = {
    sort: keySorts.find((each) => each === sort.replace(/^-/, "")) ?? keySorts[0],
    isDescending: sort === "" || sort.startsWith("-"),
  }
  return {
    search: accountId === null ? keys.searchAll : keys.search,
    filters: (
      <>
        <FilterSelect
          name="kind"
          label={keyPages.table.kind}
          every={keys.everyKind}
          options={keyKinds.map((each) => [each, keys.kinds[each]])}
          chosen={filters.kind}
        />
        <FilterSelect
          name="state"
          label={columns.state}
          every={keys.states.live}
          options={(["inactive", "all"] as const).map((each) => [each, keys.states[each]])}
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
  view: View,
  others: readonly Column<ListedKey>[] = [],
): readonly Column<ListedKey>[] => {
  const { columns, keys, keyPages } = view.texts
  return [
    {
      head: columns.name,
      value: ({ key }) => displayName(key.name, key.id),
      sort: "name",
      isWide: true,
    },
    { head: columns.key, value: ({ mask }) => mask, kind: "code" },
    {
      head: keyPages.table.kind,
      value: ({ key: { kind, scope } }) =>
        scope === null ? keys.shortKinds[kind] : keys.scopes[scope].name,
      priority: 2,
    },
    ...others,
    {
      head: columns.state,
      value: (row) => keyStatus(view, row).text,
      cell: (row) => <StatePill view={view} facts={row} />,
    },
    {
      head: keyPages.table.use,
      kind: "number",
      priority: 3,
      value: ({ usage }) => requestsOfMonth(usage),
      cell: ({ usage }) => (
        <span class="use">
          <Sparkline days={usage?.days ?? []} />
          {requestsOfMonth(usage).toLocaleString(view.locale)}
        </span>
      ),
    },
    {
      head: keys.lastUsed,
      kind: "time",
      sort: "used",
      value: (row) => row.usage?.lastUsedAt ?? null,
    },
    {
      head: keys.created,
      kind: "time",
      sort: "created",
      priority: 3,
      ...(others.length > 0 && { on: "csv" as const }),
      value: ({ key }) => key.createdAt,
    },
    { head: keys.expires, kind: "time", on: "csv", value: ({ key }) => key.expiresAt },
    { head: keys.actions.id, on: "csv", value: ({ key }) => key.id },
  ]
}

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
  const { publicTest } = c.var.view.texts.keyPages.find
  if (problem === "unknown-key") return <Warning text={unknown} />
  return problem === "public-test-key" ? <Warning text={publicTest} /> : null
}

export function describeKey(
  texts: PageTexts["keys"],
  {
    kind,
    itemIds,
    isSiteRequired,
    scope,
  }: Pick<StoredKey, "kind" | "itemIds" | "isSiteRequired" | "scope">,
): string {
  const { about } = texts
  if (scope !== null) return texts.scopes[scope].about
  if (kind !== "vk") return about[kind]
  const items = itemIds === null ? about.vkAll : about.vkSome(itemIds.length)
  return isSiteRequired ? `${items} ${about.vkSite}` : items
}

const tones = { active: "good", ending: "warning", revoked: "danger", expired: "plain" } as const

type KeyStatus = KeyFacts & Readonly<{ isStillUsed?: boolean; isAuthorSuspended?: boolean }>

export function keyStatus({ texts }: View, facts: KeyStatus) {
  const { key, state, isStillUsed = false, isAuthorSuspended = false } = facts
  const warning = (text: string) => ({ tone: "warning", text }) as const
  if (isLive(state) && isAuthorSuspended) {
    return { tone: "danger", text: texts.authors.suspended } as const
  }
  if (state === "active" && looksShipped(facts)) return warning(texts.keyPages.table.shipped)
  if (isStillUsed) {
    const { keyPages } = texts
    return warning(isLive(state) ? keyPages.table.stillUsed : keyPages.inactiveRequests.pill)
  }
  // A rotated key stays "Rotated" after its overlap period.
  const label = state === "expired" && key.replacedAt !== null ? "ending" : state
  return { tone: tones[state], text: texts.keys.state[label] }
}

export const StatePill = ({ view, facts }: { view: View; facts: KeyStatus }) => {
  const { tone, text } = keyStatus(view, facts)
  return <Pill tone={tone}>{text}</Pill>
}

/** The mask distinguishes keys of the same name. */
export type NamedKey = Readonly<{ id: string; name: string; mask: string }>

type NoticeProps = Readonly<{ view: View; facts: KeyFacts }>
type InactiveKeyNoticeProps = NoticeProps & Readonly<{ successor: NamedKey | null }>

export const InactiveKeyNotice = ({ view, facts, successor }: InactiveKeyNoticeProps) => {
  const { key, state, usage } = facts
  const texts = view.texts.keyPages.inactive
  if (state === "active") return null
  const { revoked, expired, validUntil } = texts
  const sentence = { revoked, expired, ending: validUntil }[state]
  const endsAt = key.revokedAt ?? key.expiresAt
  return (
    <p class={`notice ${tones[state]}`}>
      {key.replacedAt !== null && (
        <SentenceWithTime view={view} at={key.replacedAt} sentence={texts.rotated} />
      )}{" "}
      {endsAt !== null && <SentenceWithTime view={view} at={endsAt} sentence={sentence} />}{" "}
      {state === "ending" && view.texts.keys.rotate.usage(requestsOfWeek(usage))}{" "}
      {successor !== null && (
        <>
          {texts.successor}{" "}
          <a href={view.paths.key(successor.id)}>
            <bdi>{successor.name}</bdi> <span class="mono">{successor.mask}</span>
          </a>
        </>
      )}
    </p>
  )
}

export const ShippedNotice = ({ view, facts }: NoticeProps) => (
  <p class="notice warning">
    {view.texts.keys.shipped(facts.usage?.ipRanges ?? 0)}{" "}
    {may(view, "secrets") && (
      <a href={view.paths.newValidationKey}>{view.texts.overview.start.ship.action}</a>
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
