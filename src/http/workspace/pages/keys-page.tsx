import { isLive } from "../../../domain/api-key.ts"
import { isShipped, type KeyFacts } from "../key-facts.ts"
import { newKeyPath, pathOfKey } from "../key-paths.ts"
import { KeyHead, ReplacedNotice, ShippedNotice, StatePill } from "../parts/key-head.tsx"
import { KeyNumbers } from "../parts/key-numbers.tsx"
import { SettingsPage } from "../parts/layout.tsx"
import { SecretBox } from "../parts/secret-box.tsx"
import { Moment } from "../parts/values.tsx"
import type { View } from "../view.ts"

/** A secret that this session revealed just now. */
export type RevealedKey = Readonly<{ keyId: string; secret: string }>

type Props = Readonly<{
  view: View
  keys: readonly KeyFacts[]
  /** Newest first: that one gets the focus. */
  revealed: readonly RevealedKey[]
}>

/** The newest keys; the others are rows of a table, so that the page stays light with many keys. */
const panelsMax = 12
const rowsMax = 100

export const KeysPage = ({ view, keys, revealed }: Props) => {
  const words = view.words.keys
  const live = keys.filter(({ state }) => isLive(state))
  const ended = keys.filter(({ state }) => !isLive(state))
  return (
    <SettingsPage view={view} title={words.title}>
      <div class="head">
        <h2>{words.heading}</h2>
        <a class="button" href={newKeyPath}>
          {words.generate}
        </a>
      </div>
      <p>{words.intro}</p>
      {live.length === 0 && <p class="empty">{words.none}</p>}
      {live.slice(0, panelsMax).map((facts) => (
        <KeyPanel
          view={view}
          facts={facts}
          secret={revealed.find(({ keyId }) => keyId === facts.key.id)?.secret ?? null}
          isFocused={revealed[0]?.keyId === facts.key.id}
        />
      ))}
      {live.length > panelsMax && (
        <details open>
          <summary>{words.more(live.length - panelsMax)}</summary>
          <KeyRows view={view} keys={live.slice(panelsMax)} />
        </details>
      )}
      {ended.length > 0 && (
        <details>
          <summary>{words.ended(ended.length)}</summary>
          <KeyRows view={view} keys={ended.slice(0, rowsMax)} />
        </details>
      )}
    </SettingsPage>
  )
}

const KeyPanel = ({
  view,
  facts,
  secret,
  isFocused,
}: {
  view: View
  facts: KeyFacts
  secret: string | null
  isFocused: boolean
}) => {
  const { key } = facts
  const words = view.words.keys
  return (
    <section class="panel" id={key.id}>
      <KeyHead view={view} facts={facts} />
      <ReplacedNotice view={view} facts={facts} />
      {isShipped(facts) && <ShippedNotice view={view} />}
      <SecretBox view={view} keyOf={key} page="list" secret={secret} isFocused={isFocused} />
      <KeyNumbers view={view} facts={facts} />
      <p class="actions">
        <a href={pathOfKey(key.id)}>
          {words.manage}
          <span class="visually-hidden"> {key.name}</span>
        </a>
      </p>
    </section>
  )
}

const KeyRows = ({ view, keys }: { view: View; keys: readonly KeyFacts[] }) => (
  <table class="stack">
    <tbody>
      {keys.map(({ key, state, usage }) => (
        <tr>
          <td>
            <a href={pathOfKey(key.id)}>{key.name}</a>
          </td>
          <td>{view.words.keys.kinds[key.kind]}</td>
          <td>
            <StatePill view={view} state={state} />
            {state === "ending" && (
              <p class="hint">{view.words.keys.replace.use(usage?.callsLastDay ?? 0)}</p>
            )}
          </td>
          <td>
            <Moment view={view} at={key.revokedAt ?? key.expiresAt} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
