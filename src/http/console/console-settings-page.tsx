import type { Setting } from "../../domain/values/setting.ts"
import { recordOperatorEvent } from "../../operations/record-event.ts"
import { operatorsIn } from "../../operations/sign-in/password-operations.ts"
import * as shared from "../pages/app/security-page.tsx"
import { Languages } from "../pages/components/layout.tsx"
import { Panel, Table } from "../pages/components/panels-and-tables.tsx"
import { createCookies } from "../pages/cookies.ts"
import type { PageTexts } from "../pages/translations/texts.ts"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleView,
  viewOf,
  viewWithNotice,
  visitorOf,
} from "./layout/console-context.ts"
import { ConsolePage, consoleArea } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

export function addSettingsRoutes(app: ConsoleApp, { settings }: ConsoleServices): void {
  app.get(paths.settings, (c) => c.html(<SettingsPage view={viewOf(c)} settings={settings} />))
}

const SettingsPage = ({ view, settings }: { view: ConsoleView; settings: readonly Setting[] }) => {
  const texts = view.texts.serverSettings
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

type Texts = PageTexts["serverSettings"]

function shownValue(texts: Texts, { value, isSecret, origin }: Setting): string {
  if (isSecret && origin !== "default") return "••••"
  return value ?? texts.none
}

function shownOrigin(texts: Texts, { origin, path }: Setting): string {
  return origin === "file" && path !== null ? texts.file(path) : texts.origins[origin]
}

export const addSecurityRoutes = (app: ConsoleApp, services: ConsoleServices): void =>
  shared.addSecurityRoutes(app, services, {
    ...consoleArea,
    path: paths.security,
    loginPath: paths.login,
    cookies: createCookies(services.publicUrl, "console"),
    owners: operatorsIn(services.operators),
    ownerOf: (c) => visitorOf(c).operator,
    viewWithNotice,
    isTwoFactorRequired: services.twoFactorPolicy.isRequired,
    record: (c, action) =>
      recordOperatorEvent({ ...services, actor: actorOf(c) }, visitorOf(c).operator.name, action),
    renderPanels: ({ password, factor, sessions }, view) => (
      <>
        {factor}
        {password}
        {sessions}
        <Panel id="language-title" title={view.texts.settings.language.title}>
          <Languages view={view} />
        </Panel>
      </>
    ),
  })
