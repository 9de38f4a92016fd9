import { isLive, type KeyKind, type KeyState, type StoredKey } from "../../../domain/api-key.ts"
import { type KeyUsage, manyNetworks } from "../../../domain/usage.ts"
import { Sparkline } from "../parts/chart.tsx"
import { CopyButton, Pill, TokenField } from "../parts/fields.tsx"
import { SettingsPage } from "../parts/layout.tsx"
import { Day, formatMoment, Moment } from "../parts/values.tsx"
import type { Words } from "../translations/en.ts"
import type { View } from "../view.ts"

/** A key as the pages show it. */
export type KeyFacts = Readonly<{ key: StoredKey; state: KeyState; usage: KeyUsage | null }>

/** A secret that this session made or revealed just now. */
export type ShownSecret = Readonly<{
  keyId: string
  secret: string
  isNew: boolean
  /** The key that this one replaced. */
  replaced: KeyFacts | null
}>

type Props = Readonly<{
  view: View
  keys: readonly KeyFacts[]
  /** The newest first: that one gets the focus. */
  secrets: readonly ShownSecret[]
}>

/** Newest first; the rest is listed in rows, so that the page stays light however many there are. */
const panelsMax = 12
const rowsMax = 100

export const KeysPage = ({ view, keys, secrets }: Props) => {
  const words = view.words.keys
  const live = keys.filter(({ state }) => isLive(state))
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
          shown={secrets.find(({ keyId }) => keyId === facts.key.id) ?? null}
          isFocused={secrets[0]?.keyId === facts.key.id}
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
  shown,
  isFocused,
}: {
  view: View
  facts: KeyFacts
  shown: ShownSecret | null
  isFocused: boolean
}) => {
  const { key } = facts
  const words = view.words.keys
  const path = `/workspace/settings/keys/${key.id}`
  return (
    <section class="panel" id={key.id}>
      <KeyHead view={view} facts={facts} />
      <ReplacedNotice view={view} facts={facts} />
      {isShipped(facts) && <ShippedNotice view={view} />}
      <SecretBox view={view} keyOf={key} page="list" shown={shown} isFocused={isFocused} />
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

/** A key that was replaced and still lives: until when, and how much it is still used. */
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
    <a href="/workspace/settings/keys/new?kind=vk">{view.words.overview.makeValidation}</a>
  </p>
)

type SecretBoxProps = Readonly<{
  view: View
  keyOf: StoredKey
  /** The page it stands on: revealing and hiding lead back there. */
  page: "list" | "key"
  shown: ShownSecret | null
  isFocused: boolean
}>

export const SecretBox = ({ view, keyOf, page, shown, isFocused }: SecretBoxProps) => (
  <div class="secret">
    {shown === null ? (
      <code class="masked">{masks[keyOf.kind]}••••••••••••</code>
    ) : (
      <>
        <code data-secret tabindex={-1} autofocus={isFocused ? true : undefined}>
          {shown.secret}
        </code>
        <CopyButton view={view} text={shown.secret} />
      </>
    )}
    <SecretForm view={view} keyOf={keyOf} page={page} action={shown === null ? "reveal" : "hide"} />
  </div>
)

const SecretForm = ({
  view,
  keyOf,
  page,
  action,
}: Pick<SecretBoxProps, "view" | "keyOf" | "page"> & { action: "reveal" | "hide" }) => (
  <form method="post" action={`/workspace/settings/keys/${keyOf.id}/${action}`}>
    <TokenField view={view} />
    <input type="hidden" name="page" value={page} />
    <button type="submit" class="quiet">
      {view.words.keys[action]}
      <span class="visually-hidden"> {keyOf.name}</span>
    </button>
  </form>
)

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
        <dt>{words.last30Days}</dt>
        <dd>{view.words.calls(usage?.callsLast30Days ?? 0)}</dd>
      </div>
      <div>
        <KeyEnd view={view} facts={facts} />
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

/** When it ended, or when it will. */
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

const KeyRows = ({ view, keys }: { view: View; keys: readonly KeyFacts[] }) => (
  <table class="stack">
    <tbody>
      {keys.map(({ key, state, usage }) => (
        <tr>
          <td>
            <a href={`/workspace/settings/keys/${key.id}`}>{key.name}</a>
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
