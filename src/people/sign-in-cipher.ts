import { createTokenCipher, type MasterKey, type MasterKeys } from "../platform/crypto/cipher.ts"
import type { AwayVisit, AwayVisits } from "./identity.ts"
import type { PendingSignIn, PendingSignIns } from "./two-factor.ts"

/** Bound to the browser that typed the password. */
export const createPendingSignIns = (master: MasterKey | MasterKeys): PendingSignIns =>
  createTokenCipher<PendingSignIn, string>(master, "pending sign-in", (browser) => [browser])

export const createAwayVisits = (master: MasterKey | MasterKeys): AwayVisits =>
  createTokenCipher<AwayVisit, null>(master, "visit of the identity provider", () => [])
