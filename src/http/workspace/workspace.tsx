/** Routes of the workspace and of the public pages, with their access rules. */

import { accountBodyOf } from "../../domain/catalog/account.ts"
import { findCurrentTag } from "../api/response/entity-tag.ts"
import { createPageApp, type Pages, requestedPath } from "../pages/app/page-app.ts"
import { asset, assets } from "../pages/assets.ts"
import {
  ErrorPage,
  type ErrorStatus,
  PublicPage,
  SupportLink,
} from "../pages/components/layout.tsx"
import { type PageApp, type PageContext, type View, visitOf } from "../pages/page-context.ts"
import type { WorkspaceServices } from "../pages/page-services.ts"
import { activatePath, licensePath } from "../pages/paths.ts"
import { addIdentityRoutes } from "./identity-page.tsx"
import { addInvitationRoutes } from "./invitation-page.tsx"
import { addItemRoutes, addItemsRoutes } from "./items-page.tsx"
import { addKeyRoutes } from "./keys/key-routes.tsx"
import { addKeysRoutes } from "./keys/keys-page.tsx"
import { addNewKeyRoutes } from "./keys/new-key-page.tsx"
import { addLandingRoutes } from "./landing-page.tsx"
import { addLinkRoutes } from "./link-page.tsx"
import { addLogRoutes } from "./log-page.tsx"
import { addOverviewRoutes } from "./overview-page.tsx"
import { addCheckRoutes, addSalesRoutes } from "./sales-page.tsx"
import { addSearchRoutes } from "./search-page.tsx"
import {
  addSecurityRoutes,
  addSettingsRoutes,
  addWorkspaceWebhookRoutes,
} from "./settings-page.tsx"
import { addSignInRoutes, workspacePath } from "./sign-in-page.tsx"

/** `addPublicPages` adds pages without access rules, in the layout of the author who is signed in. */
export function createWorkspace(
  services: WorkspaceServices,
  addPublicPages: (app: PageApp, services: WorkspaceServices) => void,
): Pages {
  const app = createPageApp(services, {
    showError,
    async openFor(c, { person: { name }, memberships: [membership] }) {
      const actor = { kind: "author", name, ...visitOf(c) } as const
      const account = membership ? await services.accounts.find(membership.accountId) : null
      if (account === null) return { actor, author: null }
      c.set("account", account)
      const { username } = account
      return { actor, author: { username, name: accountBodyOf(account).name.full_name } }
    },
    hasPublicForm: (path) => /^\/(?:login|invite|license)(?:\/|$)/.test(path),
    isForBuyers: (path) => path === licensePath || path === activatePath,
    signInPathOf(path) {
      if (path === "/logout") return "/login"
      return path.startsWith(`${workspacePath}/`) ? "/login?done=session_ended" : null
    },
    showExpectedError: (c, error) =>
      error.reason === "account_suspended"
        ? c.html(<SuspendedPage view={c.var.view} />, 403)
        : null,
  })

  app.use(`${workspacePath}/*`, async (c, next) => {
    // PostgreSQL rejects NUL in texts, and no ID contains it.
    if (c.req.path.includes("%00")) return showError(c, 404)
    if (c.var.view.author !== null) return next()
    if (c.var.isSignedIn) return c.redirect("/console", 303)
    const wanted = requestedPath(c, workspacePath)
    return c.redirect(`/login?${new URLSearchParams({ next: wanted })}`, 303)
  })

  addAssetRoutes(app, services)
  addLandingRoutes(app, services)
  addPublicPages(app, services)
  addSignInRoutes(app, services)
  addInvitationRoutes(app, services)
  addLinkRoutes(app, services)
  addIdentityRoutes(app, services)
  addOverviewRoutes(app, services)
  addLogRoutes(app, services)
  addSearchRoutes(app, services)
  addItemsRoutes(app, services)
  addItemRoutes(app, services)
  addSalesRoutes(app, services)
  addCheckRoutes(app, services)
  // Before the route of a key, which would match "new".
  addNewKeyRoutes(app, services)
  addKeysRoutes(app, services)
  addKeyRoutes(app, services)
  addSettingsRoutes(app, services)
  addSecurityRoutes(app, services)
  addWorkspaceWebhookRoutes(app, services)

  return {
    fetch: async (request, visit) => app.fetch(request, visit),
  }
}

function showError(c: PageContext, status: ErrorStatus): Response | Promise<Response> {
  return c.html(<ErrorPage view={c.var.view} status={status} />, status)
}

/** Shown only after the correct password or a valid link: others must not learn about the suspension. */
const SuspendedPage = ({ view }: { view: View }) => (
  <PublicPage view={view} title={view.texts.signIn.suspended.title}>
    <h1>{view.texts.signIn.suspended.title}</h1>
    <p class="notice warning">
      {view.texts.signIn.suspended.text} <SupportLink view={view} />
    </p>
  </PublicPage>
)

function addAssetRoutes(app: PageApp, { pictures }: WorkspaceServices): void {
  app.get("/favicon.ico", (c) => c.redirect(asset.icon.path, 302))
  for (const { path, type, content } of assets) {
    // The path contains a hash of the content, so it serves as the entity tag.
    const tag = `"${path}"`
    const headers = { "Cache-Control": "public, max-age=31536000, immutable" }
    const length = String(Buffer.byteLength(content))
    app.get(path, (c) => {
      const currentTag = findCurrentTag(c.req.raw.headers, tag)
      return currentTag === null
        ? c.body(content, 200, {
            ...headers,
            "Content-Type": type,
            "Content-Length": length,
            ETag: tag,
          })
        : c.body(null, 304, { ...headers, ETag: currentTag })
    })
  }
  for (const [path, svg] of Object.entries(pictures)) {
    const headers = { "Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=3600" }
    app.get(path, (c) => c.body(svg, 200, headers))
  }
}
