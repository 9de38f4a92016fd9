import { createHash, timingSafeEqual } from "node:crypto"
import { findBearer } from "../api/credentials.ts"

/** Compares digests: neither length nor content of the token shows in the time it takes. */
export function hasToken(headers: Headers, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  const given = findBearer(headers)
  return given !== null && timingSafeEqual(digest(token), digest(given))
}
