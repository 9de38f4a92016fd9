import { isLive, type StoredKey } from "../../../domain/keys/api-key.ts"
import { type KeyFacts, looksShipped, requestsOfWeek } from "../key-facts.ts"
import { newValidationKeyPath, pathOfKey } from "../paths.ts"
import type { PageTexts } from "../translations/texts.ts"
import type { View } from "../view.ts"
import { Pill, SentenceWithTime } from "./formatted-values.tsx"

export function describeKey(
  texts: PageTexts["keys"],
  { kind, itemIds, isSiteRequired }: Pick<StoredKey, "kind" | "itemIds" | "isSiteRequired">,
): string {
  const { about } = texts
  if (kind !== "vk") return about[kind]
  const scope = itemIds === null ? about.vkAll : about.vkSome(itemIds.length)
  return isSiteRequired ? `${scope} ${about.vkSite}` : scope
}

const tones = { active: "good", ending: "warning", revoked: "danger", expired: "plain" } as const

type KeyStatus = KeyFacts & Readonly<{ isStillUsed?: boolean; isAuthorSuspended?: boolean }>

/** The state of a key, or what its owner should know about it. */
export function keyStatus({ texts }: View, facts: KeyStatus) {
  const { key, state, isStillUsed = false, isAuthorSuspended = false } = facts
  const warning = (text: string) => ({ tone: "warning", text }) as const
  if (isLive(state) && isAuthorSuspended) {
    return { tone: "danger", text: texts.authors.suspended } as const
  }
  if (state === "active" && looksShipped(facts)) return warning(texts.keyPages.table.shipped)
  if (isStillUsed) {
    const { keyPages } = texts
    return warning(isLive(state) ? keyPages.table.stillUsed : keyPages.inactiveRequests.pill)
  }
  // A rotated key stays "Rotated" after its overlap period.
  const label = state === "expired" && key.replacedAt !== null ? "ending" : state
  return { tone: tones[state], text: texts.keys.state[label] }
}

export const StatePill = ({ view, facts }: { view: View; facts: KeyStatus }) => {
  const { tone, text } = keyStatus(view, facts)
  return <Pill tone={tone}>{text}</Pill>
}

/** The mask distinguishes keys of the same name. */
export type NamedKey = Readonly<{ id: string; name: string; mask: string }>

type InactiveKeyNoticeProps = Readonly<{
  view: View
  facts: KeyFacts
  successor: NamedKey | null
}>

export const InactiveKeyNotice = ({ view, facts, successor }: InactiveKeyNoticeProps) => {
  const { key, state, usage } = facts
  const texts = view.texts.keyPages.inactive
  if (state === "active") return null
  const { revoked, expired, validUntil } = texts
  const sentence = { revoked, expired, ending: validUntil }[state]
  const endsAt = key.revokedAt ?? key.expiresAt
  return (
    <p class={`notice ${tones[state]}`}>
      {key.replacedAt !== null && (
        <SentenceWithTime
          view={view}
          at={key.replacedAt}
          form="datetime"
          sentence={texts.rotated}
        />
      )}{" "}
      {endsAt !== null && (
        <SentenceWithTime view={view} at={endsAt} form="datetime" sentence={sentence} />
      )}{" "}
      {state === "ending" && view.texts.keys.rotate.usage(requestsOfWeek(usage))}{" "}
      {successor !== null && (
        <>
          {texts.successor}{" "}
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
