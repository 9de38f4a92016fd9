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
  SecretBox,
  ShippedNotice,
} from "./keys-page.tsx"

type Props = Readonly<{ view: View; facts: KeyFacts; nameProblem: string | null }>

const pathOf = ({ key }: KeyFacts) => `/workspace/settings/keys/${key.id}`

export const KeyPage = ({ view, facts, nameProblem }: Props) => {
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
        {state === "ending" && key.expiresAt !== null && (
          <p class="notice warning">
            {words.one.replacedUntil(formatMoment(key.expiresAt, view.locale))}{" "}
            {words.replace.use(facts.usage?.callsLastDay ?? 0)}
          </p>
        )}
        {isUsable && isShipped(facts) && <ShippedNotice view={view} />}
        {isUsable && <SecretBox view={view} keyOf={key} secret={null} />}
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
              value={key.name}
              maxlength={keyNameCharactersMax}
              autocomplete="off"
              error={nameProblem}
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

type ReplaceProps = Readonly<{ view: View; facts: KeyFacts; newKeyId: string }>

export const ReplaceKeyPage = ({ view, facts, newKeyId }: ReplaceProps) => {
  const words = view.words.keys.replace
  const overlaps = Object.keys(overlapSeconds) as Overlap[] // the record's own names
  return (
    <SettingsPage view={view} title={words.title(facts.key.name)}>
      <h2>{words.title(facts.key.name)}</h2>
      <p>{words.why}</p>
      <p>{words.use(facts.usage?.callsLastDay ?? 0)}</p>
      <form method="post" action={`${pathOf(facts)}/replace`}>
        <TokenField view={view} />
        <input type="hidden" name="key_id" value={newKeyId} />
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

type ConfirmProps = Readonly<{ view: View; facts: KeyFacts; problem: string | null }>

export const ConfirmPasswordPage = ({ view, facts, problem }: ConfirmProps) => {
  const words = view.words.keys.confirm
  return (
    <SettingsPage view={view} title={words.title}>
      <h2>{words.title}</h2>
      <p>{words.why}</p>
      <form method="post" action={`${pathOf(facts)}/reveal`}>
        <TokenField view={view} />
        <Field
          name="password"
          label={words.password}
          type="password"
          autocomplete="current-password"
          error={problem}
          isRequired
          isFocused
        />
        <p class="actions">
          <button type="submit">{words.submit}</button>
          <a href="/workspace/settings/keys">{view.words.cancel}</a>
        </p>
      </form>
    </SettingsPage>
  )
}
