/** The pages of authors, and those for everybody: who may see which. */
import { findAuthorSession } from "../../operations/sign-in/find-session.ts"
import { createPageApp, type Pages, wantedAddress } from "../pages/app/page-app.ts"
import {
  type AuthorApp,
  type AuthorContext,
  type Visitor,
  viewOf,
} from "../pages/author-context.ts"
import { createCookies } from "../pages/cookies.ts"
import { ErrorPage, type ErrorStatus } from "../pages/parts/error-page.tsx"
import type { WorkspaceServices } from "./frame/services.ts"
import { addAssetRoutes } from "./handlers/assets.ts"
import { addCheckRoutes } from "./handlers/check.tsx"
import { workspacePath } from "./handlers/enter.ts"
import { addInvitationRoutes } from "./handlers/invitation.tsx"
import { addItemRoutes } from "./handlers/items.tsx"
import { addKeyRoutes } from "./handlers/key.tsx"
import { addKeyActionRoutes } from "./handlers/key-actions.tsx"
import { addKeysRoutes } from "./handlers/keys.tsx"
import { addLandingRoutes } from "./handlers/landing.tsx"
import { addLinkRoutes } from "./handlers/link.tsx"
import { addNewKeyRoutes } from "./handlers/new-key.tsx"
import { addOverviewRoutes } from "./handlers/overview.tsx"
import { addSecurityRoutes } from "./handlers/security.tsx"
import { addSettingsRoutes } from "./handlers/settings.tsx"
import { addSignInRoutes } from "./handlers/sign-in.tsx"
import { SuspendedPage } from "./pages/sign-in/suspended-page.tsx"

/** `addPublicPages` adds those that everybody sees, in the frame of the author who is signed in. */
export function createWorkspace(
  services: WorkspaceServices,
  addPublicPages: (app: AuthorApp, services: WorkspaceServices) => void,
): Pages {
  const { store, site, siteLocale, publicUrl, publicHost, tokens } = services
  const app = createPageApp<Visitor>({
    ...{ site, siteLocale, publicUrl, publicHost, tokens, showError },
    cookies: createCookies(publicUrl, "workspace"),
    async findVisitor(token) {
      const found = await findAuthorSession({ ...store, ...services }, token)
      if (found === null) return null
      const { session, owner: account } = found
      return {
        visitor: { session, account },
        locale: await store.preferences.findLocale(account.id),
      }
    },
    hasPublicForm: (path) => /^\/(?:login|invite)(?:\/|$)/.test(path),
    showRefusal: (c, error) =>
      error.reason === "account_suspended" ? c.html(<SuspendedPage view={viewOf(c)} />, 403) : null,
  })

  app.use(`${workspacePath}/*`, async (c, next) => {
    // No id holds a NUL, and PostgreSQL cannot search for one.
    if (c.req.path.includes("%00")) return showError(c, 404)
    if (c.get("visitor") !== null) return next()
    const wanted = wantedAddress(c, workspacePath)
    return c.redirect(`/login?${new URLSearchParams({ next: wanted })}`, 303)
  })

  addAssetRoutes(app, services)
  addLandingRoutes(app, services)
  addPublicPages(app, services)
  addSignInRoutes(app, services)
  addInvitationRoutes(app, services)
  addLinkRoutes(app, services)
  addOverviewRoutes(app, services)
  addItemRoutes(app, services)
  addCheckRoutes(app, services)
  // Before the page of a key: "new" is no key's id.
  addNewKeyRoutes(app, services)
  addKeyActionRoutes(app, services)
  addKeysRoutes(app, services)
  addKeyRoutes(app, services)
  addSettingsRoutes(app, services)
  addSecurityRoutes(app, services)

  return {
    fetch: async (request, visit) => app.fetch(request, visit),
  }
}

function showError(c: AuthorContext, status: ErrorStatus): Response | Promise<Response> {
  return c.html(<ErrorPage view={viewOf(c)} status={status} />, status)
}
