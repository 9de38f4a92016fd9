/** Whose key a pasted one is. The pasted text is neither kept nor shown again. */

import { isLive, publicTestSecret, secretIn, stateOf } from "../../domain/keys/api-key.ts"
import { trimBlank } from "../../domain/values/text.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { findPastedKeyOfAny } from "../../operations/keys/find-key.ts"
import { type KeyFacts, looksShipped, maskOf } from "../pages/key-facts.ts"
import { Copyable } from "../pages/parts/copy.tsx"
import { Field, PostForm } from "../pages/parts/fields.tsx"
import { Fact, Moment, shownName } from "../pages/parts/values.tsx"
import { shorten } from "../pages/translations/counting.ts"
import { ConsoleKeyState } from "./authors.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import type { ConsoleServices } from "./frame/services.ts"

export function addKeysRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { accounts, keys, usage, vault, now } = services

  app.get(paths.keys, (c) => c.html(<ConsoleKeysPage view={viewOf(c)} problem={null} />))

  app.post(paths.keys, async (c) => {
    const view = viewOf(c)
    const show = (problem: string) => c.html(<ConsoleKeysPage view={view} problem={problem} />, 422)
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
        isAuthorSuspended={author?.isSuspended ?? false}
      />,
    )
  })
}

type KeysProps = Readonly<{ view: ConsoleView; problem: string | null }>

const ConsoleKeysPage = ({ view, problem }: KeysProps) => {
  const { keys } = view.texts
  return (
    <ConsolePage view={view} title={keys.title} problem={problem}>
      <p>{keys.intro}</p>
      <PostForm view={view} action={paths.keys} class="filter">
        <Field name="key" label={keys.key} autocomplete="off" error={problem} isFocused />
        <button type="submit">{keys.submit}</button>
      </PostForm>
    </ConsolePage>
  )
}

type KeyProps = Readonly<{
  view: ConsoleView
  facts: KeyFacts
  mask: string
  isAuthorSuspended: boolean
}>

export const ConsoleKeyPage = ({ view, facts, mask, isAuthorSuspended }: KeyProps) => {
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
            <a href={paths.author(key.accountId)}>
              <bdi>{key.username}</bdi>
            </a>
          </Fact>
          <Fact name={keys.key} class="mono" value={mask} />
          <Fact name={words.one.id} value={<Copyable view={view} text={key.id} />} />
          <Fact name={view.texts.authors.state}>
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
          <Fact name={keys.calls} value={number(usage?.callsLastDay ?? 0)} />
          <Fact name={view.texts.traffic.networks} value={number(usage?.networks ?? 0)} />
        </dl>
        {isLive(state) && (
          <p class="actions">
            <a
              class="button quiet"
              href={`${paths.author(key.accountId)}/keys/${encodeURIComponent(key.id)}/revoke`}
            >
              {words.one.revoke}
            </a>
          </p>
        )}
      </section>
    </ConsolePage>
  )
}
