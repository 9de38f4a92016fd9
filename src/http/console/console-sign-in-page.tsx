import { recordEvent } from "../../operations/record-event.ts"
import { operatorsIn, signInOperator } from "../../operations/sign-in/sign-in.ts"
import * as shared from "../pages/app/sign-in-page.tsx"
import type { PageApp, PageContext } from "../pages/page-context.ts"
import { ConsolePublicPage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

export const addSignInRoutes = (app: PageApp, services: ConsoleServices): void =>
  shared.addSignInRoutes(app, services, {
    Layout: ConsolePublicPage,
    Intro: ({ view: { site, texts } }) => <p>{texts.operators.signIn.intro(site.name)}</p>,
    Help: ({ view }) => <p class="hint">{view.texts.operators.signIn.help}</p>,
    home: paths.home,
    loginPath: paths.login,
    logoutPath: paths.logout,
    invitationPath: "/console/invite/:token",
    resetPath: "/console/login/reset",
    nameLabel: ({ texts }) => texts.columns.name,
    isQuiet: () => false,
    isTwoFactorRequired: services.twoFactorPolicy.isRequired,
    owners: operatorsIn(services.operators),
    namesOf: ({ name }) => ({ name, greeting: name }),
    signIn: (attempt) => signInOperator(services, attempt),
    recordPassword({ name }, ipRange) {
      const actor = { kind: "operator", name, ipRange } as const
      return recordEvent({ ...services, actor }, { kind: "operator", action: "password" }, name)
    },
    showGone,
  })

function showGone(c: PageContext) {
  const view = c.var.view
  const page = (
    <ConsolePublicPage view={view} title={view.texts.signIn.invitation.goneTitle}>
      <p>{view.texts.operators.invitationGone}</p>
    </ConsolePublicPage>
  )
  return c.html(page, 404)
}
