import type { Child } from "hono/jsx"
import type { StoredKey } from "../../../domain/keys/api-key.ts"
import { Copyable } from "../../pages/components/copy-button.tsx"
import {
  Day,
  NamedLink,
  RelativeTime,
  SentenceWithTime,
  Stat,
} from "../../pages/components/formatted-values.tsx"
import { WorkspacePage } from "../../pages/components/workspace-layout.tsx"
import { type KeyFacts, requestsOfWeek } from "../../pages/key-facts.ts"
import { keysPath, pathOfKey } from "../../pages/paths.ts"
import type { PageProps, View } from "../../pages/view.ts"

type KeyLayoutProps = PageProps &
  Readonly<{
    aside?: Child
    /** Set on pages of an action; they link back to the page of the key. */
    about?: StoredKey
  }>

export const KeyLayout = ({ view, title, problem, aside, about, children }: KeyLayoutProps) => (
  <WorkspacePage view={view} title={title} problem={problem}>
    <p class="crumb">
      ‹ <a href={keysPath}>{view.texts.keys.title}</a>
      {about !== undefined && (
        <>
          {" "}
          › <NamedLink href={pathOfKey(about.id)} name={about.name} />
        </>
      )}
    </p>
    <div class="head">
      <h1>{title}</h1>
      {aside}
    </div>
    {children}
  </WorkspacePage>
)

type Props = Readonly<{ view: View; facts: KeyFacts }>

/** `isNew` omits the usage: the first request arrives while the page is open. */
export const KeyNumbers = ({ view, facts, isNew }: Props & { isNew: boolean }) => {
  const { key, usage } = facts
  const words = view.texts.keys
  return (
    <dl class="stats">
      <Stat label={words.created}>
        <Day view={view} at={key.createdAt} />
      </Stat>
      {!(isNew && usage === null) && <KeyCalls view={view} facts={facts} />}
      <KeyEnd view={view} facts={facts} />
      <Stat label={words.actions.id}>
        <Copyable view={view} text={key.id} />
      </Stat>
    </dl>
  )
}

/** Confirms which key is revoked or rotated, and what it affects. */
export const KeySummary = ({ view, facts, mask }: Props & { mask: string }) => {
  const { key } = facts
  const words = view.texts.keys
  return (
    <dl class="stats panel">
      <Stat label={words.kinds[key.kind]}>
        <span class="mono">{mask}</span>
      </Stat>
      {key.kind === "vk" && (
        <Stat label={view.texts.items.title}>
          {key.itemIds === null ? words.allItems : key.itemIds.length.toLocaleString(view.locale)}
        </Stat>
      )}
      <KeyCalls view={view} facts={facts} />
    </dl>
  )
}

const KeyCalls = ({ view, facts: { usage } }: Props) => (
  <>
    <Stat label={view.texts.keys.lastUsed}>
      <RelativeTime view={view} at={usage?.lastUsedAt ?? null} />
    </Stat>
    <Stat label={view.texts.keys.lastWeek}>
      {view.texts.requests(requestsOfWeek(usage))},{" "}
      {view.texts.keyPages.usage.ipRangeCount(usage?.ipRanges ?? 0)}
    </Stat>
  </>
)

const KeyEnd = ({ view, facts: { key, state } }: Props) => {
  const words = view.texts.keys
  const isOver = state === "revoked" || state === "expired"
  const at = key.revokedAt ?? key.expiresAt
  return (
    <Stat label={isOver ? words.state[state] : words.expires}>
      {at === null ? (
        words.new.expiries.never
      ) : (
        <SentenceWithTime view={view} at={at} form="moment" sentence={(when) => when} />
      )}
    </Stat>
  )
}
