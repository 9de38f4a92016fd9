import type { Context } from "hono"
import { deleteCookie, getCookie, setCookie } from "hono/cookie"
import { daySeconds } from "../../domain/date-arithmetic.ts"
import { sessionLifeSeconds } from "../../domain/session.ts"

/** Over https the prefix `__Host-` binds a cookie to this host and to https. */
export function createCookies(publicUrl: string) {
  const isSecure = publicUrl.startsWith("https:")
  const name = (base: string) => (isSecure ? `__Host-${base}` : base)
  const options = { path: "/", httpOnly: true, secure: isSecure, sameSite: "Lax" } as const
  const [session, visitor, language] = [name("pazar"), name("pazar-visitor"), name("pazar-lang")]
  return {
    readSession: (c: Context) => getCookie(c, session),
    writeSession: (c: Context, token: string) =>
      setCookie(c, session, token, { ...options, maxAge: sessionLifeSeconds }),
    clearSession: (c: Context) => deleteCookie(c, session, { path: "/", secure: isSecure }),
    /** Ties the sign-in form to the browser it was sent to. */
    readVisitor: (c: Context) => getCookie(c, visitor),
    writeVisitor: (c: Context, token: string) => setCookie(c, visitor, token, options),
    readLanguage: (c: Context) => getCookie(c, language),
    writeLanguage: (c: Context, locale: string) =>
      setCookie(c, language, locale, { ...options, maxAge: 365 * daySeconds }),
  }
}
