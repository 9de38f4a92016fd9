import type { AuditEventOf } from "../../../../domain/sign-in/audit-event.ts"
import { pathOfKey } from "../../../pages/key-paths.ts"
import { Moment } from "../../../pages/parts/values.tsx"
import { SettingsPage } from "../../../pages/parts/workspace-layout.tsx"
import type { View } from "../../../pages/view.ts"

type Props = Readonly<{
  view: View
  events: readonly AuditEventOf<"key">[]
  /** Of the keys in `events`, by id. */
  masks: ReadonlyMap<string, string>
}>

export const ActivityPage = ({ view, events, masks }: Props) => {
  const words = view.words.activity
  return (
    <SettingsPage view={view} title={words.title}>
      <p>{words.intro}</p>
      {events.length === 0 ? (
        <p class="empty">{words.none}</p>
      ) : (
        <table class="stack">
          <thead>
            <tr>
              <th scope="col">{words.what}</th>
              <th scope="col">{words.key}</th>
              <th scope="col">{words.from}</th>
              <th scope="col">{words.when}</th>
            </tr>
          </thead>
          <tbody>
            {events.map(({ at, action, actor, subjectId, subjectName }) => (
              <tr>
                <td>{words.actions[action]}</td>
                <td data-label={words.key}>
                  <a href={pathOfKey(subjectId)}>
                    {subjectName} <span class="mono">{masks.get(subjectId)}</span>
                  </a>
                </td>
                <td data-label={words.from}>
                  {actor.kind === "author" ? (
                    <span class="mono">{actor.network}</span>
                  ) : (
                    words.operator
                  )}
                </td>
                <td>
                  <Moment view={view} at={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SettingsPage>
  )
}
