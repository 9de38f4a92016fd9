import type { ConsoleView } from "../frame/console-context.ts"
import type { Setting } from "../frame/services.ts"
import { ConsolePage } from "../parts/console-layout.tsx"

type Props = Readonly<{ view: ConsoleView; settings: readonly Setting[] }>

export const SettingsPage = ({ view, settings }: Props) => {
  const texts = view.texts.settings
  return (
    <ConsolePage view={view} title={texts.title}>
      <p>{texts.intro}</p>
      <table class="stack">
        <thead>
          <tr>
            <th scope="col">{texts.name}</th>
            <th scope="col">{texts.value}</th>
            <th scope="col">{texts.origin}</th>
          </tr>
        </thead>
        <tbody>
          {settings.map((setting) => (
            <tr>
              <td class="mono">{setting.name}</td>
              <td class="mono" data-label={texts.value}>
                {shownValue(view, setting)}
              </td>
              <td data-label={texts.origin}>{shownOrigin(view, setting)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ConsolePage>
  )
}

function shownValue({ texts: { settings } }: ConsoleView, { value, isSecret, origin }: Setting) {
  if (isSecret && origin !== "default") return "••••"
  return value ?? settings.none
}

function shownOrigin({ texts: { settings } }: ConsoleView, { origin, path }: Setting) {
  return origin === "file" && path !== null ? settings.file(path) : settings.origins[origin]
}
