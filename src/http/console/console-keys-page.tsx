/** Keys of all authors, and the owner of a pasted key. The pasted text is neither stored nor shown again. */

import {
  extractSecret,
  isLive,
  keyKinds,
  maskOf,
  publicTestSecret,
  type StoredKey,
  stateOf,
} from "../../domain/keys/api-key.ts"
import type { InactiveKeyUse } from "../../domain/usage/failed-requests.ts"
import type { KeyFilter } from "../../domain/usage/operator-lists.ts"
import { trimWhitespace } from "../../domain/values/text.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { findPastedKeyOfAny } from "../../operations/keys/find-key.ts"
import { Copyable } from "../pages/components/copy-button.tsx"
import { InactiveKeyRequests } from "../pages/components/failed-requests.tsx"
import { Field, PostForm, QuietButton, Select } from "../pages/components/form-fields.tsx"
import {
  displayName,
  Fact,
  NamedLink,
  RelativeTime,
} from "../pages/components/formatted-values.tsx"
import { type Column, QuietLink, Table } from "../pages/components/panels-and-tables.tsx"
import { type CsvColumn, csvTimestamp, pagesByCursor, sendCsv } from "../pages/csv.ts"
import {
  type KeyFacts,
  listCallers,
  listKeyFacts,
  looksShipped,
  requestsOfMonth,
  requestsOfWeek,
} from "../pages/key-facts.ts"
import { shorten } from "../pages/translations/plurals.ts"
import { ConsoleKeyState } from "./authors-page.tsx"
import {
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
} from "./layout/console-context.ts"
import { type ChosenAuthor, ConsolePage } from "./layout/console-layout.tsx"
import { type KeysQuery, paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"
import { AuthorFilter, findAuthor, ListFooter, pageRows } from "./layout/list-components.tsx"

export function addKeysRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { accounts, keys, operatorLists, usage, keyCipher, now } = services

  async function readQuery(c: ConsoleContext) {
    const { kind = "", state = "" } = c.req.query()
    const author = await findAuthor(services, c.req.query("author"))
    const chosenKind = keyKinds.find((each) => each === kind) ?? null
    const filter: KeyFilter = {
      accountId: author?.id ?? null,
      kind: chosenKind,
      isLive: state === "live" || state === "ended" ? state === "live" : null,
      at: formatTimestamp(now()),
      text: "",
    }
    const query = {
      author: author === null ? "" : String(author.id),
      kind: chosenKind ?? "",
      state,
    }
    return { author, filter, query }
  }
  function listAll(filter: KeyFilter) {
    const read = (after: string | null, rowsMax: number) =>
      operatorLists.listKeys(filter, after, rowsMax)
    const listIds = pagesByCursor(read, (id) => id)
    return async function* listPages(rowsMax: () => number) {
      for await (const ids of listIds(rowsMax)) yield await listMasked(services, ids)
    }
  }
  app.get(paths.keysCsv({}), async (c) => {
    const { filter } = await readQuery(c)
    return sendCsv(c, "keys", csvColumns(viewOf(c)), listAll(filter))
  })

  async function showList(c: ConsoleContext, problem: string | null) {
    const { author, filter, query } = await readQuery(c)
    const after = c.req.query("after") ?? ""
    const ids = await operatorLists.listKeys(filter, after || null, pageRows + 1)
    return (
      <ConsoleKeysPage
        view={viewOf(c)}
        problem={problem}
        query={query}
        author={author}
        keys={await listMasked(services, ids.slice(0, pageRows))}
        hasMore={ids.length > pageRows}
      />
    )
  }

  app.get(paths.keys, async (c) => c.html(await showList(c, null)))

  app.post(paths.keys, async (c) => {
    const view = viewOf(c)
    const show = async (problem: string) => c.html(await showList(c, problem), 422)
    const pasted = c.get("form").raw("key")
    if (trimWhitespace(pasted) === "") return show(view.texts.keyPages.find.empty)
    if (extractSecret(pasted) === publicTestSecret) return show(view.texts.keyPages.find.publicTest)
    const key = await findPastedKeyOfAny({ keys, keyCipher }, pasted)
    return key === null ? show(view.texts.consoleKeys.none) : c.redirect(paths.key(key.id), 303)
  })

  app.get(`${paths.keys}/:id`, async (c) => {
    const key = await keys.find(c.req.param("id"))
    if (key === null) return c.notFound()
    const at = formatTimestamp(now())
    const facts = { key, state: stateOf(key, at), usage: await usage.findByKey(key.id, at) }
    const author = await accounts.find(key.accountId)
    return c.html(
      <ConsoleKeyPage
        view={viewOf(c)}
        facts={facts}
        mask={maskOf(keyCipher, key)}
        inactiveKeyRequests={await listCallers(services, facts)}
        isAuthorSuspended={author?.isSuspended ?? false}
      />,
    )
  })
}

function csvColumns(view: ConsoleView): readonly CsvColumn<MaskedKey>[] {
  const { authors, consoleKeys: keys } = view.texts
  const texts = view.texts.keys
  return [
    { head: texts.actions.id, cell: ({ key }) => key.id },
    { head: view.texts.columns.key, cell: ({ key }) => key.name },
    { head: view.texts.keyPages.table.kind, cell: ({ key }) => texts.kinds[key.kind] },
    { head: keys.lastCharacters, cell: ({ mask }) => mask },
    { head: authors.author, cell: ({ key }) => key.username },
    {
      head: view.texts.columns.state,
      cell: ({ state, isAuthorSuspended }) =>
        isAuthorSuspended && isLive(state)
          ? authors.suspended
          : isLive(state)
            ? texts.state.active
            : keys.inactive,
    },
    { head: view.texts.keyPages.table.use, cell: ({ usage }) => requestsOfMonth(usage) },
    {
      head: view.texts.lists.csv.inUtc(texts.lastUsed),
      cell: ({ usage }) => (usage?.lastUsedAt ? csvTimestamp(usage.lastUsedAt) : null),
    },
  ]
}

export type MaskedKey = KeyFacts & Readonly<{ mask: string; isAuthorSuspended: boolean }>

export async function listMasked(
  services: ConsoleServices,
  ids: readonly string[],
): Promise<readonly MaskedKey[]> {
  const { accounts, keyCipher } = services
  const facts = await listKeyFacts(services, ids)
  const owners = new Set(facts.map(({ key }) => key.accountId))
  const authors = await Promise.all([...owners].map((id) => accounts.find(id)))
  const suspended = new Set(authors.flatMap((author) => (author?.isSuspended ? author.id : [])))
  return facts.map((each) => ({
    ...each,
    mask: maskOf(keyCipher, each.key),
    isAuthorSuspended: suspended.has(each.key.accountId),
  }))
}

type KeysProps = Readonly<{
  view: ConsoleView
  problem: string | null
  query: KeysQuery
  /** Null for keys of all authors. */
  author: ChosenAuthor | null
  keys: readonly MaskedKey[]
  hasMore: boolean
}>

export const ConsoleKeysPage = (props: KeysProps) => {
  const { view, problem, query, author, hasMore } = props
  const { consoleKeys: keys, lists } = view.texts
  const after = props.keys.at(-1)?.key.id ?? ""
  const next = hasMore ? paths.keysAt({ ...query, after }) : null
  return (
    <ConsolePage view={view} title={keys.title} problem={problem} author={author}>
      <p>{keys.intro}</p>
      <PostForm view={view} action={paths.keys} class="filter">
        <Field name="key" label={view.texts.columns.key} autocomplete="off" error={problem} />
        <button type="submit">{keys.submit}</button>
      </PostForm>
      <form method="get" action={paths.keys} class="filter">
        <AuthorFilter view={view} author={author} all={paths.keysAt({ ...query, author: "" })} />
        <Select
          name="kind"
          label={view.texts.keyPages.table.kind}
          every={lists.every}
          options={keyKinds.map((each) => [each, view.texts.keys.kinds[each]])}
          chosen={query.kind}
        />
        <Select
          name="state"
          label={view.texts.columns.state}
          every={lists.every}
          options={[
            ["live", keys.activeOrRotated],
            ["ended", keys.inactive],
          ]}
          chosen={query.state}
        />
        <QuietButton>{view.texts.audit.filter}</QuietButton>
      </form>
      {props.keys.length === 0 ? (
        <p class="empty">{lists.none}</p>
      ) : (
        <>
          <ConsoleKeyTable view={view} keys={props.keys} />
          <ListFooter view={view} csv={paths.keysCsv(query)} next={next} />
        </>
      )}
    </ConsolePage>
  )
}

type TableProps = Readonly<{
  view: ConsoleView
  keys: readonly MaskedKey[]
  isOfOne?: boolean
}>

const authorColumn = (view: ConsoleView): Column<MaskedKey> => ({
  head: view.texts.authors.author,
  cell: ({ key }) => (
    <NamedLink class="clamp" href={paths.author(key.accountId)} name={key.username} />
  ),
})

const revokeColumn = (view: ConsoleView): Column<MaskedKey> => ({
  head: <span class="visually-hidden">{view.texts.keys.actions.revoke}</span>,
  cell: ({ key, state }) =>
    isLive(state) && (
      <QuietLink href={pathOfRevoke(key)}>
        {view.texts.keys.actions.revoke}
        <span class="visually-hidden">
          {" "}
          <bdi>{key.name}</bdi>
        </span>
      </QuietLink>
    ),
})

const pathOfRevoke = ({ id, accountId }: Pick<StoredKey, "id" | "accountId">) =>
  `${paths.author(accountId)}/keys/${encodeURIComponent(id)}/revoke`

export const ConsoleKeyTable = ({ view, keys, isOfOne = false }: TableProps) => (
  <Table
    rows={keys}
    columns={[
      {
        head: view.texts.columns.key,
        cell: ({ key }) => (
          <>
            <div>
              <NamedLink
                class="clamp"
                href={paths.key(key.id)}
                name={displayName(key.name, key.id)}
              />
            </div>{" "}
            <span class="hint">
              {view.texts.keys.kinds[key.kind]}, <Copyable view={view} text={key.id} />
            </span>
          </>
        ),
      },
      { head: view.texts.consoleKeys.lastCharacters, class: "mono", cell: ({ mask }) => mask },
      ...(isOfOne ? [] : [authorColumn(view)]),
      {
        head: view.texts.columns.state,
        isClear: true,
        cell: (facts) => (
          <ConsoleKeyState view={view} facts={facts} isAuthorSuspended={facts.isAuthorSuspended} />
        ),
      },
      {
        head: view.texts.keyPages.table.use,
        isNumber: true,
        cell: ({ usage }) => requestsOfMonth(usage).toLocaleString(view.locale),
      },
      {
        head: view.texts.keys.lastUsed,
        cell: ({ usage }) => <RelativeTime view={view} at={usage?.lastUsedAt ?? null} />,
      },
      ...(isOfOne ? [revokeColumn(view)] : []),
    ]}
  />
)

type KeyProps = Readonly<{
  view: ConsoleView
  facts: KeyFacts
  mask: string
  /** Empty for valid keys. */
  inactiveKeyRequests: readonly InactiveKeyUse[]
  isAuthorSuspended: boolean
}>

export const ConsoleKeyPage = (props: KeyProps) => {
  const { view, facts, mask, inactiveKeyRequests, isAuthorSuspended } = props
  const { key, state, usage } = facts
  const { consoleKeys: keys } = view.texts
  const texts = view.texts.keys
  const number = (n: number) => n.toLocaleString(view.locale)
  return (
    <ConsolePage view={view} title={displayName(key.name, key.id)}>
      {state === "active" && looksShipped(facts) && <p class="notice warning">{keys.shipped}</p>}
      <section class="panel">
        <dl class="facts">
          <Fact name={view.texts.authors.author}>
            <NamedLink href={paths.author(key.accountId)} name={key.username} />
          </Fact>
          <Fact name={view.texts.columns.key} class="mono" value={mask} />
          <Fact name={texts.actions.id} value={<Copyable view={view} text={key.id} />} />
          <Fact name={view.texts.columns.state}>
            <ConsoleKeyState view={view} facts={facts} isAuthorSuspended={isAuthorSuspended} />
          </Fact>
          <Fact name={view.texts.keyPages.table.kind} value={texts.kinds[key.kind]} />
          <Fact name={view.texts.items.title}>
            {key.itemIds === null ? texts.allItems : shorten(key.itemIds.map(String))}
          </Fact>
          <Fact name={texts.created} value={<RelativeTime view={view} at={key.createdAt} />} />
          <Fact name={texts.expires}>
            {key.expiresAt === null ? (
              texts.new.expiries.never
            ) : (
              <RelativeTime view={view} at={key.expiresAt} />
            )}
          </Fact>
          <Fact name={texts.lastUsed}>
            <RelativeTime view={view} at={usage?.lastUsedAt ?? null} />
          </Fact>
          <Fact name={view.texts.authors.requests} value={number(requestsOfWeek(usage))} />
          <Fact name={view.texts.traffic.ipRanges} value={number(usage?.ipRanges ?? 0)} />
        </dl>
        {isLive(state) && (
          <p class="actions">
            <QuietLink href={pathOfRevoke(key)}>{texts.actions.revoke}</QuietLink>
          </p>
        )}
      </section>
      {!isLive(state) && (
        <InactiveKeyRequests
          view={view}
          logPath={paths.authorLog(key.accountId, { key: key.id })}
          ipRanges={inactiveKeyRequests}
        />
      )}
    </ConsolePage>
  )
}
