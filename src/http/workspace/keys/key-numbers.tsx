import { Copyable } from "../../pages/components/copy-button.tsx"
import {
  Day,
  RelativeTime,
  SentenceWithTime,
  Stat,
} from "../../pages/components/formatted-values.tsx"
import { type KeyFacts, requestsOfWeek } from "../../pages/key-facts.ts"
import type { View } from "../../pages/view.ts"

type Props = Readonly<{ view: View; facts: KeyFacts }>

/** `isNew` omits the usage: the first request arrives while the page is open. */
export const KeyNumbers = ({ view, facts, isNew }: Props & { isNew: boolean }) => {
  const { key, usage } = facts
  const texts = view.texts.keys
  return (
    <dl class="stats">
      <Stat label={texts.created}>
        <Day view={view} at={key.createdAt} />
      </Stat>
      {!(isNew && usage === null) && <KeyRequests view={view} facts={facts} />}
      <KeyExpiry view={view} facts={facts} />
      <Stat label={texts.actions.id}>
        <Copyable view={view} text={key.id} />
      </Stat>
    </dl>
  )
}

export const KeySummary = ({ view, facts, mask }: Props & { mask: string }) => {
  const { key } = facts
  const texts = view.texts.keys
  return (
    <dl class="stats panel">
      <Stat label={texts.kinds[key.kind]}>
        <span class="mono">{mask}</span>
      </Stat>
      {key.kind === "vk" && (
        <Stat label={view.texts.items.title}>
          {key.itemIds === null ? texts.allItems : key.itemIds.length.toLocaleString(view.locale)}
        </Stat>
      )}
      <KeyRequests view={view} facts={facts} />
    </dl>
  )
}

const KeyRequests = ({ view, facts: { usage } }: Props) => (
  <>
    <Stat label={view.texts.keys.lastUsed}>
      <RelativeTime view={view} at={usage?.lastUsedAt ?? null} />
    </Stat>
    <Stat label={view.texts.keys.lastWeek}>
      {view.texts.words.requests(requestsOfWeek(usage))},{" "}
      {view.texts.keyPages.usage.ipRangeCount(usage?.ipRanges ?? 0)}
    </Stat>
  </>
)

const KeyExpiry = ({ view, facts: { key, state } }: Props) => {
  const texts = view.texts.keys
  const isInactive = state === "revoked" || state === "expired"
  const at = key.revokedAt ?? key.expiresAt
  return (
    <Stat label={isInactive ? texts.state[state] : texts.expires}>
      {at === null ? (
        texts.new.expiries.never
      ) : (
        <SentenceWithTime view={view} at={at} form="datetime" sentence={(when) => when} />
      )}
    </Stat>
  )
}
