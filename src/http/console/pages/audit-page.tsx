import {
  type AuditKind,
  auditKinds,
  type ListedAuditEvent,
} from "../../../domain/sign-in/audit-event.ts"
import { Field } from "../../pages/parts/fields.tsx"
import type { ConsoleView } from "../frame/console-context.ts"
import { auditPath } from "../frame/console-paths.ts"
import { AuditTable } from "../parts/audit-table.tsx"
import { ConsolePage } from "../parts/console-layout.tsx"

type Props = Readonly<{
  view: ConsoleView
  username: string
  kind: AuditKind | null
  /** No account has this username. */
  isUnknown: boolean
  events: readonly ListedAuditEvent[]
  hasOlder: boolean
}>

export const AuditPage = ({ view, username, kind, isUnknown, events, hasOlder }: Props) => {
  const texts = view.texts.audit
  return (
    <ConsolePage view={view} title={texts.title}>
      <p>{texts.intro}</p>
      <form method="get" action={auditPath} class="filter" role="search">
        <Field
          name="account"
          label={texts.username}
          type="search"
          value={username}
          maxlength={255}
          error={isUnknown ? texts.unknown : null}
        />
        <div class="field sort">
          <label for="kind">{texts.kind}</label>
          <select id="kind" name="kind">
            <option value="">{texts.everything}</option>
            {auditKinds.map((each) => (
              <option value={each} selected={each === kind}>
                {texts.kinds[each]}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="quiet">
          {texts.filter}
        </button>
      </form>
      {events.length === 0 ? (
        <p class="empty">{username === "" && kind === null ? texts.none : texts.noMatch}</p>
      ) : (
        <AuditTable view={view} events={events} />
      )}
      {hasOlder && (
        <nav class="pager" aria-label={texts.title}>
          <span class="actions">
            <a
              class="button quiet"
              href={pathOfOlder(username, kind, events.at(-1)?.id)}
              rel="next"
            >
              {texts.older}
            </a>
          </span>
        </nav>
      )}
    </ConsolePage>
  )
}

function pathOfOlder(username: string, kind: AuditKind | null, before: number | undefined): string {
  const query = new URLSearchParams({ account: username, kind: kind ?? "" })
  if (before !== undefined) query.set("before", String(before))
  return `${auditPath}?${query}`
}
