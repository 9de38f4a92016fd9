import type { Account } from "../../domain/catalog/account.ts"
import { requireRight } from "../../domain/sign-in/operator-role.ts"
import type { Session } from "../../domain/sign-in/session.ts"
import { SignInRejected } from "../../domain/sign-in/sign-in-failures.ts"
import {
  type CodeThrottle,
  isTotpForm,
  normalizeCode,
  stepOf,
  type TwoFactorCipher,
  type TwoFactorStore,
  totpStepsAround,
} from "../../domain/sign-in/two-factor.ts"
import { type Recording, recordAccountEvent } from "../record-event.ts"
import { type Reporting, reportRejectedSignIn } from "./report-rejected-sign-in.ts"

export type TwoFactorServices = Readonly<{
  twoFactor: TwoFactorStore
  twoFactorCipher: TwoFactorCipher
  codeThrottle: CodeThrottle
  now: () => Date
}>

/**
 * Returns true without two-factor authentication, and for a correct code, which is used up. Throws SignInRejected
 * after too many wrong TOTP codes.
 */
export async function verifyTwoFactorCode(
  services: TwoFactorServices,
  { id }: Readonly<{ id: number }>,
  typed: string,
): Promise<boolean> {
  const { twoFactor, twoFactorCipher: cipher, codeThrottle } = services
  const encrypted = await twoFactor.find(id)
  if (encrypted === null) return true
  const code = normalizeCode(typed)
  if (code === "") return false
  if (!isTotpForm(code)) return twoFactor.useRecoveryCode(id, cipher.recoveryDigest(code))
  return codeThrottle.attempt(id, async () => {
    const step = findStep(services, cipher.decrypt(encrypted, id), code)
    return step !== null && twoFactor.useStep(id, step)
  })
}

/** For a code without a password. Throws SignInRejected for a wrong code. */
export const requireTwoFactorCode = (
  services: TwoFactorServices & Reporting,
  { id, name }: Readonly<{ id: number; name: string }>,
  ipRange: string,
  typed: string,
): Promise<void> =>
  reportRejectedSignIn(services, { name, ipRange }, async () => {
    if (!(await verifyTwoFactorCode(services, { id }, typed))) throw new SignInRejected(0)
  })

/**
 * Reads the store as `verifyTwoFactorCode` does, so that a wrong password takes as long as a correct one. These
 * attempts limit no sign-in.
 */
export async function pretendTwoFactor(
  { twoFactor, twoFactorCipher: cipher, codeThrottle }: TwoFactorServices,
  { id }: Readonly<{ id: number }>,
  typed: string,
): Promise<void> {
  await twoFactor.find(id)
  const code = normalizeCode(typed)
  if (code === "") return
  if (isTotpForm(code)) await codeThrottle.pretend(id)
  else await twoFactor.useRecoveryCode(noOwnerId, cipher.recoveryDigest(code))
}

/** No account has this id. Its look-up makes an unknown name take as long as a known one. */
export const noOwnerId = 0

/**
 * `typed` proves that the app has the secret. Returns recovery codes, null for a wrong code. Ends all other sessions:
 * they were started without two-factor authentication.
 */
export async function setUpTwoFactor(
  services: TwoFactorServices,
  { id }: Readonly<{ id: number }>,
  session: Pick<Session, "id">,
  secret: string,
  typed: string,
): Promise<readonly string[] | null> {
  const step = findStep(services, secret, normalizeCode(typed))
  if (step === null) return null
  const { twoFactor, twoFactorCipher: cipher } = services
  const codes = cipher.createRecoveryCodes()
  const digests = codes.map(cipher.recoveryDigest)
  await twoFactor.put(id, session.id, cipher.encrypt(secret, id), step, digests)
  return codes
}

/** For an author who lost phone and recovery codes. Returns false without two-factor authentication. */
export async function removeAuthorTwoFactor(
  recording: Recording,
  twoFactor: Pick<TwoFactorStore, "find" | "remove">,
  account: Pick<Account, "id" | "username">,
): Promise<boolean> {
  requireRight(recording.actor, "manage")
  if ((await twoFactor.find(account.id)) === null) return false
  await twoFactor.remove(account.id)
  await recordAccountEvent(recording, account, "second_factor_off")
  return true
}

/** Returns null if no time step near now has this code. */
function findStep(
  { twoFactorCipher, now }: Pick<TwoFactorServices, "twoFactorCipher" | "now">,
  secret: string,
  code: string,
): number | null {
  const current = stepOf(now())
  for (let step = current - totpStepsAround; step <= current + totpStepsAround; step += 1) {
    if (twoFactorCipher.isCodeAt(secret, step, code)) return step
  }
  return null
}
