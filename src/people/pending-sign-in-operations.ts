/** Between a verified password and the two-factor code, the browser keeps a token; the database keeps nothing. */

import { formatTimestamp, secondsAfter } from "../platform/time.ts"
import type { Needs } from "../store/needs.ts"
import type { Identified } from "./sign-in-operations.ts"
import { pendingSignInSeconds } from "./two-factor.ts"

type Pending = Needs<"twoFactor" | "pendingSignIns" | "people" | "passwords" | "tokens" | "now">

/** Returns null for a person without two-factor authentication. */
export async function createPendingSignIn(
  services: Pending,
  { person, passwordHash }: Identified,
  browser: string,
): Promise<string | null> {
  const { twoFactor, pendingSignIns, now } = services
  if ((await twoFactor.find(person.id)) === null) return null
  const passwordDigest = digestHash(services, passwordHash)
  const expiresAt = secondsAfter(now(), pendingSignInSeconds)
  return pendingSignIns.createToken({ personId: person.id, passwordDigest, expiresAt }, browser)
}

/** Returns null if the token is invalid, of another browser or expired, or if the password was changed. */
export async function findPendingSignIn(
  services: Pending,
  token: string,
  browser: string,
): Promise<Identified | null> {
  const { pendingSignIns, people, passwords, now } = services
  const pending = pendingSignIns.parseToken(token, browser)
  if (pending === null || pending.expiresAt <= formatTimestamp(now())) return null
  const person = await people.find(pending.personId)
  const passwordHash = await passwords.find(pending.personId)
  const isSame = digestHash(services, passwordHash) === pending.passwordDigest
  return person !== null && isSame ? { person, passwordHash } : null
}

const digestHash = ({ tokens }: Needs<"tokens">, hash: string | null) =>
  Buffer.from(tokens.digest(hash ?? "")).toString("base64url")
