/** The beginning of a key's panel. */
import type { KeyState, StoredKey } from "../../../domain/api-key.ts"
import type { KeyFacts } from "../key-facts.ts"
import { newValidationKeyPath } from "../key-paths.ts"
import type { Words } from "../translations/en.ts"
import type { View } from "../view.ts"
import { Pill } from "./pill.tsx"
import { formatMoment } from "./values.tsx"

export function describeKey(
  words: Words["keys"],
  { kind, itemIds }: Pick<StoredKey, "kind" | "itemIds">,
): string {
  if (kind !== "vk") return words.about[kind]
  return itemIds === null ? words.about.vkAll : words.about.vkSome(itemIds.length)
}

export const StatePill = ({ view, state }: { view: View; state: KeyState }) => {
  const tones = { active: "good", ending: "warning", revoked: "danger", expired: "plain" } as const
  return <Pill tone={tones[state]}>{view.words.keys.state[state]}</Pill>
}

/** Name, kind and state of a key, and what it may do. */
export const KeyHead = ({ view, facts: { key, state } }: { view: View; facts: KeyFacts }) => (
  <>
    <div class="head">
      <h2>{key.name}</h2>
      <span class="actions">
        <Pill tone="plain">{view.words.keys.kinds[key.kind]}</Pill>
        <StatePill view={view} state={state} />
      </span>
    </div>
    <p class="hint">{describeKey(view.words.keys, key)}</p>
  </>
)

/** For a replaced key that still works: until when, and how much it is used. */
export const ReplacedNotice = ({ view, facts }: { view: View; facts: KeyFacts }) => {
  const { key, state, usage } = facts
  const words = view.words.keys
  if (state !== "ending" || key.expiresAt === null) return null
  return (
    <p class="notice warning">
      {words.one.replacedUntil(formatMoment(key.expiresAt, view.locale))}{" "}
      {words.replace.use(usage?.callsLastDay ?? 0)}
    </p>
  )
}

export const ShippedNotice = ({ view }: { view: View }) => (
  <p class="notice warning">
    {view.words.keys.shipped}{" "}
    <a href={newValidationKeyPath}>{view.words.overview.makeValidation}</a>
  </p>
)
