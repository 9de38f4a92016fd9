/** Routes of the console, with their access rules. */

import { matchedRoutes } from "hono/route"
import { recordRejected } from "../access/audit-operations.ts"
import { addAuditPages } from "../access/audit-pages.tsx"
import { may } from "../access/page-view.ts"
import { paths } from "../access/paths.ts"
import { addImportPages } from "../feed/import-pages.tsx"
import { addOperatorPages } from "../people/people-pages.ts"
import { operatorRoleTexts } from "../people/person.ts"
import { lacksRequiredFactor, mustUsePasskey } from "../people/person-operations.ts"
import { createPageApp, type Pages, readVisit, redirectToSignIn } from "../people/session-pages.ts"
import { currentView, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { type ErrorStatus, errorTexts } from "../platform/pages/layout.tsx"
import { Page } from "../platform/pages/page.tsx"
import { t } from "../platform/t.ts"
import { addConsoleSalePages } from "../purchases/sale-pages.tsx"
import { addWebhookPages } from "../webhooks/endpoint-pages.tsx"
import { rightFor } from "./access.ts"
import { addAuthorsRoutes } from "./author-pages.tsx"
import { ConsolePage, ConsolePublicPage } from "./frame.tsx"
import { addHomeRoutes } from "./home-pages.tsx"
import type { ConsoleServices } from "./services.ts"
import { addSettingsRoutes } from "./settings-pages.tsx"
import { addSearchRoutes } from "./shared-pages.tsx"
import { addTrafficRoutes } from "./traffic-pages.tsx"

/** Without operators the console does not exist: `elsewhere` responds as for any unknown path. */
export function createConsole(services: ConsoleServices, elsewhere: Pages): Pages {
  const app = createConsoleApp(services, elsewhere)
  return { fetch: async (request, visit) => app.fetch(request, visit) }
}

export function createConsoleApp(services: ConsoleServices, elsewhere: Pages): PageApp {
  const { operators } = services
  const app = createPageApp(services, {
    Frame: ConsolePage,
    showError,
    async openFor(c, { operator }) {
      if (operator === null) return elsewhere.fetch(c.req.raw, c.env)
      const { name, role } = operator
      const actor = { kind: "operator", name, role, ...readVisit(c) } as const
      return { actor, author: null }
    },
    hasPublicForm: () => false,
    signInPathOf: () => "/login?done=session_ended",
    async admit(c) {
      // Requests rejected under overload must not read the database.
      if (c.env.isAdmitted && (await operators.hasAny())) return null
      return elsewhere.fetch(c.req.raw, c.env)
    },
  })

  app.use(`${paths.home}/*`, async (c, next) => {
    // PostgreSQL rejects NUL in texts, and no ID contains it.
    if (c.req.path.includes("%00")) return showError(c, 404)
    if (!c.var.isSignedIn) return redirectToSignIn(c, paths.home)
    if (await mustUsePasskey(services, c.var.session)) return c.html(<UsePasskey />, 403)
    const isMissing =
      !isForTwoFactor(c.req.path) && (await lacksRequiredFactor(services, c.var.session))
    return isMissing ? c.redirect(paths.setTwoFactor, 303) : next()
  })

  app.use(`${paths.home}/*`, async (c, next) => {
    const route = matchedRoutes(c).find(({ method }) => method !== "ALL")
    if (!c.var.isSignedIn || route === undefined) return next()
    const { actor } = c.var
    if (may(rightFor(route.method, route.path))) return next()
    await recordRejected({ ...services, actor }, `${route.method} ${route.path}`)
    const page = (
      <Page title={t("Not allowed")}>
        <p class="hint">403</p>
        <p>
          {t(
            "Your role, {role}, does not allow this. Ask an admin to do it or to change your role.",
            { role: t(operatorRoleTexts[c.var.operator.role].name) },
          )}
        </p>
      </Page>
    )
    return c.html(page, 403)
  })

  addHomeRoutes(app, services)
  addTrafficRoutes(app, services)
  addAuthorsRoutes(app, services)
  addConsoleSalePages(app, services)
  addSearchRoutes(app, services)
  addImportPages(app, services)
  addWebhookPages(app, services, paths.webhooks, () => null)
  addOperatorPages(app, services)
  addAuditPages(app, services)
  addSettingsRoutes(app, services)

  return app
}

const UsePasskey = () => (
  <Page title={t("Not allowed")}>
    <p>
      {t(
        "Operators need a second factor. Sign out, and sign in with your passkey. If you lost it, an admin can remove it.",
      )}
    </p>
  </Page>
)

/** Pages that are allowed before required 2FA is set up. */
const isForTwoFactor = (path: string) =>
  path === paths.setTwoFactor || path === `${paths.setTwoFactor}/confirm`

function showError(c: PageContext, status: ErrorStatus): Response | Promise<Response> {
  const { title, text } = errorTexts[status]
  const Page = currentView().operator === null ? ConsolePublicPage : ConsolePage
  const page = (
    <Page title={t(title)}>
      <p class="hint">{status}</p>
      <p>{t(text)}</p>
      <p class="actions">
        <a href={paths.home}>{t("Go to the home page")}</a>
      </p>
    </Page>
  )
  return c.html(page, status)
}
