import type { Child } from "hono/jsx"
import type { KeyFacts } from "../../pages/key-facts.ts"
import { Day, Moment, SentenceWithTime } from "../../pages/parts/values.tsx"
import type { View } from "../../pages/view.ts"

type Props = Readonly<{ view: View; facts: KeyFacts }>

/** `isNew` leaves out how it was used: its first call arrives while the page is open. */
export const KeyNumbers = ({ view, facts, isNew }: Props & { isNew: boolean }) => {
  const { key, usage } = facts
  const words = view.words.keys
  return (
    <dl class="stats">
      <Stat label={words.created}>
        <Day view={view} at={key.createdAt} />
      </Stat>
      {!(isNew && usage === null) && <KeyCalls view={view} facts={facts} />}
      <KeyEnd view={view} facts={facts} />
      <Stat label={words.one.id}>
        <span class="mono">{key.id}</span>
      </Stat>
    </dl>
  )
}

/** On a page that ends the key: which key it is, and what will stop working. */
export const KeySummary = ({ view, facts, mask }: Props & { mask: string }) => {
  const { key, usage } = facts
  const words = view.words.keys
  return (
    <dl class="stats panel">
      <Stat label={words.kinds[key.kind]}>
        <span class="mono">{mask}</span>
      </Stat>
      {key.kind === "vk" && (
        <Stat label={view.words.items.title}>
          {key.itemIds === null ? words.allItems : key.itemIds.length.toLocaleString(view.locale)}
        </Stat>
      )}
      <KeyCalls view={view} facts={facts} />
      <Stat label={words.lastWeek}>
        {view.words.keyPages.use.networkCount(usage?.networks ?? 0)}
      </Stat>
    </dl>
  )
}

const KeyCalls = ({ view, facts: { usage } }: Props) => (
  <>
    <Stat label={view.words.keys.lastUsed}>
      <Moment view={view} at={usage?.lastUsedAt ?? null} />
    </Stat>
    <Stat label={view.words.keys.lastDay}>{view.words.calls(usage?.callsLastDay ?? 0)}</Stat>
  </>
)

/** When the key ended or will end. */
const KeyEnd = ({ view, facts: { key, state } }: Props) => {
  const words = view.words.keys
  const isOver = state === "revoked" || state === "expired"
  const at = key.revokedAt ?? key.expiresAt
  return (
    <Stat label={isOver ? words.state[state] : words.expires}>
      {at === null ? (
        words.new.expiries.never
      ) : (
        <SentenceWithTime view={view} at={at} form="moment" tell={(when) => when} />
      )}
    </Stat>
  )
}

const Stat = ({ label, children }: { label: string; children?: Child }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
