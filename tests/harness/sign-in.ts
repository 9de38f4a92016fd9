import { requireTwoFactorCode } from "../../src/people/security-operations.ts"
import {
  identifyByPassword,
  type SignedIn,
  startVerifiedSession,
  type Visit,
} from "../../src/people/sign-in-operations.ts"
import { SignInRejected } from "../../src/people/sign-in-throttle.ts"
import type { SmallStore } from "./stores/small-store.ts"

export type SignInAttempt = Visit & Readonly<{ name: string; password: string; code: string }>

/** Both steps of the pages. */
export async function signIn(
  services: SmallStore["services"],
  attempt: SignInAttempt,
): Promise<SignedIn> {
  const identified = await identifyByPassword(services, attempt)
  const { ipRange, code } = attempt
  const factor = await requireTwoFactorCode(services, identified.person, ipRange, code)
  const signedIn = await startVerifiedSession(services, identified, factor, attempt)
  if (signedIn === null) throw new SignInRejected(0)
  return signedIn
}
