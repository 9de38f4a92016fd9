/** All pages: who may see which, and in which order that is checked. */
import { Hono } from "hono"
import { DomainError } from "../../domain/error.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { findSession } from "../../operations/find-session.ts"
import { findLocale, negotiateLocale } from "../api/locale.ts"
import { findContentLength } from "../content-length.ts"
import { addDocsRoutes } from "../docs/docs-routes.tsx"
import { isForeignHost } from "../host.ts"
import { pathOf, queryOf } from "../request-target.ts"
import { unavailableRetryAfter } from "../retry-after.ts"
import { createCookies } from "./cookies.ts"
import { formTokenOf, isFormToken, isOwnForm } from "./csrf.ts"
import { addAssetRoutes } from "./handlers/assets.ts"
import { addCheckRoutes } from "./handlers/check.tsx"
import { addDemoPictureRoutes } from "./handlers/demo-pictures.ts"
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
import { ErrorPage, type ErrorStatus } from "./pages/error-page.tsx"
import { SuspendedPage } from "./pages/suspended-page.tsx"
import type { WorkspaceServices } from "./services.ts"
import {
  createForm,
  viewOf,
  type WorkspaceContext,
  type WorkspaceEnv,
} from "./workspace-context.ts"

export type Workspace = Readonly<{
  fetch(request: Request, visit: WorkspaceEnv["Bindings"]): Promise<Response>
}>

const formBytesMax = 64 * 1024

/** Scripts and styles come from this server only; pictures, videos and sounds from any host of the marketplace. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: http:",
  "media-src https: http:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

export function createWorkspace(services: WorkspaceServices): Workspace {
  // Hono's own way to read the path needs a valid Host header.
  const app = new Hono<WorkspaceEnv>({ getPath: (request) => pathOf(request.url) })
  const cookies = createCookies(services.publicUrl)
  const isSecure = services.publicUrl.startsWith("https:")

  app.use(async (c, next) => {
    await next()
    c.header("Content-Security-Policy", contentPolicy)
    c.header("X-Content-Type-Options", "nosniff")
    c.header("Referrer-Policy", "same-origin")
    c.header("Cross-Origin-Opener-Policy", "same-origin")
    if (isSecure) c.header("Strict-Transport-Security", "max-age=31536000")
    if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "private, no-store")
  })

  // Session and language first: even an error page needs both.
  app.use(async (c, next) => {
    c.set("site", services.site)
    c.set("visitor", null)
    c.set("formToken", "")
    const asked = c.req.query("lang") ?? cookies.readLanguage(c) ?? ""
    const accepted = c.req.header("accept-language") ?? null
    c.set("locale", findLocale(asked) ?? negotiateLocale(accepted, services.siteLocale))
    const isChosen = findLocale(c.req.query("lang") ?? "") !== null
    // Assets are cached publicly, so they set no cookies. An error page needs them.
    const isAsset = c.req.path.startsWith("/assets/")
    if (isChosen && !isAsset) cookies.writeLanguage(c, c.get("locale"))
    if (!c.env.isAdmitted && !isAsset) throw new DomainError("unavailable")
    const token = cookies.readSession(c)
    const found =
      token === undefined ? null : await findSession({ ...services.store, ...services }, token)
    c.set("visitor", found)
    if (found !== null) {
      const chosen = await services.store.preferences.findLocale(found.account.id)
      c.set("locale", findLocale(chosen ?? "") ?? c.get("locale"))
    }
    await next()
  })

  app.use((c, next) => {
    const { publicHost } = services
    const isForeign = publicHost !== null && isForeignHost(c.req.raw.headers, publicHost)
    return isForeign ? Promise.resolve(showError(c, 421)) : next()
  })

  app.use(async (c, next) => {
    const secret = c.get("visitor") === null ? visitorToken(c) : (cookies.readSession(c) ?? "")
    c.set("formToken", formTokenOf(secret))
    if (c.req.method === "GET" || c.req.method === "HEAD") return next()
    if (c.req.method !== "POST") {
      c.header("Allow", "GET, HEAD, POST")
      return showError(c, 405)
    }
    if (!isOwnForm(c.req.raw.headers, services.publicUrl)) return showError(c, 403)
    // Browsers always declare the length of a form.
    const length = findContentLength(c.req.header("content-length") ?? "")
    if (length === null || length > formBytesMax) return showError(c, 413)
    const form = createForm(await c.req.parseBody({ all: true }).catch(() => ({})))
    c.set("form", form)
    return isFormToken(form.text("form_token"), secret) ? next() : showError(c, 403)
  })

  /** A visitor who is not signed in gets a token too, for the sign-in form. */
  function visitorToken(c: WorkspaceContext): string {
    const kept = cookies.readVisitor(c)
    if (kept !== undefined) return kept
    const token = services.tokens.create()
    if (/^\/(?:login|invite)(?:\/|$)/.test(c.req.path)) cookies.writeVisitor(c, token)
    return token
  }

  app.use("/workspace/*", async (c, next) => {
    // No id holds a NUL, and PostgreSQL cannot search for one.
    if (c.req.path.includes("%00")) return showError(c, 404)
    if (c.get("visitor") !== null) return next()
    const query = queryOf(c.req.url)
    const address = query === "" ? c.req.path : `${c.req.path}?${query}`
    const wanted = c.req.method === "GET" ? address : "/workspace"
    return c.redirect(`/login?${new URLSearchParams({ next: wanted })}`, 303)
  })

  addAssetRoutes(app)
  addLandingRoutes(app, services)
  addDocsRoutes(app, services)
  addDemoPictureRoutes(app)
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

  app.notFound((c) => showError(c, 404))
  app.onError((error, c) => {
    if (error instanceof DomainError && error.reason === "account_suspended") {
      return c.html(<SuspendedPage view={viewOf(c)} />, 403)
    }
    const isBusy =
      error instanceof StoreUnavailable ||
      (error instanceof DomainError && error.reason === "unavailable")
    if (!(error instanceof DomainError)) c.env.onFault(error)
    if (isBusy) c.header("Retry-After", unavailableRetryAfter)
    return showError(c, isBusy ? 503 : 500)
  })

  return {
    fetch: async (request, visit) => app.fetch(request, visit),
  }
}

function showError(c: WorkspaceContext, status: ErrorStatus): Response | Promise<Response> {
  return c.html(<ErrorPage view={viewOf(c)} status={status} />, status)
}
