/** The pages of operators: who may see which. */
import { findOperatorSession } from "../../operations/sign-in/find-session.ts"
import { createPageApp, type Pages, wantedAddress } from "../pages/app/page-app.ts"
import { createCookies } from "../pages/cookies.ts"
import type { ErrorStatus } from "../pages/parts/error-page.tsx"
import { type ConsoleContext, type ConsoleVisitor, viewOf } from "./frame/console-context.ts"
import {
  confirmFactorPath,
  consolePath,
  loginPath,
  recoveryCodesPath,
  secondFactorPath,
} from "./frame/console-paths.ts"
import type { ConsoleServices } from "./frame/services.ts"
import { addAuditRoutes } from "./handlers/audit.tsx"
import { addAuthorRoutes } from "./handlers/author.tsx"
import { addAuthorActionRoutes } from "./handlers/author-actions.tsx"
import { addAuthorsRoutes } from "./handlers/authors.tsx"
import { addImportsRoutes } from "./handlers/imports.tsx"
import { addInvitationRoutes } from "./handlers/invitation.tsx"
import { addKeysRoutes } from "./handlers/keys.tsx"
import { addPurchasesRoutes } from "./handlers/purchases.tsx"
import { addSecondFactorRoutes } from "./handlers/second-factor.tsx"
import { addSecurityRoutes } from "./handlers/security.tsx"
import { addSettingsRoutes } from "./handlers/settings.tsx"
import { addSignInRoutes } from "./handlers/sign-in.tsx"
import { addStatusRoutes } from "./handlers/status.tsx"
import { addTrafficRoutes } from "./handlers/traffic.tsx"
import { ConsoleErrorPage } from "./pages/error-page.tsx"

/** Without an operator the paths do not exist: `elsewhere` answers as for any unknown one. */
export function createConsole(services: ConsoleServices, elsewhere: Pages): Pages {
  const { store, tokens, now, site, siteLocale, publicUrl, publicHost } = services
  const app = createPageApp<ConsoleVisitor>(
    {
      ...{ site, siteLocale, publicUrl, publicHost, tokens, showError },
      cookies: createCookies(publicUrl, "console"),
      async findVisitor(token) {
        const { operators } = store
        const { sessions } = store.operatorSignIn
        const found = await findOperatorSession({ operators, sessions, tokens, now }, token)
        return found && { visitor: { session: found.session, operator: found.owner }, locale: null }
      },
      hasPublicForm: isPublic,
    },
    async (c) => {
      // A request that is refused under overload must not ask the store.
      if (c.env.isAdmitted && (await store.operators.hasAny())) return null
      return elsewhere.fetch(c.req.raw, c.env)
    },
  )

  app.use(`${consolePath}/*`, async (c, next) => {
    // No id holds a NUL, and PostgreSQL cannot search for one.
    if (c.req.path.includes("%00")) return showError(c, 404)
    const visitor = c.get("visitor")
    if (visitor === null) {
      if (isPublic(c.req.path)) return next()
      const wanted = wantedAddress(c, consolePath)
      return c.redirect(`${loginPath}?${new URLSearchParams({ next: wanted })}`, 303)
    }
    if (!services.isSecondFactorRequired || isForSecondFactor(c.req.path)) return next()
    const factor = await store.secondFactors.find(visitor.operator.id)
    return factor === null ? c.redirect(secondFactorPath, 303) : next()
  })

  addSignInRoutes(app, services)
  addStatusRoutes(app, services)
  addTrafficRoutes(app, services)
  addInvitationRoutes(app, services)
  addAuthorsRoutes(app, services)
  addAuthorRoutes(app, services)
  addAuthorActionRoutes(app, services)
  addPurchasesRoutes(app, services)
  addKeysRoutes(app, services)
  addImportsRoutes(app, services)
  addAuditRoutes(app, services)
  addSettingsRoutes(app, services)
  addSecurityRoutes(app, services)
  addSecondFactorRoutes(app, services)

  return {
    fetch: async (request, visit) => app.fetch(request, visit),
  }
}

const isPublic = (path: string) => /^\/console\/(?:login|logout|invite)(?:\/|$)/.test(path)

/** The pages that an operator may see before the second factor is set up. */
const isForSecondFactor = (path: string) =>
  isPublic(path) ||
  [secondFactorPath, confirmFactorPath].includes(path) ||
  path.startsWith(recoveryCodesPath)

function showError(c: ConsoleContext, status: ErrorStatus): Response | Promise<Response> {
  return c.html(<ConsoleErrorPage view={viewOf(c)} status={status} />, status)
}
