import { isLive, keyNameCharactersMax } from "../../../domain/api-key.ts"
import { isShipped, type KeyFacts } from "../key-facts.ts"
import { keysPath, pathOfKey } from "../key-paths.ts"
import { Field, TokenField } from "../parts/fields.tsx"
import { KeyHead, ReplacedNotice, ShippedNotice } from "../parts/key-head.tsx"
import { KeyNumbers } from "../parts/key-numbers.tsx"
import { SettingsPage } from "../parts/layout.tsx"
import { SecretBox } from "../parts/secret-box.tsx"
import { formatMoment } from "../parts/values.tsx"
import type { View } from "../view.ts"

/** A secret that this session made or revealed just now. */
export type ShownSecret = Readonly<{
  secret: string
  isNew: boolean
  /** The key that this one replaced. */
  replaced: KeyFacts | null
}>

type Props = Readonly<{
  view: View
  facts: KeyFacts
  shown: ShownSecret | null
  /** A new name that was refused, as it was typed. */
  rename: Readonly<{ name: string; problem: string }> | null
}>

export const KeyPage = ({ view, facts, shown, rename }: Props) => {
  const { key, state } = facts
  const words = view.words.keys
  const isUsable = isLive(state)
  return (
    <SettingsPage view={view} title={key.name}>
      <p>
        <a href={keysPath}>{words.title}</a>
      </p>
      <section class="panel">
        <KeyHead view={view} facts={facts} />
        <ReplacedNotice view={view} facts={facts} />
        {isUsable && isShipped(facts) && <ShippedNotice view={view} />}
        {shown?.isNew && <NewKeyNotice view={view} />}
        {isUsable && (
          <SecretBox
            view={view}
            keyOf={key}
            page="key"
            secret={shown?.secret ?? null}
            isFocused={rename === null}
          />
        )}
        {shown?.isNew && (
          <p>
            <a class="button" href={keysPath}>
              {words.made.done}
            </a>
          </p>
        )}
        {shown !== null && shown.replaced !== null && (
          <OldKeyNotice view={view} facts={shown.replaced} />
        )}
        <KeyNumbers view={view} facts={facts} />
        <dl class="stats">
          <div>
            <dt>{words.one.id}</dt>
            <dd class="mono">{key.id}</dd>
          </div>
          {key.kind === "vk" && (
            <div>
              <dt>{words.items}</dt>
              <dd>{key.itemIds === null ? words.allItems : key.itemIds.join(", ")}</dd>
            </div>
          )}
        </dl>
      </section>
      {isUsable && (
        <>
          <form method="post" action={`${pathOfKey(facts.key.id)}/rename`} class="filter">
            <TokenField view={view} />
            <Field
              name="name"
              label={words.one.name}
              value={rename?.name ?? key.name}
              maxlength={keyNameCharactersMax}
              autocomplete="off"
              error={rename?.problem ?? null}
            />
            <button type="submit" class="quiet">
              {words.one.rename}
            </button>
          </form>
          <p class="actions">
            {state === "active" && (
              <a class="button quiet" href={`${pathOfKey(facts.key.id)}/replace`}>
                {words.one.replace}
              </a>
            )}
            <a class="button quiet" href={`${pathOfKey(facts.key.id)}/revoke`}>
              {words.one.revoke}
            </a>
          </p>
        </>
      )}
    </SettingsPage>
  )
}

const NewKeyNotice = ({ view }: { view: View }) => (
  <p class="notice good" role="status">
    <strong>{view.words.keys.made.title}.</strong> {view.words.keys.made.copyNow}
  </p>
)

/** On the page of a key that just replaced another: how much the other is still used. */
const OldKeyNotice = ({ view, facts }: { view: View; facts: KeyFacts }) => {
  const words = view.words.keys
  const { key, state, usage } = facts
  const until =
    state === "ending" && key.expiresAt !== null ? formatMoment(key.expiresAt, view.locale) : null
  return (
    <p class="notice warning">
      {until === null ? words.made.oldEnded : words.made.oldUntil(until)}{" "}
      {words.replace.use(usage?.callsLastDay ?? 0)}{" "}
      <a href={pathOfKey(facts.key.id)}>{words.made.seeOld}</a>
    </p>
  )
}
