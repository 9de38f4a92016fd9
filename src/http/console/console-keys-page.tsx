/** Keys of all authors, and the owner of a pasted key. The pasted text is neither stored nor shown again. */

import type { Account } from "../../domain/catalog/account.ts"
import { isLive, maskOf, type StoredKey, stateOf } from "../../domain/keys/api-key.ts"
import type { InactiveKeyUse } from "../../domain/usage/usage.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { findPastedKey } from "../../operations/keys/key-operations.ts"
import { type Column, RowMenu } from "../pages/components/data-table.tsx"
import {
  Copyable,
  CopyButton,
  displayName,
  Fact,
  NamedLink,
  QuietLink,
  RelativeTime,
} from "../pages/components/elements.tsx"
import { InactiveKeyRequests } from "../pages/components/failed-requests.tsx"
import {
  type KeyFacts,
  keyColumns,
  keyFilterNames,
  type ListedKey,
  listCallers,
  looksShipped,
  openKeyList,
  PastedKeyProblem,
  redirectPastedKey,
  requestsOfWeek,
  StatePill,
} from "../pages/components/keys.tsx"
import { addList } from "../pages/components/list.tsx"
import type { PageApp, View } from "../pages/page-context.ts"
import { withQuery } from "../pages/paths.ts"
import { shorten } from "../pages/translations/text.ts"
import { findAuthor, may } from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

export function addKeysRoutes(app: PageApp, services: ConsoleServices): void {
  const { accounts, keys, usage, keyCipher, now } = services

  addList(app, {
    path: paths.keys,
    file: "keys",
    filterNames: [...keyFilterNames, "author"],
    isPrivate: true,
    async open(c, request) {
      const view = c.var.view
      const author = await findAuthor(services, request.filters.author)
      const find = (pasted: string) => findPastedKey(services, null, pasted)
      const found = await redirectPastedKey(c, find, paths.key)
      if (found !== null) return found
      const authorColumn: Column<ListedKey> = {
        head: view.texts.authors.author,
        value: ({ key }) => key.username,
        cell: ({ key }) => <NamedLink href={paths.author(key.accountId)} name={key.username} />,
      }
      const list = openKeyList(services, view, request, author?.id ?? null)
      return {
        ...list,
        columns: keyColumns(view, author === null ? [authorColumn] : []),
        filters: (
          <>
            {author !== null && <input type="hidden" name="author" value={author.id} />}
            {list.filters}
          </>
        ),
        linkOf: ({ key }: ListedKey) => paths.key(key.id),
        menuOf: ({ key, state }: ListedKey) => (
          <RowMenu view={view} id={key.id} name={key.name}>
            {isLive(state) && may(view, "manage") && (
              <a href={pathOfRevoke(key)} data-dialog>
                {view.texts.keys.actions.revoke}
              </a>
            )}
            <CopyButton view={view} text={key.id} label={view.texts.keys.actions.copyId} />
          </RowMenu>
        ),
        empty: view.texts.lists.none,
        page: (rows) => (
          <ConsolePage view={view} title={view.texts.keys.console.title} author={author}>
            <PastedKeyProblem c={c} unknown={view.texts.keys.console.none} />
            {rows}
          </ConsolePage>
        ),
      }
    },
  })

  app.get(`${paths.keys}/:id`, async (c) => {
    const key = await keys.find(c.req.param("id"))
    if (key === null) return c.notFound()
    const at = formatTimestamp(now())
    const facts = { key, state: stateOf(key, at), usage: await usage.findByKey(key.id, at) }
    const author = await accounts.find(key.accountId)
    return c.html(
      <ConsoleKeyPage
        view={c.var.view}
        facts={facts}
        mask={maskOf(keyCipher, key)}
        inactiveKeyRequests={await listCallers(services, facts)}
        author={author}
      />,
    )
  })
}

const pathOfRevoke = ({ id, accountId }: Pick<StoredKey, "id" | "accountId">) =>
  `${paths.author(accountId)}/keys/${encodeURIComponent(id)}/revoke`

type KeyProps = Readonly<{
  view: View
  facts: KeyFacts
  mask: string
  inactiveKeyRequests: readonly InactiveKeyUse[]
  author: Account | null
}>

export const ConsoleKeyPage = (props: KeyProps) => {
  const { view, facts, mask, inactiveKeyRequests, author } = props
  const { key, state, usage } = facts
  const texts = view.texts.keys
  const number = (n: number) => n.toLocaleString(view.locale)
  return (
    <ConsolePage view={view} title={displayName(key.name, key.id)} author={author}>
      <h2>
        <bdi>{displayName(key.name, key.id)}</bdi>
      </h2>
      {state === "active" && looksShipped(facts) && (
        <p class="notice warning">{texts.console.shipped}</p>
      )}
      <section class="panel">
        <dl class="facts">
          <Fact name={view.texts.authors.author}>
            <NamedLink href={paths.author(key.accountId)} name={key.username} />
          </Fact>
          <Fact name={view.texts.columns.key} class="mono" value={mask} />
          <Fact name={texts.actions.id} value={<Copyable view={view} text={key.id} />} />
          <Fact name={view.texts.columns.state}>
            <StatePill
              view={view}
              facts={{ ...facts, isAuthorSuspended: author?.isSuspended ?? false }}
            />
          </Fact>
          <Fact name={view.texts.keyPages.table.kind} value={texts.kinds[key.kind]} />
          {key.scope !== null && (
            <Fact name={texts.new.access} value={texts.scopes[key.scope].name} />
          )}
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
        {isLive(state) && may(view, "manage") && (
          <p class="actions">
            <QuietLink href={pathOfRevoke(key)} data-dialog>
              {texts.actions.revoke}
            </QuietLink>
          </p>
        )}
      </section>
      {!isLive(state) && (
        <InactiveKeyRequests
          view={view}
          requestsPath={withQuery(paths.authorTraffic(key.accountId), { key: key.id })}
          ipRanges={inactiveKeyRequests}
        />
      )}
    </ConsolePage>
  )
}
