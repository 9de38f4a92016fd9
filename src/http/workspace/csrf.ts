/**
 * A form is taken only from our own pages: the browser says where it came from, and the form knows
 * a token that only a page sent to this very browser could hold.
 */
import { createHash, timingSafeEqual } from "node:crypto"

/** Made of what the browser's cookie holds, so it needs no place to be kept. */
export function formTokenOf(cookieValue: string): string {
  return createHash("sha256").update(`pazar form ${cookieValue}`).digest("base64url")
}

export function isOwnForm(headers: Headers, publicUrl: string): boolean {
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin" || site === "none"
  const origin = headers.get("origin")
  // A browser sends at least one of the two with a form; who sends neither is no browser, and has
  // no cookies of anybody's to misuse.
  if (origin === null || origin === new URL(publicUrl).origin) return true
  // Reached by another name than the public one: a page of that name got that name's cookies only.
  return URL.parse(origin)?.host === headers.get("host")
}

export function isFormToken(given: string, cookieValue: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(formTokenOf(cookieValue))]
  return left.length === right.length && timingSafeEqual(left, right)
}
