import type { ListedAuditEvent } from "../../../domain/sign-in/audit-event.ts"
import { isolate, shownName } from "../../pages/parts/name.ts"
import { Moment } from "../../pages/parts/values.tsx"
import type { ConsoleView } from "../frame/console-context.ts"
import { pathOfAuthor } from "../frame/console-paths.ts"
import type { ConsoleWords } from "../translations/en.ts"

type Props = Readonly<{
  view: ConsoleView
  events: readonly ListedAuditEvent[]
  /** All are of the author whose page this is. */
  isOfOne?: boolean
}>

export const AuditTable = ({ view, events, isOfOne = false }: Props) => {
  const texts = view.texts.audit
  return (
    <table class="stack">
      <thead>
        <tr>
          <th scope="col">{texts.when}</th>
          <th scope="col">{texts.who}</th>
          <th scope="col">{texts.what}</th>
          <th scope="col">{texts.subject}</th>
          {!isOfOne && <th scope="col">{texts.account}</th>}
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr>
            <td>
              <Moment view={view} at={event.at} />
            </td>
            <td data-label={texts.who}>
              {texts.actors[event.actor.kind](isolate(event.actor.name))}{" "}
              <span class="hint mono">{event.actor.network}</span>
            </td>
            <td data-label={texts.what}>
              {describeAction(texts, event)}{" "}
              {event.isByFeed !== undefined && (
                <span class="hint">{texts.feedWord(event.isByFeed, event.kind)}</span>
              )}
            </td>
            <td data-label={texts.subject}>
              {describeMany(texts, event) ?? <bdi>{event.subjectName}</bdi>}{" "}
              <span class="hint mono clamp">{event.subjectId}</span>
            </td>
            {!isOfOne && (
              <td data-label={texts.account}>
                <AccountCell account={event.account} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** An account that was deleted since has no page. */
const AccountCell = ({ account }: Pick<ListedAuditEvent, "account">) => {
  if (account === null) return <span>–</span>
  const name = shownName(account.username, "–")
  return account.id === null ? (
    <bdi>{name}</bdi>
  ) : (
    <a href={pathOfAuthor(account.id)}>
      <bdi>{name}</bdi>
    </a>
  )
}

/** Null for an event about one thing, which it names. */
function describeMany(
  texts: ConsoleWords["audit"],
  { subjectId, action, count }: ListedAuditEvent,
) {
  const many: Readonly<Record<string, (n: number) => string>> = texts.many
  return subjectId === "" ? many[action]?.(count) : null
}

function describeAction({ actions }: ConsoleWords["audit"], { kind, action }: ListedAuditEvent) {
  const ofKind: Readonly<Record<string, string>> = actions[kind]
  return ofKind[action] ?? action
}
