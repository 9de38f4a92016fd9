import { Heads } from "../pages/parts/values.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import type { ConsoleServices, Setting } from "./frame/services.ts"

export function addSettingsRoutes(app: ConsoleApp, { settings }: ConsoleServices): void {
  app.get(paths.settings, (c) => c.html(<SettingsPage view={viewOf(c)} settings={settings} />))
}

type Props = Readonly<{ view: ConsoleView; settings: readonly Setting[] }>

const SettingsPage = ({ view, settings }: Props) => {
  const texts = view.texts.settings
  return (
    <ConsolePage view={view} title={texts.title}>
      <p>{texts.intro}</p>
      <table class="stack">
        <Heads of={[texts.name, texts.value, texts.origin]} />
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
