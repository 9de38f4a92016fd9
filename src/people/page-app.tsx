/** The middleware of all pages, in this order: headers, language, session, host, form. */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { type Context, Hono, type Next } from "hono"
import { deleteCookie, getCookie, setCookie } from "hono/cookie"
import type { FC } from "hono/jsx"
import { type Actor, rightsOf } from "../access/actor.ts"
import type { AuditStore } from "../access/audit-event.ts"
import { workspaceOf, workspacePath } from "../access/paths.ts"
import type { Account } from "../accounts/account.ts"
import { unavailableRetryAfter } from "../contract/response.ts"
import { DomainError, StoreUnavailable } from "../platform/error.ts"
import { findLocale, negotiateLocale } from "../platform/http/locale.ts"
import { withQuery } from "../platform/http/parameters.ts"

import { findContentLength, isForeignHost, pathOf, queryOf } from "../platform/http/request-head.ts"
import { ipRangeOf } from "../platform/ip-range.ts"
import type { Locale } from "../platform/locale.ts"
import {
  createForm,
  currentView,
  inView,
  type PageApp,
  type PageBindings,
  type PageContext,
  type PageEnv,
  type PageProps,
  type Site,
  themes,
  type View,
} from "../platform/pages/context.ts"
import { type ErrorStatus, noticeTexts } from "../platform/pages/layout.tsx"
import { inLocale, t } from "../platform/t.ts"
import { daySeconds } from "../platform/time.ts"
import { awaySeconds, type createAwayVisits, type IdentityProvider } from "./identity.ts"
import { createPasswordChecks } from "./password-pages.tsx"
import type { Operator, Person } from "./person.ts"
import type { PeopleServices, ResetRequesting } from "./services.ts"
import { type Session, sessionLifeSeconds } from "./session.ts"
import { type FoundSession, findSession, type Visit } from "./sign-in-operations.ts"
import { SignInRejected } from "./sign-in-throttle.ts"
import { pendingSignInSeconds } from "./two-factor.ts"

export type Pages = Readonly<{
  fetch(request: Request, visit: PageBindings): Promise<Response>
}>

/** What the pages of people use; each picks its own. */
export type PeoplePageServices = Omit<PeopleServices, "actor" | "resetThrottle"> &
  Readonly<{
    audit: AuditStore
    /** Null without PAZAR_OIDC_ISSUER. */
    identityProvider: IdentityProvider | null
    awayVisits: ReturnType<typeof createAwayVisits>
    /** For "Forgot your password?"; null without a mail server. */
    resets: ResetRequesting | null
    siteLocale: Locale
    site: Site
    /** The base of links and cookies, as in `https://api.example.com`. */
    publicUrl: string
    /** The configured host name. Null if none is set; pages then accept any Host. */
    publicHost: string | null
  }>

declare module "../platform/pages/context.ts" {
  /** The visitor and the account or operator are only set for routes behind the sign-in. */
  interface PageVariables {
    cookies: ReturnType<typeof createCookies>
    /** The token of the form is derived from it. */
    formSecret: string
    session: Session
    person: Person
    actor: Actor
    account: Account
    operator: Operator
  }
}

export const readVisit = (c: PageContext): Visit => ({
  ipRange: ipRangeOf(c.env.address),
  device: c.req.header("user-agent") ?? "",
})

type FoundVisitor = Readonly<{ actor: Actor }> & Pick<View, "author">

type PageOptions = Readonly<{
  /** The frame of the pages. */
  Frame: FC<PageProps>
  /** As whom the person acts; a response if these pages are not for them. */
  openFor(c: PageContext, found: FoundSession): Promise<FoundVisitor | Response>
  /** Whether the path has a form for visitors who are not signed in. */
  hasPublicForm(path: string): boolean
  /** Whether the forms of the page contain a purchase code: it sends no referrer and is not indexed. */
  isForBuyers?(path: string): boolean
  /**
   * The page to redirect to if a form was sent to this path after its session ended. Null for forms
   * without a session.
   */
  signInPathOf(path: string): string | null
  showError(c: PageContext, status: ErrorStatus): Response | Promise<Response>
  /** The page for a rejected request; null for the general error page. */
  showExpectedError?(c: PageContext, error: DomainError): Response | Promise<Response> | null
  /** Runs before the other checks. A response it returns is sent as it is. */
  admit?(c: PageContext): Promise<Response | null>
}>

const formBytesMax = 64 * 1024

/** Scripts, styles and the font from this server only; pictures, videos and sounds from any host. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' https: http:",
  "media-src https: http:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

export function createPageApp(services: PeoplePageServices, options: PageOptions): PageApp {
  const { publicUrl, publicHost } = services
  const { admit, showError } = options
  // Hono's own path parser needs a valid Host header.
  const app = new Hono<PageEnv>({ getPath: (request) => pathOf(request.url) })
  app.use(async (c, next) => {
    await next()
    c.header("Content-Security-Policy", contentPolicy)
    const isForBuyers = options.isForBuyers?.(c.req.path) ?? false
    c.header("Referrer-Policy", isForBuyers ? "no-referrer" : "same-origin")
    if (isForBuyers) c.header("X-Robots-Tag", "noindex")
    c.header("Cross-Origin-Opener-Policy", "same-origin")
    if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "private, no-store")
  })
  app.use((c, next) => {
    dropNul(c, publicUrl)
    return next()
  })
  // The language is first: error pages need it.
  app.use((c, next) => {
    c.set("isSignedIn", false)
    c.set("cookies", createCookies(c, publicUrl.startsWith("https:")))
    return inView(createView(c, services, options), next)
  })
  if (admit !== undefined) app.use(async (c, next) => (await admit(c)) ?? next())
  app.use((c, next) => recognizeVisitor(c, services, options, next))
  app.use(async (c, next) => {
    const isForeign = publicHost !== null && isForeignHost(c.req.raw.headers, publicHost)
    return isForeign ? showError(c, 421) : next()
  })
  app.use((c, next) => {
    const { isSignedIn, cookies } = c.var
    const existing = cookies.read(isSignedIn ? "session" : "visitor")
    // A visitor without a session also gets a token, for the sign-in form.
    const secret = existing ?? services.tokens.create()
    if (existing === undefined && options.hasPublicForm(c.req.path))
      cookies.write("visitor", secret)
    c.set("formSecret", secret)
    return inView({ ...currentView(), formToken: createFormToken(secret) }, next)
  })
  app.use(async (c, next) => (await rejectForm(c, publicUrl, options)) ?? next())

  app.notFound((c) => showError(c, 404))
  app.onError((error, c) => showFault(c, error, options))
  return app
}

/** PostgreSQL cannot store or search for NUL characters. Form.text drops them too. */
function dropNul(c: PageContext, publicUrl: string): void {
  const query = queryOf(c.req.url)
  // Other methods are rejected below, and a Request cannot have all of them.
  if (!hasPages(c.req.method) || !query.includes("%00")) return
  const cleaned = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(query))
    cleaned.append(name, value.replaceAll("\0", ""))
  c.req.raw = new Request(`${publicUrl}${c.req.path}?${cleaned}`, c.req.raw)
}

/** Of a visitor who is not signed in. */
function createView(
  c: PageContext,
  { site, siteLocale }: PeoplePageServices,
  { Frame }: PageOptions,
): View {
  const { cookies } = c.var
  const requested = c.req.query("lang") ?? cookies.read("language") ?? ""
  const accepted = c.req.header("accept-language") ?? null
  return {
    ...{ Frame, homePath: null, languagePath: "", site, path: c.req.path, formToken: "" },
    ...{ person: null, author: null, paths: workspaceOf(""), teams: [], operator: null },
    ...{ isVisiting: false, rights: [] },
    theme: findTheme(c.req.query("theme")) ?? findTheme(cookies.read("theme")) ?? "system",
    ...localize(c, findLocale(requested) ?? negotiateLocale(accepted, siteLocale)),
  }
}

async function recognizeVisitor(
  c: PageContext,
  services: PeoplePageServices,
  { openFor }: PageOptions,
  next: Next,
) {
  const { cookies } = c.var
  const isChosen = findLocale(c.req.query("lang") ?? "") !== null
  // Assets are cached publicly, so they set no cookies. An error page needs them even under load.
  const isAsset = c.req.path.startsWith("/assets/")
  const view = currentView()
  if (isChosen && !isAsset) cookies.write("language", view.locale)
  const chosenTheme = isAsset ? undefined : findTheme(c.req.query("theme"))
  if (chosenTheme !== undefined) cookies.write("theme", chosenTheme)
  if (!c.env.isAdmitted && !isAsset) throw new DomainError("unavailable")
  const token = cookies.read("session")
  const found = token === undefined ? null : await findSession(services, token)
  if (found === null) return next()
  const visitor = await openFor(c, found)
  if (visitor instanceof Response) return visitor
  const { session, person, operator, memberships: teams } = found
  const { actor, author } = visitor
  // `lang` in the URL takes precedence over the stored language.
  const locale = (isChosen ? null : findLocale(person.locale ?? "")) ?? view.locale
  const theme = chosenTheme ?? findTheme(person.theme ?? "") ?? view.theme
  if (chosenTheme !== undefined && chosenTheme !== person.theme)
    await services.people.putTheme(person.id, chosenTheme)
  c.set("isSignedIn", true)
  c.set("session", session)
  c.set("person", person)
  c.set("actor", actor)
  c.set("passwords", createPasswordChecks(c, services))
  if (operator !== null) c.set("operator", operator)
  const paths = workspaceOf(author?.username ?? "")
  const own = {
    ...{ ...view, ...localize(c, locale), theme, person, author, teams, operator },
    paths,
    homePath: teams.length > 0 ? workspacePath : operator && "/console",
    languagePath: `${paths.settings}/language`,
    isVisiting: author !== null && actor.kind === "operator",
    rights: rightsOf(actor),
  }
  return inView(own, next)
}

/** Reads the form of a POST. A response if the form is not from our own pages, or the method has no pages. */
async function rejectForm(
  c: PageContext,
  publicUrl: string,
  { isForBuyers, signInPathOf, showError }: PageOptions,
): Promise<Response | null> {
  const { isSignedIn, formSecret } = c.var
  if (!hasPages(c.req.method)) {
    c.header("Allow", "GET, HEAD, POST")
    return showError(c, 405)
  }
  if (c.req.method !== "POST") return null
  // Browsers hide the origin of a form in a page without a referrer. Its token remains.
  const isOriginHidden = isForBuyers?.(c.req.path) && c.req.header("origin") === "null"
  if (!isOriginHidden && !isOwnForm(c.req.raw.headers, publicUrl)) return showError(c, 403)
  const length = findContentLength(c.req.header("content-length") ?? "")
  if (length === null || length > formBytesMax) return showError(c, 413)
  const parsing = c.req.parseBody({ all: true }).catch(() => ({}))
  const form = createForm(await c.env.whilePaused(parsing))
  c.set("form", form)
  if (isFormToken(form.text("form_token"), formSecret)) return null
  const signInPath = isSignedIn ? null : signInPathOf(c.req.path)
  return signInPath === null ? showError(c, 403) : c.redirect(signInPath, 303)
}

function showFault(
  c: PageContext,
  error: Error,
  { showError, showExpectedError }: PageOptions,
): Response | Promise<Response> {
  // Nobody receives the response: not a failure to count.
  if (c.req.raw.signal.aborted && error instanceof DomainError) return c.body(null)
  const errorPage = error instanceof DomainError ? (showExpectedError?.(c, error) ?? null) : null
  if (errorPage !== null) return errorPage
  const isRejected = error instanceof SignInRejected
  const isBusy =
    error instanceof StoreUnavailable ||
    isRejected ||
    (error instanceof DomainError && error.reason === "unavailable")
  if (!isRejected && !(error instanceof DomainError)) c.env.onFault(error)
  if (isBusy) c.header("Retry-After", unavailableRetryAfter)
  return showError(c, isBusy ? 503 : 500)
}

const hasPages = (method: string) => ["GET", "HEAD", "POST"].includes(method)

/** The notice of `?done=` says what a form changed. */
function localize(c: PageContext, locale: Locale) {
  const text = new Map(Object.entries(noticeTexts)).get(c.req.query("done") ?? "")
  return { locale, notice: text === undefined ? null : inLocale(locale, () => t(text)) }
}

const findTheme = (text: string | undefined) => themes.find((each) => each === text)

/**
 * To return to the path and query after signing in, or to `home` after a form. A CSV file is replaced by its page,
 * because a browser stays on the sign-in page when it receives a file.
 */
export function redirectToSignIn(c: PageContext, home: string): Response {
  const path = c.req.path.replace(/(?:\/usage)?\.csv$/, "")
  const query = queryOf(c.req.url)
  const page = query === "" ? path : `${path}?${query}`
  return c.redirect(withQuery("/login", { next: c.req.method === "GET" ? page : home }), 303)
}

const nextUnitsMax = 2_000

/**
 * Prevents open redirects: returns `next` only if it is a page under one of `homes`, else the first of them. Dot segments
 * are resolved.
 * Accepts visible ASCII without the backslash, which browsers read as a slash, and without the semicolon, which ends a
 * value in a cookie and starts parameters of a path at some proxies.
 */
export function safeRedirectPath(
  next: string,
  homes: readonly [string, ...(readonly string[])],
): string {
  const isPlain = next.length <= nextUnitsMax && /^\/[!-:<-[\]-~]*$/.test(next)
  const url = isPlain ? URL.parse(next, anyOrigin) : null
  const isOurs =
    url?.origin === anyOrigin &&
    homes.some((home) => url.pathname === home || url.pathname.startsWith(`${home}/`))
  return isOurs ? url.href.slice(anyOrigin.length) : homes[0]
}

const anyOrigin = "http://localhost"

/** By name: the cookie, and what differs from a cookie that ends with the browser. */
const cookieKinds = {
  session: ["pazar", { maxAge: sessionLifeSeconds }],
  /** Binds the sign-in form to the browser that received it. */
  visitor: ["pazar-visitor", {}],
  /** The sign-in that a two-factor code completes. */
  pending: ["pazar-pending", { maxAge: pendingSignInSeconds }],
  /** The visit of the identity provider. Lax: its response comes from another site. */
  away: ["pazar-away", { maxAge: awaySeconds }],
  language: ["pazar-lang", { maxAge: 365 * daySeconds }],
  theme: ["pazar-theme", { maxAge: 365 * daySeconds }],
} as const

type CookieKind = keyof typeof cookieKinds

/** The prefix `__Host-` binds a cookie to this host and to https. */
function createCookies(c: Context, isSecure: boolean) {
  const options = { path: "/", httpOnly: true, secure: isSecure, sameSite: "Lax" } as const
  const nameCookie = (kind: CookieKind) => `${isSecure ? "__Host-" : ""}${cookieKinds[kind][0]}`
  return {
    read: (kind: CookieKind) => getCookie(c, nameCookie(kind)),
    write: (kind: CookieKind, value: string) =>
      setCookie(c, nameCookie(kind), value, { ...options, ...cookieKinds[kind][1] }),
    clear: (kind: CookieKind) => deleteCookie(c, nameCookie(kind), options),
  }
}

/*
 * A form is accepted only from our own pages: the browser sends its origin, and the form contains a token
 * that only this browser received.
 */

const formSecretOf = (cookieValue: string) =>
  createHash("sha256").update(`pazar form ${cookieValue}`).digest()

/** A new mask for each response: otherwise the length of a compressed page reveals the secret (BREACH). */
function createFormToken(cookieValue: string): string {
  const secret = formSecretOf(cookieValue)
  const mask = randomBytes(secret.length)
  return Buffer.concat([mask, xor(mask, secret)]).toString("base64url")
}

function isFormToken(token: string, cookieValue: string): boolean {
  const secret = formSecretOf(cookieValue)
  const sent = Buffer.from(token, "base64url")
  if (sent.length !== 2 * secret.length) return false
  const [mask, masked] = [sent.subarray(0, secret.length), sent.subarray(secret.length)]
  return timingSafeEqual(xor(mask, masked), secret)
}

const xor = (mask: Buffer, bytes: Buffer) => mask.map((byte, at) => byte ^ (bytes[at] ?? 0))

function isOwnForm(headers: Headers, publicUrl: string): boolean {
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin" || site === "none"
  const origin = headers.get("origin")
  // Browsers send at least one of the two headers with a form. A client that sends neither is not a browser
  // and holds no cookies of a victim.
  if (origin === null || origin === new URL(publicUrl).origin) return true
  // The visitor uses another host name than the public one. Its cookies are sent to that name only.
  return URL.parse(origin)?.host === headers.get("host")
}
