import type { Setting } from "../../domain/values/setting.ts"
import { Table } from "../pages/components/panels-and-tables.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"
import type { ConsoleTexts } from "./translations/console-en.ts"

export function addSettingsRoutes(app: ConsoleApp, { settings }: ConsoleServices): void {
  app.get(paths.settings, (c) => c.html(<SettingsPage view={viewOf(c)} settings={settings} />))
}

const SettingsPage = ({ view, settings }: { view: ConsoleView; settings: readonly Setting[] }) => {
  const texts = view.consoleTexts.settings
  return (
    <ConsolePage view={view} title={view.texts.navigation.settings}>
      <p>{texts.intro}</p>
      <Table
        rows={settings}
        columns={[
          { head: texts.name, class: "mono", cell: ({ name }) => name },
          { head: texts.value, class: "mono", cell: (setting) => shownValue(texts, setting) },
          { head: texts.origin, cell: (setting) => shownOrigin(texts, setting) },
        ]}
      />
    </ConsolePage>
  )
}

type Texts = ConsoleTexts["settings"]

function shownValue(texts: Texts, { value, isSecret, origin }: Setting): string {
  if (isSecret && origin !== "default") return "••••"
  return value ?? texts.none
}

function shownOrigin(texts: Texts, { origin, path }: Setting): string {
  return origin === "file" && path !== null ? texts.file(path) : texts.origins[origin]
}
