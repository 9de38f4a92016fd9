import type { Context } from "hono"
import { deleteCookie, getCookie, setCookie } from "hono/cookie"
import { daySeconds } from "../platform/time.ts"
import { awaySeconds } from "./identity.ts"
import { sessionLifeSeconds } from "./session.ts"
import { pendingSignInSeconds } from "./two-factor.ts"

export type Cookies = ReturnType<typeof createCookies>

/** The prefix `__Host-` binds a cookie to this host and to https. */
export function createCookies(publicUrl: string) {
  const isSecure = publicUrl.startsWith("https:")
  const name = (base: string) => (isSecure ? `__Host-${base}` : base)
  const options = { path: "/", httpOnly: true, secure: isSecure, sameSite: "Lax" } as const
  const [session, visitor] = [name("pazar"), name("pazar-visitor")]
  const [pending, away] = [name("pazar-pending"), name("pazar-away")]
  const [language, theme] = [name("pazar-lang"), name("pazar-theme")]
  const preference = { ...options, maxAge: 365 * daySeconds } as const
  return {
    readSession: (c: Context) => getCookie(c, session),
    writeSession: (c: Context, token: string) =>
      setCookie(c, session, token, { ...options, maxAge: sessionLifeSeconds }),
    clearSession: (c: Context) => deleteCookie(c, session, options),
    /** Binds the sign-in form to the browser that received it. */
    readVisitor: (c: Context) => getCookie(c, visitor),
    writeVisitor: (c: Context, token: string) => setCookie(c, visitor, token, options),
    /** The sign-in that a two-factor code completes. */
    readPending: (c: Context) => getCookie(c, pending),
    writePending: (c: Context, token: string) =>
      setCookie(c, pending, token, { ...options, maxAge: pendingSignInSeconds }),
    clearPending: (c: Context) => deleteCookie(c, pending, options),
    /** The visit of the identity provider. Lax: its response comes from another site. */
    readAway: (c: Context) => getCookie(c, away),
    writeAway: (c: Context, token: string) =>
      setCookie(c, away, token, { ...options, maxAge: awaySeconds }),
    clearAway: (c: Context) => deleteCookie(c, away, options),
    readLanguage: (c: Context) => getCookie(c, language),
    writeLanguage: (c: Context, locale: string) => setCookie(c, language, locale, preference),
    readTheme: (c: Context) => getCookie(c, theme),
    writeTheme: (c: Context, value: string) => setCookie(c, theme, value, preference),
  }
}
