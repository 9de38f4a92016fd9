import { isLive, type KeyKind, type KeyState, type StoredKey } from "../../../domain/api-key.ts"
import { type KeyUsage, manyNetworks } from "../../../domain/usage.ts"
import { Sparkline } from "../parts/chart.tsx"
import { CopyButton, Pill, TokenField } from "../parts/fields.tsx"
import { SettingsPage } from "../parts/layout.tsx"
import { Day, Moment } from "../parts/values.tsx"
import type { View } from "../view.ts"
import type { Words } from "../words/en.ts"

/** A key as the pages show it. `isReplaced`: it ends soon because another took its place. */
export type KeyFacts = Readonly<{ key: StoredKey; state: KeyState; usage: KeyUsage | null }>

type Props = Readonly<{
  view: View
  keys: readonly KeyFacts[]
  /** The one key whose secret is being shown. */
  revealed: Readonly<{ id: string; secret: string }> | null
}>

/** Newest first; the rest is listed in rows, so that the page stays light however many there are. */
const panelsMax = 12
const rowsMax = 100

export const KeysPage = ({ view, keys, revealed }: Props) => {
  const words = view.words.keys
  const isRevealed = ({ key }: KeyFacts) => key.id === revealed?.id
  const live = keys
    .filter(({ state }) => isLive(state))
    .toSorted((one, other) => Number(isRevealed(other)) - Number(isRevealed(one)))
  const ended = keys.filter(({ state }) => !isLive(state))
  return (
    <SettingsPage view={view} title={words.title}>
      <div class="head">
        <h2>{words.heading}</h2>
        <a class="button" href="/workspace/settings/keys/new">
          {words.generate}
        </a>
      </div>
      <p>{words.intro}</p>
      {live.length === 0 && <p class="empty">{words.none}</p>}
      {live.slice(0, panelsMax).map((facts) => (
        <KeyPanel
          view={view}
          facts={facts}
          secret={isRevealed(facts) ? (revealed?.secret ?? null) : null}
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

export function describeKey(
  words: Words["keys"],
  { kind, itemIds }: Pick<StoredKey, "kind" | "itemIds">,
): string {
  if (kind !== "vk") return words.about[kind]
  return itemIds === null ? words.about.vkAll : words.about.vkSome(itemIds.length)
}

const masks: Readonly<Record<KeyKind, string>> = {
  sk: "pzr_sk_",
  vk: "pzr_vk_",
  tk: "pzr_tk_",
  imported: "",
}

const StatePill = ({ view, state }: { view: View; state: KeyState }) => {
  const tones = { active: "good", ending: "warning", revoked: "danger", expired: "plain" } as const
  return <Pill tone={tones[state]}>{view.words.keys.state[state]}</Pill>
}

export function isShipped({ key, usage }: KeyFacts): boolean {
  const isPowerful = key.kind === "sk" || key.kind === "imported"
  return isPowerful && (usage?.networks ?? 0) >= manyNetworks
}

const KeyPanel = ({
  view,
  facts,
  secret,
}: {
  view: View
  facts: KeyFacts
  secret: string | null
}) => {
  const { key } = facts
  const words = view.words.keys
  const path = `/workspace/settings/keys/${key.id}`
  return (
    <section class="panel">
      <KeyHead view={view} facts={facts} />
      {isShipped(facts) && <ShippedNotice view={view} />}
      <SecretBox view={view} keyOf={key} secret={secret} />
      <KeyNumbers view={view} facts={facts} />
      <p class="actions">
        <a href={path}>
          {words.manage}
          <span class="visually-hidden"> {key.name}</span>
        </a>
      </p>
    </section>
  )
}

/** Its name, kind and state, and what it may do. */
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

export const ShippedNotice = ({ view }: { view: View }) => (
  <p class="notice warning">
    {view.words.keys.shipped}{" "}
    <a href="/workspace/settings/keys/new?kind=vk">{view.words.overview.makeValidation}</a>
  </p>
)

export const SecretBox = ({
  view,
  keyOf,
  secret,
}: {
  view: View
  keyOf: StoredKey
  secret: string | null
}) => (
  <div class="secret">
    {secret === null ? (
      <>
        <code class="masked">{masks[keyOf.kind]}••••••••••••</code>
        <form method="post" action={`/workspace/settings/keys/${keyOf.id}/reveal`}>
          <TokenField view={view} />
          <button type="submit" class="quiet">
            {view.words.keys.reveal}
            <span class="visually-hidden"> {keyOf.name}</span>
          </button>
        </form>
      </>
    ) : (
      <>
        <code data-secret tabindex={-1} autofocus>
          {secret}
        </code>
        <CopyButton view={view} text={secret} />
      </>
    )}
  </div>
)

export const KeyNumbers = ({ view, facts: { key, usage } }: { view: View; facts: KeyFacts }) => {
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
        <dt>{words.last30Days}</dt>
        <dd>{view.words.calls(usage?.callsLast30Days ?? 0)}</dd>
      </div>
      <div>
        <dt>{words.expires}</dt>
        <dd>
          {key.expiresAt === null ? (
            words.new.expiries.never
          ) : (
            <Moment view={view} at={key.expiresAt} />
          )}
        </dd>
      </div>
      {usage !== null && usage.callsLast30Days > 0 && (
        <div>
          <dt class="visually-hidden">{words.last30Days}</dt>
          <dd>
            <Sparkline days={usage.days} />
          </dd>
        </div>
      )}
    </dl>
  )
}

const KeyRows = ({ view, keys }: { view: View; keys: readonly KeyFacts[] }) => (
  <table class="stack">
    <tbody>
      {keys.map(({ key, state }) => (
        <tr>
          <td>
            <a href={`/workspace/settings/keys/${key.id}`}>{key.name}</a>
          </td>
          <td>{view.words.keys.kinds[key.kind]}</td>
          <td>
            <StatePill view={view} state={state} />
          </td>
          <td>
            <Moment view={view} at={key.revokedAt ?? key.expiresAt} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
