import { Table } from "../pages/parts/blocks.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import type { ConsoleServices, Setting } from "./frame/services.ts"
import type { ConsoleWords } from "./translations/en.ts"

export function addSettingsRoutes(app: ConsoleApp, { settings }: ConsoleServices): void {
  app.get(paths.settings, (c) => c.html(<SettingsPage view={viewOf(c)} settings={settings} />))
}

type Props = Readonly<{ view: ConsoleView; settings: readonly Setting[] }>

const SettingsPage = ({ view, settings }: Props) => {
  const texts = view.texts.settings
  return (
    <ConsolePage view={view} title={texts.title}>
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

type Texts = ConsoleWords["settings"]

function shownValue(texts: Texts, { value, isSecret, origin }: Setting): string {
  if (isSecret && origin !== "default") return "••••"
  return value ?? texts.none
}

function shownOrigin(texts: Texts, { origin, path }: Setting): string {
  return origin === "file" && path !== null ? texts.file(path) : texts.origins[origin]
}
