/** The pages of operators: who may see which. */

import { findOperatorSession } from "../../operations/sign-in/sessions.ts"
import { createPageApp, type Pages, wantedAddress } from "../pages/app/page-app.ts"
import { createCookies } from "../pages/cookies.ts"
import type { ErrorStatus } from "../pages/parts/workspace-layout.tsx"
import { addWebhookRoutes } from "../pages/webhooks/webhook-routes.tsx"
import { addAuditRoutes } from "./audit.tsx"
import { addAuthorActionRoutes, addAuthorRoutes } from "./author.tsx"
import { addAuthorUseRoutes } from "./author-use.tsx"
import { addAuthorsRoutes } from "./authors.tsx"
import {
  type ConsoleContext,
  type ConsoleView,
  type ConsoleVisitor,
  viewOf,
} from "./frame/console-context.ts"
import { ConsolePage, ConsolePublicPage, consolePlace } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import type { ConsoleServices } from "./frame/services.ts"
import { addImportsRoutes } from "./imports.tsx"
import { addItemsRoutes } from "./items.tsx"
import { addKeysRoutes } from "./keys.tsx"
import { addOperatorsRoutes } from "./operators.tsx"
import { addPurchasesRoutes } from "./purchases.tsx"
import { addSearchRoutes } from "./search.tsx"
import { addSecurityRoutes } from "./security.tsx"
import { addSettingsRoutes } from "./settings.tsx"
import { addInvitationRoutes, addSignInRoutes } from "./sign-in.tsx"
import { addStatusRoutes } from "./status.tsx"
import { addTrafficRoutes } from "./traffic.tsx"

/** Without an operator the paths do not exist: `elsewhere` answers as for any unknown one. */
export function createConsole(services: ConsoleServices, elsewhere: Pages): Pages {
  const { operators, secondFactors, secondFactorRule } = services
  const app = createPageApp<ConsoleVisitor>(services, {
    showError,
    cookies: createCookies(services.publicUrl, "console"),
    async findVisitor(token) {
      const found = await findOperatorSession(services, token)
      return found && { visitor: { session: found.session, operator: found.owner }, locale: null }
    },
    hasPublicForm: isPublic,
    signInAddressOf(path) {
      if (path === paths.logout) return paths.login
      return isPublic(path) ? null : `${paths.login}?done=session_ended`
    },
    async admit(c) {
      // A request that is refused under overload must not ask the store.
      if (c.env.isAdmitted && (await operators.hasAny())) return null
      return elsewhere.fetch(c.req.raw, c.env)
    },
  })

  app.use(`${paths.home}/*`, async (c, next) => {
    // No id holds a NUL, and PostgreSQL cannot search for one.
    if (c.req.path.includes("%00")) return showError(c, 404)
    const visitor = c.get("visitor")
    if (visitor === null) {
      if (isPublic(c.req.path)) return next()
      const wanted = wantedAddress(c, paths.home)
      return c.redirect(`${paths.login}?${new URLSearchParams({ next: wanted })}`, 303)
    }
    if (isForSecondFactor(c.req.path) || !(await secondFactorRule.isRequired())) return next()
    const factor = await secondFactors.find(visitor.operator.id)
    return factor === null ? c.redirect(paths.factor.set, 303) : next()
  })

  addSignInRoutes(app, services)
  addStatusRoutes(app, services)
  addTrafficRoutes(app, services)
  addInvitationRoutes(app, services)
  addAuthorsRoutes(app, services)
  addAuthorRoutes(app, services)
  addAuthorActionRoutes(app, services)
  addAuthorUseRoutes(app, services)
  addItemsRoutes(app, services)
  addPurchasesRoutes(app, services)
  addSearchRoutes(app, services)
  addKeysRoutes(app, services)
  addImportsRoutes(app, services)
  addWebhookRoutes(app, services, { ...consolePlace, path: paths.webhooks, ownerOf: () => null })
  addOperatorsRoutes(app, services)
  addAuditRoutes(app, services)
  addSettingsRoutes(app, services)
  addSecurityRoutes(app, services)

  return {
    fetch: async (request, visit) => app.fetch(request, visit),
  }
}

const isPublic = (path: string) => /^\/console\/(?:login|logout|invite)(?:\/|$)/.test(path)

/** The pages that an operator may see before the second factor is set up. */
const isForSecondFactor = (path: string) =>
  isPublic(path) || path === paths.factor.set || path === paths.factor.confirm

function showError(c: ConsoleContext, status: ErrorStatus): Response | Promise<Response> {
  return c.html(<ConsoleErrorPage view={viewOf(c)} status={status} />, status)
}

type Props = Readonly<{ view: ConsoleView; status: ErrorStatus }>

/** A signed-in operator keeps the navigation. */
const ConsoleErrorPage = ({ view, status }: Props) => {
  const { errors } = view.words
  const Page = view.operator === null ? ConsolePublicPage : ConsolePage
  return (
    <Page view={view} title={errors[status].title}>
      <p class="hint">{status}</p>
      <p>{errors[status].text}</p>
      <p class="actions">
        <a href={paths.home}>{view.texts.toStatus}</a>
      </p>
    </Page>
  )
}
