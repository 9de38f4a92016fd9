/** The checks of every request for a page, in this order: headers, session and language, form. */

import { createHash, timingSafeEqual } from "node:crypto"
import { type Context, Hono } from "hono"
import { SignInRejected } from "../../../domain/sign-in/sign-in-failures.ts"
import { StoreUnavailable } from "../../../domain/store.ts"
import { DomainError } from "../../../domain/values/error.ts"
import { unavailableRetryAfter } from "../../api/response/headers.ts"
import { findLocale, negotiateLocale } from "../../api/response/locale.ts"
import { findContentLength, isForeignHost, pathOf, queryOf } from "../../request/request-head.ts"
import type { ErrorStatus } from "../components/workspace-layout.tsx"
import type { Cookies } from "../cookies.ts"
import { createForm, type PageBindings, type PageContext, type PageEnv } from "../page-context.ts"
import type { PageServices } from "../page-services.ts"

export type Pages = Readonly<{
  fetch(request: Request, visit: PageBindings): Promise<Response>
}>

type PageOptions<Visitor> = Readonly<{
  cookies: Cookies
  /** The visitor whose session has this token, and the language they chose; null when there is none. */
  findVisitor(token: string): Promise<Readonly<{ visitor: Visitor; locale: string | null }> | null>
  /** Whether visitors who are not signed in find a form there. */
  hasPublicForm(path: string): boolean
  /** Where a form leads that was sent to this path after its session has ended; null where it needs none. */
  signInPathOf(path: string): string | null
  showError(c: PageContext<Visitor>, status: ErrorStatus): Response | Promise<Response>
  /** The page for an expected refusal; null where it has none of its own. */
  showExpectedError?(
    c: PageContext<Visitor>,
    error: DomainError,
  ): Response | Promise<Response> | null
  /** Runs before all checks; a response of it is sent as it is. */
  admit?(c: PageContext<Visitor>): Promise<Response | null>
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

export function createPageApp<Visitor>(
  services: PageServices,
  options: PageOptions<Visitor>,
): Hono<PageEnv<Visitor>> {
  const { publicUrl, publicHost, site, siteLocale, tokens } = services
  const { admit, cookies, showError } = options
  // Hono's own way to read the path needs a valid Host header.
  const app = new Hono<PageEnv<Visitor>>({ getPath: (request) => pathOf(request.url) })

  app.use(async (c, next) => {
    await next()
    c.header("Content-Security-Policy", contentPolicy)
    c.header("Referrer-Policy", "same-origin")
    c.header("Cross-Origin-Opener-Policy", "same-origin")
    if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "private, no-store")
  })

  // PostgreSQL can neither store nor search for a NUL character. The forms drop it too (Form.text).
  app.use((c, next) => {
    const query = queryOf(c.req.url)
    if (query.includes("%00")) {
      const address = `${publicUrl}${c.req.path}?${withoutNul(query)}`
      c.req.raw = new Request(address, c.req.raw)
    }
    return next()
  })

  // The language before the rest: even an error page needs it.
  app.use(async (c, next) => {
    c.set("site", site)
    c.set("visitor", null)
    c.set("formToken", "")
    const asked = c.req.query("lang") ?? cookies.readLanguage(c) ?? ""
    const accepted = c.req.header("accept-language") ?? null
    c.set("locale", findLocale(asked) ?? negotiateLocale(accepted, siteLocale))
    const answer = admit === undefined ? null : await admit(c)
    return answer ?? next()
  })

  app.use(async (c, next) => {
    const isChosen = findLocale(c.req.query("lang") ?? "") !== null
    // Assets are cached publicly, so they set no cookies. An error page needs them.
    const isAsset = c.req.path.startsWith("/assets/")
    if (isChosen && !isAsset) cookies.writeLanguage(c, c.get("locale"))
    if (!c.env.isAdmitted && !isAsset) throw new DomainError("unavailable")
    const token = cookies.readSession(c)
    const found = token === undefined ? null : await options.findVisitor(token)
    if (found !== null) {
      c.set("visitor", found.visitor)
      // A language in the address counts before the one that the visitor has stored.
      if (!isChosen) c.set("locale", findLocale(found.locale ?? "") ?? c.get("locale"))
    }
    await next()
  })

  app.use((c, next) => {
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
    if (!isOwnForm(c.req.raw.headers, publicUrl)) return showError(c, 403)
    // Browsers always declare the length of a form.
    const length = findContentLength(c.req.header("content-length") ?? "")
    if (length === null || length > formBytesMax) return showError(c, 413)
    const parsing = c.req.parseBody({ all: true }).catch(() => ({}))
    const form = createForm(await c.env.whilePaused(parsing))
    c.set("form", form)
    if (isFormToken(form.text("form_token"), secret)) return next()
    const signInAddress = c.get("visitor") === null ? options.signInPathOf(c.req.path) : null
    return signInAddress === null ? showError(c, 403) : c.redirect(signInAddress, 303)
  })

  /** A visitor who is not signed in gets a token too, for the sign-in form. */
  function visitorToken(c: PageContext<Visitor>): string {
    const kept = cookies.readVisitor(c)
    if (kept !== undefined) return kept
    const token = tokens.create()
    if (options.hasPublicForm(c.req.path)) cookies.writeVisitor(c, token)
    return token
  }

  app.notFound((c) => showError(c, 404))
  app.onError((error, c) => {
    const refusal =
      error instanceof DomainError ? (options.showExpectedError?.(c, error) ?? null) : null
    if (refusal !== null) return refusal
    const isBusy =
      error instanceof StoreUnavailable ||
      error instanceof SignInRejected ||
      (error instanceof DomainError && error.reason === "unavailable")
    const isExpected = error instanceof DomainError || error instanceof SignInRejected
    if (!isExpected) c.env.onFault(error)
    if (isBusy) c.header("Retry-After", unavailableRetryAfter)
    return showError(c, isBusy ? 503 : 500)
  })
  return app
}

function withoutNul(query: string): URLSearchParams {
  const kept = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(query)) {
    kept.append(name, value.replaceAll("\0", ""))
  }
  return kept
}

/**
 * The path and query that a visitor wanted, to come back to after signing in; `home` for a form. For a file it is the
 * page that links to it: a browser that gets a file goes on showing the sign-in page.
 */
export function requestedPath(c: Context, home: string): string {
  const query = queryOf(c.req.url)
  const path = c.req.path.replace(/(?:\/usage)?\.csv$/, "")
  const address = query === "" ? path : `${path}?${query}`
  return c.req.method === "GET" ? address : home
}

/** No page of ours has a longer address. */
const nextUnitsMax = 2_000

/**
 * Only ever a page under `home`, without the dot segments that a browser would resolve. Visible ASCII without the
 * backslash, which browsers read as a slash; a header cannot hold other characters.
 */
export function safeRedirectPath(next: string, home: string): string {
  const isPlain = next.length <= nextUnitsMax && /^\/[!-[\]-~]*$/.test(next)
  const url = isPlain ? URL.parse(next, anyOrigin) : null
  const isOurs =
    url?.origin === anyOrigin && (url.pathname === home || url.pathname.startsWith(`${home}/`))
  return isOurs ? url.href.slice(anyOrigin.length) : home
}

const anyOrigin = "http://localhost"

/*
 * A form is accepted only from our own pages: the browser names its origin, and the form holds a token
 * that only a page sent to this browser can hold.
 */

/** Derived from the browser's cookie, so it is not stored. */
function formTokenOf(cookieValue: string): string {
  return createHash("sha256").update(`pazar form ${cookieValue}`).digest("base64url")
}

function isOwnForm(headers: Headers, publicUrl: string): boolean {
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin" || site === "none"
  const origin = headers.get("origin")
  // A browser sends at least one of the two headers with a form. A client that sends neither is no
  // browser and holds no cookies of another person.
  if (origin === null || origin === new URL(publicUrl).origin) return true
  // The pages are reached by another name than the public one. Cookies of that name are sent to it only.
  return URL.parse(origin)?.host === headers.get("host")
}

function isFormToken(given: string, cookieValue: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(formTokenOf(cookieValue))]
  return left.length === right.length && timingSafeEqual(left, right)
}
