/** The keys of all authors, and whose a pasted one is. The pasted text is neither kept nor shown again. */

import {
  isLive,
  keyKinds,
  maskOf,
  publicTestSecret,
  type StoredKey,
  secretIn,
  stateOf,
} from "../../domain/keys/api-key.ts"
import type { StillCalling } from "../../domain/usage/failed-calls.ts"
import type { KeyFilter } from "../../domain/usage/operator-lists.ts"
import { trimBlank } from "../../domain/values/text.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { findPastedKeyOfAny } from "../../operations/keys/find-key.ts"
import { type CsvColumn, csvMoment, pagesAfter, sendCsv } from "../pages/csv.ts"
import {
  callsOfMonth,
  callsOfWeek,
  type KeyFacts,
  listCallers,
  listKeyFacts,
  looksShipped,
} from "../pages/key-facts.ts"
import { type Column, QuietLink, Table } from "../pages/parts/blocks.tsx"
import { Copyable } from "../pages/parts/copy.tsx"
import { StillCalled } from "../pages/parts/failed-calls.tsx"
import { Field, PostForm, QuietButton, Select } from "../pages/parts/fields.tsx"
import { Fact, Moment, NamedLink, shownName } from "../pages/parts/values.tsx"
import { shorten } from "../pages/translations/counting.ts"
import { ConsoleKeyState } from "./authors.tsx"
import {
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
} from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { type KeysQuery, paths } from "./frame/console-paths.ts"
import {
  AuthorTabs,
  type ChosenAuthor,
  findAuthor,
  ListEnd,
  OfAuthor,
  pageRows,
} from "./frame/lists.tsx"
import type { ConsoleServices } from "./frame/services.ts"

export function addKeysRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { accounts, keys, operatorLists, usage, vault, now } = services

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
    const listIds = pagesAfter(read, (id) => id)
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
    const pasted = c.get("form").exact("key")
    if (trimBlank(pasted) === "") return show(view.words.keyPages.find.blank)
    if (secretIn(pasted) === publicTestSecret) return show(view.texts.keys.publicTest)
    const key = await findPastedKeyOfAny({ keys, vault }, pasted)
    return key === null ? show(view.texts.keys.none) : c.redirect(paths.key(key.id), 303)
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
        mask={maskOf(vault, key)}
        stillCalling={await listCallers(services, facts)}
        isAuthorSuspended={author?.isSuspended ?? false}
      />,
    )
  })
}

function csvColumns(view: ConsoleView): readonly CsvColumn<MaskedKey>[] {
  const { authors, keys } = view.texts
  const words = view.words.keys
  return [
    { head: words.one.id, cell: ({ key }) => key.id },
    { head: view.words.columns.key, cell: ({ key }) => key.name },
    { head: view.words.keyPages.table.kind, cell: ({ key }) => words.kinds[key.kind] },
    { head: keys.ending, cell: ({ mask }) => mask },
    { head: authors.author, cell: ({ key }) => key.username },
    {
      head: view.words.columns.state,
      cell: ({ state, isAuthorSuspended }) =>
        isAuthorSuspended && isLive(state)
          ? authors.suspended
          : isLive(state)
            ? keys.live
            : keys.ended,
    },
    { head: view.words.keyPages.table.use, cell: ({ usage }) => callsOfMonth(usage) },
    {
      head: view.words.csv.inUtc(words.lastUsed),
      cell: ({ usage }) => (usage?.lastUsedAt ? csvMoment(usage.lastUsedAt) : null),
    },
  ]
}

export type MaskedKey = KeyFacts & Readonly<{ mask: string; isAuthorSuspended: boolean }>

/** The keys with these ids, as the tables of the console show them. */
export async function listMasked(
  services: ConsoleServices,
  ids: readonly string[],
): Promise<readonly MaskedKey[]> {
  const { accounts, vault } = services
  const facts = await listKeyFacts(services, ids)
  const owners = new Set(facts.map(({ key }) => key.accountId))
  const authors = await Promise.all([...owners].map((id) => accounts.find(id)))
  const suspended = new Set(authors.flatMap((author) => (author?.isSuspended ? author.id : [])))
  return facts.map((each) => ({
    ...each,
    mask: maskOf(vault, each.key),
    isAuthorSuspended: suspended.has(each.key.accountId),
  }))
}

type KeysProps = Readonly<{
  view: ConsoleView
  problem: string | null
  query: KeysQuery
  /** Whose keys are listed; null for those of all. */
  author: ChosenAuthor | null
  keys: readonly MaskedKey[]
  hasMore: boolean
}>

export const ConsoleKeysPage = (props: KeysProps) => {
  const { view, problem, query, author, hasMore } = props
  const { keys, lists } = view.texts
  const after = props.keys.at(-1)?.key.id ?? ""
  const next = hasMore ? paths.keysAt({ ...query, after }) : null
  return (
    <ConsolePage view={view} title={keys.title} problem={problem}>
      {author !== null && <AuthorTabs view={view} author={author} />}
      <p>{keys.intro}</p>
      <PostForm view={view} action={paths.keys} class="filter">
        <Field name="key" label={view.words.columns.key} autocomplete="off" error={problem} />
        <button type="submit">{keys.submit}</button>
      </PostForm>
      <form method="get" action={paths.keys} class="filter">
        <OfAuthor view={view} author={author} all={paths.keysAt({ ...query, author: "" })} />
        <Select
          name="kind"
          label={view.words.keyPages.table.kind}
          every={lists.every}
          options={keyKinds.map((each) => [each, view.words.keys.kinds[each]])}
          chosen={query.kind}
        />
        <Select
          name="state"
          label={view.words.columns.state}
          every={lists.every}
          options={[
            ["live", keys.notEnded],
            ["ended", keys.ended],
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
          <ListEnd view={view} csv={paths.keysCsv(query)} next={next} />
        </>
      )}
    </ConsolePage>
  )
}

type TableProps = Readonly<{
  view: ConsoleView
  keys: readonly MaskedKey[]
  /** All are keys of the author whose page this is. */
  isOfOne?: boolean
}>

const authorColumn = (view: ConsoleView): Column<MaskedKey> => ({
  head: view.texts.authors.author,
  cell: ({ key }) => (
    <NamedLink class="clamp" href={paths.author(key.accountId)} name={key.username} />
  ),
})

const revokeColumn = (view: ConsoleView): Column<MaskedKey> => ({
  head: <span class="visually-hidden">{view.words.keys.one.revoke}</span>,
  cell: ({ key, state }) =>
    isLive(state) && (
      <QuietLink href={pathOfRevoke(key)}>
        {view.words.keys.one.revoke}
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
        head: view.words.columns.key,
        cell: ({ key }) => (
          <>
            <div>
              <NamedLink
                class="clamp"
                href={paths.key(key.id)}
                name={shownName(key.name, key.id)}
              />
            </div>{" "}
            <span class="hint">
              {view.words.keys.kinds[key.kind]}, <Copyable view={view} text={key.id} />
            </span>
          </>
        ),
      },
      { head: view.texts.keys.ending, class: "mono", cell: ({ mask }) => mask },
      ...(isOfOne ? [] : [authorColumn(view)]),
      {
        head: view.words.columns.state,
        isClear: true,
        cell: (facts) => (
          <ConsoleKeyState view={view} facts={facts} isAuthorSuspended={facts.isAuthorSuspended} />
        ),
      },
      {
        head: view.words.keyPages.table.use,
        isNumber: true,
        cell: ({ usage }) => callsOfMonth(usage).toLocaleString(view.locale),
      },
      {
        head: view.words.keys.lastUsed,
        cell: ({ usage }) => <Moment view={view} at={usage?.lastUsedAt ?? null} />,
      },
      ...(isOfOne ? [revokeColumn(view)] : []),
    ]}
  />
)

type KeyProps = Readonly<{
  view: ConsoleView
  facts: KeyFacts
  mask: string
  /** Empty while the key works. */
  stillCalling: readonly StillCalling[]
  isAuthorSuspended: boolean
}>

export const ConsoleKeyPage = (props: KeyProps) => {
  const { view, facts, mask, stillCalling, isAuthorSuspended } = props
  const { key, state, usage } = facts
  const { keys } = view.texts
  const words = view.words.keys
  const number = (n: number) => n.toLocaleString(view.locale)
  return (
    <ConsolePage view={view} title={shownName(key.name, key.id)}>
      {state === "active" && looksShipped(facts) && <p class="notice warning">{keys.shipped}</p>}
      <section class="panel">
        <dl class="facts">
          <Fact name={view.texts.authors.author}>
            <NamedLink href={paths.author(key.accountId)} name={key.username} />
          </Fact>
          <Fact name={view.words.columns.key} class="mono" value={mask} />
          <Fact name={words.one.id} value={<Copyable view={view} text={key.id} />} />
          <Fact name={view.words.columns.state}>
            <ConsoleKeyState view={view} facts={facts} isAuthorSuspended={isAuthorSuspended} />
          </Fact>
          <Fact name={view.words.keyPages.table.kind} value={words.kinds[key.kind]} />
          <Fact name={view.words.items.title}>
            {key.itemIds === null ? words.allItems : shorten(key.itemIds.map(String))}
          </Fact>
          <Fact name={words.created} value={<Moment view={view} at={key.createdAt} />} />
          <Fact name={words.expires}>
            {key.expiresAt === null ? (
              words.new.expiries.never
            ) : (
              <Moment view={view} at={key.expiresAt} />
            )}
          </Fact>
          <Fact name={words.lastUsed}>
            <Moment view={view} at={usage?.lastUsedAt ?? null} />
          </Fact>
          <Fact name={keys.calls} value={number(callsOfWeek(usage))} />
          <Fact name={view.texts.traffic.networks} value={number(usage?.networks ?? 0)} />
        </dl>
        {isLive(state) && (
          <p class="actions">
            <QuietLink href={pathOfRevoke(key)}>{words.one.revoke}</QuietLink>
          </p>
        )}
      </section>
      {!isLive(state) && (
        <StillCalled
          view={view}
          logPath={paths.authorLog(key.accountId, { key: key.id })}
          networks={stillCalling}
        />
      )}
    </ConsolePage>
  )
}
