import type { KeyEvent } from "../../../domain/key-event.ts"
import { pathOfKey } from "../key-paths.ts"
import { SettingsPage } from "../parts/layout.tsx"
import { Moment } from "../parts/values.tsx"
import type { View } from "../view.ts"

export const ActivityPage = ({ view, events }: { view: View; events: readonly KeyEvent[] }) => {
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
              <th scope="col">{words.when}</th>
              <th scope="col">{words.what}</th>
              <th scope="col">{words.key}</th>
              <th scope="col">{words.from}</th>
            </tr>
          </thead>
          <tbody>
            {events.map(({ at, action, keyId, keyName, from }) => (
              <tr>
                <td>
                  <Moment view={view} at={at} />
                </td>
                <td>{words.actions[action]}</td>
                <td data-label={words.key}>
                  <a href={pathOfKey(keyId)}>{keyName}</a>
                </td>
                <td class="mono" data-label={words.from}>
                  {from === "operator" ? words.operator : from}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SettingsPage>
  )
}
