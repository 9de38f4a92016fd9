import { isLive } from "../../../domain/keys/api-key.ts"
import { type KeyFacts, looksShipped } from "../../pages/key-facts.ts"
import { Field, TokenField } from "../../pages/parts/fields.tsx"
import { shownName } from "../../pages/parts/name.ts"
import { Moment } from "../../pages/parts/values.tsx"
import { shorten } from "../../pages/translations/counting.ts"
import type { ConsoleView } from "../frame/console-context.ts"
import { keysPath, pathOfAuthor } from "../frame/console-paths.ts"
import { ConsoleKeyState } from "../parts/author-facts.tsx"
import { ConsolePage } from "../parts/console-layout.tsx"

type KeysProps = Readonly<{ view: ConsoleView; problem: string | null }>

export const ConsoleKeysPage = ({ view, problem }: KeysProps) => {
  const { keys } = view.texts
  return (
    <ConsolePage view={view} title={keys.title} problem={problem}>
      <p>{keys.intro}</p>
      <form method="post" action={keysPath} class="filter">
        <TokenField view={view} />
        <Field name="key" label={keys.label} autocomplete="off" error={problem} isFocused />
        <button type="submit">{keys.submit}</button>
      </form>
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
          <dt>{keys.author}</dt>
          <dd>
            <a href={pathOfAuthor(key.accountId)}>
              <bdi>{key.username}</bdi>
            </a>
          </dd>
          <dt>{keys.key}</dt>
          <dd class="mono">{mask}</dd>
          <dt>{words.one.id}</dt>
          <dd class="mono">{key.id}</dd>
          <dt>{keys.state}</dt>
          <dd>
            <ConsoleKeyState view={view} state={state} isAuthorSuspended={isAuthorSuspended} />
          </dd>
          <dt>{keys.kind}</dt>
          <dd>{words.kinds[key.kind]}</dd>
          <dt>{keys.items}</dt>
          <dd>{key.itemIds === null ? words.allItems : shorten(key.itemIds.map(String))}</dd>
          <dt>{words.created}</dt>
          <dd>
            <Moment view={view} at={key.createdAt} />
          </dd>
          <dt>{words.expires}</dt>
          <dd>
            {key.expiresAt === null ? (
              words.new.expiries.never
            ) : (
              <Moment view={view} at={key.expiresAt} />
            )}
          </dd>
          <dt>{words.lastUsed}</dt>
          <dd>
            <Moment view={view} at={usage?.lastUsedAt ?? null} />
          </dd>
          <dt>{keys.calls}</dt>
          <dd>{number(usage?.callsLastDay ?? 0)}</dd>
          <dt>{keys.networks}</dt>
          <dd>{number(usage?.networks ?? 0)}</dd>
        </dl>
        {isLive(state) && (
          <p class="actions">
            <a
              class="button quiet"
              href={`${pathOfAuthor(key.accountId)}/keys/${encodeURIComponent(key.id)}/revoke`}
            >
              {words.one.revoke}
            </a>
          </p>
        )}
      </section>
    </ConsolePage>
  )
}
