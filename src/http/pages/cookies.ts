import type { Context } from "hono"
import { deleteCookie, getCookie, setCookie } from "hono/cookie"
import { sessionLifeSeconds } from "../../domain/sign-in/session.ts"
import { daySeconds } from "../../domain/values/time/timestamp.ts"

/** A name for each side, and the path that its session is sent to. */
const sides = {
  workspace: { base: "pazar", path: "/" },
  console: { base: "pazar-console", path: "/console" },
} as const

export type Cookies = ReturnType<typeof createCookies>

/**
 * Over https the prefix `__Host-` binds a cookie to this host and to https. It requires the path `/`, so
 * cookies with another path have the prefix `__Secure-`.
 */
export function createCookies(publicUrl: string, side: keyof typeof sides) {
  const { base, path } = sides[side]
  const isSecure = publicUrl.startsWith("https:")
  const prefixOf = (path: string) => (path === "/" ? "__Host-" : "__Secure-")
  const name = (base: string, path: string) => (isSecure ? `${prefixOf(path)}${base}` : base)
  const options = { path, httpOnly: true, secure: isSecure, sameSite: "Lax" } as const
  const [session, visitor] = [name(base, path), name(`${base}-visitor`, path)]
  // The language is the same on both sides.
  const language = name("pazar-lang", "/")
  return {
    readSession: (c: Context) => getCookie(c, session),
    writeSession: (c: Context, token: string) =>
      setCookie(c, session, token, { ...options, maxAge: sessionLifeSeconds }),
    clearSession: (c: Context) => deleteCookie(c, session, { path, secure: isSecure }),
    /** Ties the sign-in form to the browser it was sent to. */
    readVisitor: (c: Context) => getCookie(c, visitor),
    writeVisitor: (c: Context, token: string) => setCookie(c, visitor, token, options),
    readLanguage: (c: Context) => getCookie(c, language),
    writeLanguage: (c: Context, locale: string) =>
      setCookie(c, language, locale, { ...options, path: "/", maxAge: 365 * daySeconds }),
  }
}
