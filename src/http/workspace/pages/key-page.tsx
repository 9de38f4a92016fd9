import { isLive, keyNameCharactersMax } from "../../../domain/api-key.ts"
import { type Overlap, overlapSeconds } from "../../../operations/rotate-key.ts"
import { Choices, Field, TokenField } from "../parts/fields.tsx"
import { SettingsPage } from "../parts/layout.tsx"
import { formatMoment } from "../parts/values.tsx"
import type { View } from "../view.ts"
import {
  isShipped,
  type KeyFacts,
  KeyHead,
  KeyNumbers,
  ReplacedNotice,
  SecretBox,
  ShippedNotice,
  type ShownSecret,
} from "./keys-page.tsx"

type Props = Readonly<{
  view: View
  facts: KeyFacts
  shown: ShownSecret | null
  /** A new name that was refused, as it was typed. */
  rename: Readonly<{ name: string; problem: string }> | null
}>

const pathOf = ({ key }: KeyFacts) => `/workspace/settings/keys/${key.id}`

export const KeyPage = ({ view, facts, shown, rename }: Props) => {
  const { key, state } = facts
  const words = view.words.keys
  const isUsable = isLive(state)
  return (
    <SettingsPage view={view} title={key.name}>
      <p>
        <a href="/workspace/settings/keys">{words.title}</a>
      </p>
      <section class="panel">
        <KeyHead view={view} facts={facts} />
        <ReplacedNotice view={view} facts={facts} />
        {isUsable && isShipped(facts) && <ShippedNotice view={view} />}
        {shown?.isNew && <NewKeyNotice view={view} />}
        {isUsable && (
          <SecretBox view={view} keyOf={key} page="key" shown={shown} isFocused={rename === null} />
        )}
        {shown?.isNew && (
          <p>
            <a class="button" href="/workspace/settings/keys">
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
          <form method="post" action={`${pathOf(facts)}/rename`} class="filter">
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
              <a class="button quiet" href={`${pathOf(facts)}/replace`}>
                {words.one.replace}
              </a>
            )}
            <a class="button quiet" href={`${pathOf(facts)}/revoke`}>
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
      {words.replace.use(usage?.callsLastDay ?? 0)} <a href={pathOf(facts)}>{words.made.seeOld}</a>
    </p>
  )
}

type ReplaceProps = Readonly<{ view: View; facts: KeyFacts; formId: string }>

export const ReplaceKeyPage = ({ view, facts, formId }: ReplaceProps) => {
  const words = view.words.keys.replace
  const overlaps = Object.keys(overlapSeconds) as Overlap[] // the record's own names
  return (
    <SettingsPage view={view} title={words.title(facts.key.name)}>
      <h2>{words.title(facts.key.name)}</h2>
      <p>{words.why}</p>
      <p>{words.use(facts.usage?.callsLastDay ?? 0)}</p>
      <form method="post" action={`${pathOf(facts)}/replace`}>
        <TokenField view={view} />
        <input type="hidden" name="form_id" value={formId} />
        <Choices
          name="overlap"
          legend={words.overlap}
          chosen="1d"
          choices={overlaps.map((value) => ({ value, label: words.overlaps[value] }))}
        />
        <p class="actions">
          <button type="submit">{words.submit}</button>
          <a href={pathOf(facts)}>{view.words.cancel}</a>
        </p>
      </form>
    </SettingsPage>
  )
}

export const RevokeKeyPage = ({ view, facts }: { view: View; facts: KeyFacts }) => {
  const words = view.words.keys.revoke
  return (
    <SettingsPage view={view} title={words.title(facts.key.name)}>
      <h2>{words.title(facts.key.name)}</h2>
      <p>{words.why(facts.usage?.callsLastDay ?? 0)}</p>
      <form method="post" action={`${pathOf(facts)}/revoke`}>
        <TokenField view={view} />
        <p class="actions">
          <button type="submit" class="danger">
            {words.submit}
          </button>
          <a href={pathOf(facts)}>{view.words.cancel}</a>
        </p>
      </form>
    </SettingsPage>
  )
}
