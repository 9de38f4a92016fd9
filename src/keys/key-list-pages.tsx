import type { Child } from "hono/jsx"
import { may } from "../access/page-view.ts"
import { routes, workspaceOf } from "../access/paths.ts"
import { keyKinds, publicTestSecret } from "../contract/operation.ts"
import { currentView, Page, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { type Column, column, RowMenu, stateColumn } from "../platform/pages/data-table.tsx"
import {
  ButtonLink,
  CopyButton,
  displayName,
  PostForm,
  pastedUnitsMax,
} from "../platform/pages/elements.tsx"

import { Warning } from "../platform/pages/layout.tsx"
import {
  addList,
  FilterSelect,
  type ListRequest,
  type OpenList,
  readByOffset,
} from "../platform/pages/list.tsx"

import { type FoundGroup, foundMax } from "../platform/pages/search.tsx"
import { currentLocale, t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import { daysShown, listInactiveKeyUse } from "../usage/usage.ts"
import {
  containsKey,
  extractSecret,
  isLive,
  keySorts,
  maskOf,
  parseKeyEnding,
  type StoredKey,
} from "./key.ts"
import {
  describeStatus,
  isUsedSinceRotation,
  type KeyFacts,
  type KeyPageServices,
  type KeySearchServices,
  keyKindTexts,
  keyScopeTexts,
  listKeyFacts,
  shortKeyKindTexts,
  sumRequests,
} from "./key-facts.tsx"
import { findPastedKey } from "./key-operations.ts"
import { addKeyRoutes } from "./key-pages.tsx"
import { addNewKeyRoutes } from "./new-key-pages.tsx"

export function addKeyPages(app: PageApp, services: KeyPageServices): void {
  // Before the route of a key, which would match "new".
  addNewKeyRoutes(app, services)
  addList(app, {
    path: routes.keys,
    file: "keys",
    filterNames: ["kind", "state"],
    isPrivate: true,
    async open(c, request) {
      const { paths } = currentView()
      const found = await redirectPastedKey(
        c,
        (pasted) => findPastedKey(services, c.var.account.id, pasted),
        ({ id }) => `${paths.key(id)}${may("secrets") ? "/leak?done=found" : ""}`,
      )
      return found ?? openKeyList(c, services, request)
    },
  })
  addKeyRoutes(app, services)
}

type ListedKey = KeyFacts &
  Readonly<{ mask: string; isStillUsed: boolean; isAuthorSuspended: boolean }>

async function openKeyList(
  c: PageContext,
  services: KeyPageServices,
  { text, filters, sort }: ListRequest<"kind" | "state">,
): Promise<OpenList<ListedKey>> {
  const { failedRequests, keyCipher, keySearch, now } = services
  const { id: accountId, isSuspended: isAuthorSuspended } = c.var.account
  const { paths } = currentView()
  const at = formatTimestamp(now())
  /** Inactive keys that still send requests. */
  const usedIds = new Set(listInactiveKeyUse(await failedRequests.list(accountId, at)).keys())
  return {
    columns: keyColumns(),
    read: (after, rowsMax) =>
      readByOffset(after, rowsMax, async (offset) => {
        const { ids, total } = await keySearch.search({
          ...{ accountId, text, at, offset, rowsMax },
          sort: keySorts.find((each) => each === sort.replace(/^-/, "")) ?? keySorts[0],
          isDescending: sort === "" || sort.startsWith("-"),
          kind: keyKinds.find((each) => each === filters.kind) ?? null,
          isLive: filters.state === "all" ? null : filters.state !== "inactive",
          matchingIds: await listByEnding(services, accountId, text),
        })
        const rows = (await listKeyFacts(services, ids)).map((facts) => ({
          ...facts,
          mask: maskOf(keyCipher, facts.key),
          isStillUsed: usedIds.has(facts.key.id) || isUsedSinceRotation(facts, at),
          isAuthorSuspended,
        }))
        return { rows, total }
      }),
    linkOf: ({ key }) => paths.key(key.id),
    menuOf: (row) => <KeyMenu facts={row} />,
    search: t("Name, last four characters or a whole key"),
    filters: <KeyFilters filters={filters} />,
    empty:
      text === "" && filters.kind === "" && filters.state === ""
        ? t("You have no valid key. Create one to send requests.")
        : t("No results match this filter."),
    page: (list) => (
      <KeyListPage c={c} used={filters.state === "" ? usedIds.size : 0}>
        {list}
      </KeyListPage>
    ),
  }
}

const KeyFilters = ({ filters }: Pick<ListRequest<"kind" | "state">, "filters">) => (
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
      options={[
        ["inactive", t("Inactive keys")],
        ["all", t("All keys")],
      ]}
      chosen={filters.state}
    />
  </>
)

type PageProps = Readonly<{ c: PageContext; used: number; children?: Child }>

/** `used` inactive keys still send requests. */
const KeyListPage = ({ c, used, children }: PageProps) => {
  const { paths } = currentView()
  const add = may("secrets") && (
    <ButtonLink href={paths.newKey}>{t("Create a key # another")}</ButtonLink>
  )
  return (
    <Page title={t("API Access")} action={add}>
      <PastedKeyProblem
        c={c}
        unknown={t(
          "This key is not yours. If you found it in public, report it to your marketplace.",
        )}
      />
      {used > 0 && (
        <p class="notice warning">
          {t("{n inactive key still sends|inactive keys still send} requests.", { n: used })}{" "}
          <a href={`${paths.keys}?state=inactive`}>{t("Inactive keys")}</a>
        </p>
      )}
      <PostForm id={revealFormId} />
      {children}
    </Page>
  )
}

const keyColumns = (): readonly Column<ListedKey>[] => [
  column(t("Name"), ({ key }) => displayName(key.name, key.id), { sort: "name", isWide: true }),
  column(t("Key"), ({ mask }) => mask, { kind: "code" }),
  column(
    t("Type"),
    ({ key: { kind, scope } }) =>
      scope === null ? t(shortKeyKindTexts[kind]) : t(keyScopeTexts[scope].name),
    { priority: 2 },
  ),
  stateColumn(t("Status"), describeStatus),
  column(t("Requests, 30 days"), ({ usage }) => sumRequests(usage, daysShown), {
    kind: "number",
    priority: 3,
    cell: ({ usage }) => (
      <span class="use">
        <Sparkline days={usage?.days ?? []} />
        {sumRequests(usage, daysShown).toLocaleString(currentLocale())}
      </span>
    ),
  }),
  column(t("Last used"), ({ usage }) => usage?.lastUsedAt ?? null, { kind: "time", sort: "used" }),
  column(t("Created # date"), ({ key }) => key.createdAt, {
    kind: "time",
    sort: "created",
    priority: 3,
  }),
  column(t("Expires"), ({ key }) => key.expiresAt, { kind: "time", on: "csv" }),
  column(t("Key ID"), ({ key }) => key.id, { on: "csv" }),
]

/** Requests of 30 days. Hidden from screen readers: the number is beside it. */
function Sparkline({ days }: Readonly<{ days: readonly number[] }>) {
  const highest = Math.max(1, ...days)
  // A day with few requests is still visible.
  const heights = days.map((calls) => (calls === 0 ? 0 : Math.max(3, (calls / highest) * 20)))
  const steps = heights.map((height) => `V${20 - Math.round(height)}h3`)
  return (
    <svg class="spark" viewBox="0 0 90 20" width="90" height="20" aria-hidden="true">
      <path d={`M0 20${steps.join("")}V20z`} />
    </svg>
  )
}

/** One form for all "Reveal" buttons of the page. Each button submits its own key ID. */
const revealFormId = "reveal"

const KeyMenu = ({ facts: { key, state } }: { facts: KeyFacts }) => {
  const path = currentView().paths.key(key.id)
  return (
    <RowMenu id={key.id} name={key.name}>
      {isLive(state) && may("secrets") && (
        <>
          <button type="submit" class="link" form={revealFormId} formaction={`${path}/reveal`}>
            {t("Reveal")}
          </button>
          {state === "active" && (
            <a href={`${path}/replace`} data-dialog>
              {t("Rotate")}
            </a>
          )}
          <a href={`${path}/leak`} data-dialog>
            {t("This key leaked")}
          </a>
        </>
      )}
      {isLive(state) && may("manage") && (
        <>
          <a href={`${path}#rename`}>{t("Rename")}</a>
          <a href={`${path}/revoke`} data-dialog>
            {t("Revoke")}
          </a>
        </>
      )}
      <CopyButton text={key.id} label={t("Copy key ID")} />
    </RowMenu>
  )
}

/** The keys of one account that end in this text. Those of all accounts would take too long to decrypt. */
async function listByEnding(
  { keys, keyCipher }: Pick<KeySearchServices, "keys" | "keyCipher">,
  accountId: number | null,
  text: string,
): Promise<readonly string[]> {
  const ending = parseKeyEnding(text)
  if (ending === null || accountId === null) return []
  const all = await keys.list(accountId)
  return all.filter((key) => maskOf(keyCipher, key).endsWith(`…${ending}`)).map(({ id }) => id)
}

/** For the search page. `accountId` is null for the keys of all authors. */
export async function findKeys(
  services: KeySearchServices,
  { accountId, text }: Readonly<{ accountId: number | null; text: string }>,
): Promise<FoundGroup> {
  const { ids, total } = await services.keySearch.search({
    ...{ accountId, text, kind: null, isLive: null, at: formatTimestamp(services.now()) },
    ...{ sort: "created", isDescending: true, offset: 0, rowsMax: foundMax },
    matchingIds: await listByEnding(services, accountId, text),
  })
  const rows = (await listKeyFacts(services, ids)).map(
    ({ key: { id, name, kind, username } }) =>
      [
        workspaceOf(username).key(id),
        displayName(name, id),
        accountId === null ? username : t(keyKindTexts[kind]),
      ] as const,
  )
  return { title: t("API Access"), rows, total }
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
