import { recordOperatorEvent } from "../../operations/record-event.ts"
import { operatorsIn } from "../../operations/sign-in/password-operations.ts"
import * as shared from "../pages/app/security-page.tsx"
import { Languages } from "../pages/components/layout.tsx"
import { Panel } from "../pages/components/panels-and-tables.tsx"
import { createCookies } from "../pages/cookies.ts"
import { actorOf, type ConsoleApp, viewWithNotice, visitorOf } from "./layout/console-context.ts"
import { consoleArea } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

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
        <Panel id="language-title" title={view.texts.languagePage.title}>
          <Languages view={view} />
        </Panel>
      </>
    ),
  })
