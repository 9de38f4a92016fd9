/** The rights of a key and its state, as pages show them. */
import type { KeyState, StoredKey } from "../../../domain/keys/api-key.ts"
import { type KeyFacts, requestsOfWeek } from "../key-facts.ts"
import { newValidationKeyPath, pathOfKey } from "../paths.ts"
import type { PageTexts } from "../translations/en.ts"
import type { View } from "../view.ts"
import { Pill, SentenceWithTime } from "./formatted-values.tsx"

export function describeKey(
  words: PageTexts["keys"],
  { kind, itemIds, isSiteRequired }: Pick<StoredKey, "kind" | "itemIds" | "isSiteRequired">,
): string {
  const { about } = words
  if (kind !== "vk") return about[kind]
  const scope = itemIds === null ? about.vkAll : about.vkSome(itemIds.length)
  return isSiteRequired ? `${scope} ${about.vkSite}` : scope
}

const tones = { active: "good", ending: "warning", revoked: "danger", expired: "plain" } as const

type StateProps = Readonly<{ key: Pick<StoredKey, "replacedAt">; state: KeyState }>

/** A key that was replaced did not expire by itself: somebody stopped it. */
export const keyStateLabel = (words: PageTexts["keys"], { key, state }: StateProps) =>
  words.state[state === "expired" && key.replacedAt !== null ? "stopped" : state]

export const StatePill = ({ view, facts }: { view: View; facts: StateProps }) => (
  <Pill tone={tones[facts.state]}>{keyStateLabel(view.texts.keys, facts)}</Pill>
)

/** A key as a sentence names it: the last characters tell keys of one name apart. */
export type NamedKey = Readonly<{ id: string; name: string; mask: string }>

type InactiveKeyNoticeProps = Readonly<{
  view: View
  facts: KeyFacts
  /** The key that replaced it; null when there is none. */
  successor: NamedKey | null
}>

/** For a key that was replaced, was revoked or expired: when, and which key took its place. */
export const InactiveKeyNotice = ({ view, facts, successor }: InactiveKeyNoticeProps) => {
  const { key, state, usage } = facts
  const words = view.texts.keyPages.inactive
  if (state === "active") return null
  const end = key.replacedAt === null ? words.expired : words.stopped
  const tell = { revoked: words.revoked, expired: end, ending: words.worksUntil }[state]
  const endsAt = key.revokedAt ?? key.expiresAt
  return (
    <p class={`notice ${tones[state]}`}>
      {key.replacedAt !== null && (
        <SentenceWithTime view={view} at={key.replacedAt} form="moment" sentence={words.replaced} />
      )}{" "}
      {endsAt !== null && (
        <SentenceWithTime view={view} at={endsAt} form="moment" sentence={tell} />
      )}{" "}
      {state === "ending" && view.texts.keys.rotate.usage(requestsOfWeek(usage))}{" "}
      {successor !== null && (
        <>
          {words.successor}{" "}
          <a href={pathOfKey(successor.id)}>
            <bdi>{successor.name}</bdi> <span class="mono">{successor.mask}</span>
          </a>
        </>
      )}
    </p>
  )
}

export const ShippedNotice = ({ view, facts }: Pick<InactiveKeyNoticeProps, "view" | "facts">) => (
  <p class="notice warning">
    {view.texts.keys.shipped(facts.usage?.ipRanges ?? 0)}{" "}
    <a href={newValidationKeyPath}>{view.texts.overview.start.ship.action}</a>
  </p>
)
