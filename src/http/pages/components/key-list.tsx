/** The list of keys in the workspace and the console. Its search also finds the owner of a pasted key. */

import type { AccountStore } from "../../../domain/catalog/account.ts"
import {
  containsKey,
  extractSecret,
  type KeyCipher,
  keyKinds,
  maskOf,
  parseKeyEnding,
  publicTestSecret,
  type StoredKey,
} from "../../../domain/keys/api-key.ts"
import { type KeySearch, keySorts } from "../../../domain/keys/key-search.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import {
  isUsedSinceRotation,
  type KeyFacts,
  type KeyReads,
  listKeyFacts,
  requestsOfMonth,
} from "../key-facts.ts"
import type { PageContext } from "../page-context.ts"
import type { View } from "../view.ts"
import type { Column } from "./data-table.tsx"
import { pastedUnitsMax } from "./form-fields.tsx"
import { displayName } from "./formatted-values.tsx"
import { keyStatus, StatePill } from "./key-state.tsx"
import { Warning } from "./layout.tsx"
import { FilterSelect, type ListRequest, type OpenList, readByOffset } from "./list.tsx"

export type ListedKey = KeyFacts &
  Readonly<{
    mask: string
    /** Whether the key is used although it was rotated or is inactive. */
    isStillUsed: boolean
    isAuthorSuspended: boolean
  }>

export const keyFilterNames = ["kind", "state"] as const

export type KeyListServices = KeyReads &
  Readonly<{
    accounts: Pick<AccountStore, "find">
    keyCipher: Pick<KeyCipher, "decrypt">
    keySearch: KeySearch
  }>

type KeyListOptions = Readonly<{
  /** Null for the keys of all authors. */
  accountId: number | null
  /** Inactive keys that still send requests. */
  usedIds?: ReadonlySet<string>
}>

type KeyRequest = ListRequest<"kind" | "state">

export function openKeyList(
  services: KeyListServices,
  view: View,
  request: KeyRequest,
  { accountId, usedIds }: KeyListOptions,
): Pick<OpenList<ListedKey>, "read" | "search" | "filters"> {
  const { keySearch, now } = services
  const { text, filters, sort } = request
  const at = formatTimestamp(now())
  const sorting = {
    sort: keySorts.find((each) => each === sort?.name) ?? keySorts[0],
    isDescending: sort === null || sort.direction === "descending",
  }
  return {
    search: accountId === null ? view.texts.keys.searchAll : view.texts.keys.search,
    filters: <KeyFilters view={view} filters={filters} />,
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
  usedIds: ReadonlySet<string> = new Set(),
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

const KeyFilters = ({ view, filters }: Pick<KeyRequest, "filters"> & { view: View }) => {
  const { keys, keyPages } = view.texts
  return (
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
        label={view.texts.columns.state}
        every={keys.states.live}
        options={[
          ["inactive", keys.states.inactive],
          ["all", keys.states.all],
        ]}
        chosen={filters.state}
      />
    </>
  )
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
    { head: keyPages.table.kind, value: ({ key }) => keys.shortKinds[key.kind], priority: 2 },
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
      value: ({ usage }) => usage?.lastUsedAt ?? null,
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
export async function redirectPastedKey<Visitor>(
  c: PageContext<Visitor>,
  find: (pasted: string) => Promise<StoredKey | null>,
  pathOf: (keyId: string) => string,
): Promise<Response | null> {
  if (c.req.method !== "POST") return null
  const pasted = c.get("form").raw("q").slice(0, pastedUnitsMax)
  const key = await find(pasted)
  if (key !== null) return c.redirect(pathOf(key.id), 303)
  if (!containsKey(pasted)) return null
  const isPublic = extractSecret(pasted) === publicTestSecret
  return c.redirect(`${c.req.path}?problem=${isPublic ? "public-test-key" : "unknown-key"}`, 303)
}

type ProblemProps<Visitor> = Readonly<{ view: View; c: PageContext<Visitor>; unknown: string }>

export function PastedKeyProblem<Visitor>({ view, c, unknown }: ProblemProps<Visitor>) {
  const problem = c.req.query("problem")
  const { publicTest } = view.texts.keyPages.find
  if (problem === "unknown-key") return <Warning text={unknown} />
  return problem === "public-test-key" ? <Warning text={publicTest} /> : null
}
