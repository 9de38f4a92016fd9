/**
 * A form is accepted only from our own pages: the browser names its origin, and the form holds a token
 * that only a page sent to this browser can hold.
 */
import { createHash, timingSafeEqual } from "node:crypto"

/** Derived from the browser's cookie, so it is not stored. */
export function formTokenOf(cookieValue: string): string {
  return createHash("sha256").update(`pazar form ${cookieValue}`).digest("base64url")
}

export function isOwnForm(headers: Headers, publicUrl: string): boolean {
  const site = headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin" || site === "none"
  const origin = headers.get("origin")
  // A browser sends at least one of the two headers with a form. A client that sends neither is no
  // browser and holds no cookies of another person.
  if (origin === null || origin === new URL(publicUrl).origin) return true
  // The pages are reached by another name than the public one. Cookies of that name are sent to it only.
  return URL.parse(origin)?.host === headers.get("host")
}

export function isFormToken(given: string, cookieValue: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(formTokenOf(cookieValue))]
  return left.length === right.length && timingSafeEqual(left, right)
}
