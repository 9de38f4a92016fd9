/** The operator's own password, second factor and browsers. */
import { recordOperatorEvent } from "../../operations/record-event.ts"
import { operatorsIn } from "../../operations/sign-in/passwords.ts"
import * as shared from "../pages/app/security.tsx"
import { createCookies } from "../pages/cookies.ts"
import { Panel } from "../pages/parts/blocks.tsx"
import { Languages } from "../pages/parts/layout.tsx"
import { actorOf, type ConsoleApp, viewAfter, visitorOf } from "./frame/console-context.ts"
import { consolePlace } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import type { ConsoleServices } from "./frame/services.ts"

export const addSecurityRoutes = (app: ConsoleApp, services: ConsoleServices): void =>
  shared.addSecurityRoutes(app, services, {
    ...consolePlace,
    path: paths.security,
    loginPath: paths.login,
    cookies: createCookies(services.publicUrl, "console"),
    owners: operatorsIn(services.operators),
    ownerOf: (c) => visitorOf(c).operator,
    viewAfter,
    isFactorRequired: services.secondFactorRule.isRequired,
    record: (c, action) =>
      recordOperatorEvent({ ...services, actor: actorOf(c) }, visitorOf(c).operator.name, action),
    layOut: ({ password, factor, sessions }, view) => (
      <>
        {factor}
        {password}
        {sessions}
        <Panel id="language-title" title={view.words.languagePage.title}>
          <Languages view={view} />
        </Panel>
      </>
    ),
  })
