import type { KeyFacts } from "../key-facts.ts"
import type { View } from "../view.ts"
import { Day, Moment } from "./values.tsx"

export const KeyNumbers = ({ view, facts }: { view: View; facts: KeyFacts }) => {
  const { key, usage } = facts
  const words = view.words.keys
  return (
    <dl class="stats">
      <div>
        <dt>{words.created}</dt>
        <dd>
          <Day view={view} at={key.createdAt} />
        </dd>
      </div>
      <div>
        <dt>{words.lastUsed}</dt>
        <dd>
          <Moment view={view} at={usage?.lastUsedAt ?? null} />
        </dd>
      </div>
      <div>
        <dt>{words.lastDay}</dt>
        <dd>{view.words.calls(usage?.callsLastDay ?? 0)}</dd>
      </div>
      <div>
        <KeyEnd view={view} facts={facts} />
      </div>
      <div>
        <dt>{words.one.id}</dt>
        <dd class="mono">{key.id}</dd>
      </div>
    </dl>
  )
}

/** When the key ended or will end. */
const KeyEnd = ({ view, facts: { key, state } }: { view: View; facts: KeyFacts }) => {
  const words = view.words.keys
  const isOver = state === "revoked" || state === "expired"
  const at = key.revokedAt ?? key.expiresAt
  return (
    <>
      <dt>{isOver ? words.state[state] : words.expires}</dt>
      <dd>{at === null ? words.new.expiries.never : <Moment view={view} at={at} />}</dd>
    </>
  )
}
