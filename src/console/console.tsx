/** Routes of the console, with their access rules. */
import { matchedRoutes } from "hono/route"
import { recordRejected } from "../access/audit-operations.ts"
import { addAuditPages } from "../access/audit-pages.tsx"
import { may } from "../access/page-view.ts"
import { paths } from "../access/paths.ts"
import { addImportPages, type ImportPageServices } from "../feed/import-pages.tsx"
import {
  createPageApp,
  type Pages,
  type PeoplePageServices,
  readVisit,
  redirectToSignIn,
} from "../people/page-app.tsx"
import { addOperatorPages } from "../people/people-pages.ts"
import { operatorRoleTexts } from "../people/person.ts"
import { lacksRequiredFactor, mustUsePasskey } from "../people/person-operations.ts"
import { currentView, Page, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { type ErrorStatus, errorTexts } from "../platform/pages/layout.tsx"
import { t } from "../platform/t.ts"
import { addConsoleSalePages } from "../purchases/sale-pages.tsx"
import { addWebhookPages, type WebhookPageServices } from "../webhooks/endpoint-pages.tsx"
import { rightFor } from "./access.ts"
import { addAuthorPages } from "./author-pages.tsx"
import { ConsolePage, ConsolePublicPage } from "./frame.tsx"
import { addHomePages } from "./home-pages.tsx"
import { addConsoleSearch } from "./search-pages.tsx"
import { addSettingsPages } from "./settings-pages.tsx"
import { addTrafficPages } from "./traffic-pages.tsx"

export type ConsoleServices = PeoplePageServices &
  ImportPageServices &
  WebhookPageServices &
  Parameters<typeof addHomePages>[1] &
  Parameters<typeof addTrafficPages>[1] &
  Parameters<typeof addConsoleSearch>[1] &
  Parameters<typeof addSettingsPages>[1]

/** Without operators the console does not exist: `elsewhere` responds as for any unknown path. */
export function createConsole(
  services: ConsoleServices,
  elsewhere: Pages,
): Pages & Pick<PageApp, "routes"> {
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
      if (c.env.isAdmitted && (await services.operators.hasAny())) return null
      return elsewhere.fetch(c.req.raw, c.env)
    },
  })

  app.use(`${paths.home}/*`, async (c, next) => (await rejectVisit(c, services)) ?? next())

  addHomePages(app, services)
  addTrafficPages(app, services)
  addAuthorPages(app, services)
  addConsoleSalePages(app, services)
  addConsoleSearch(app, services)
  addImportPages(app, services)
  addWebhookPages(app, services, paths.webhooks, () => null)
  addOperatorPages(app, services)
  addAuditPages(app, services)
  addSettingsPages(app, services)

  return {
    routes: app.routes,
    fetch: async (request, visit) => app.fetch(request, visit),
  }
}

/** Pages that are allowed before required 2FA is set up. */
const twoFactorPaths: readonly string[] = [paths.setTwoFactor, `${paths.setTwoFactor}/confirm`]

/** Null if the visitor may see this page of the console. */
async function rejectVisit(c: PageContext, services: ConsoleServices): Promise<Response | null> {
  // PostgreSQL rejects NUL in texts, and no ID contains it.
  if (c.req.path.includes("%00")) return showError(c, 404)
  if (!c.var.isSignedIn) return redirectToSignIn(c, paths.home)
  const { actor, operator, session } = c.var
  if (await mustUsePasskey(services, session)) {
    const page = (
      <Page title={t("Not allowed")}>
        <p>
          {t(
            "Operators need a second factor. Sign out, and sign in with your passkey. If you lost it, an admin can remove it.",
          )}
        </p>
      </Page>
    )
    return c.html(page, 403)
  }
  if (!twoFactorPaths.includes(c.req.path) && (await lacksRequiredFactor(services, session)))
    return c.redirect(paths.setTwoFactor, 303)
  const route = matchedRoutes(c).find(({ method }) => method !== "ALL")
  if (route === undefined || may(rightFor(route.method, route.path))) return null
  await recordRejected({ ...services, actor }, `${route.method} ${route.path}`)
  const page = (
    <Page title={t("Not allowed")}>
      <p class="hint">403</p>
      <p>
        {t(
          "Your role, {role}, does not allow this. Ask an admin to do it or to change your role.",
          { role: t(operatorRoleTexts[operator.role].name) },
        )}
      </p>
    </Page>
  )
  return c.html(page, 403)
}

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
