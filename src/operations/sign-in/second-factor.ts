/** The second factor of an author or an operator: checking a code, setting it up, and taking it away. */
import type { Account } from "../../domain/catalogue/account.ts"
import {
  type CodeThrottle,
  isTotpForm,
  normalCode,
  type SecondFactorStore,
  type SecondFactorVault,
  stepOf,
  totpStepsAround,
} from "../../domain/sign-in/second-factor.ts"
import type { Session } from "../../domain/sign-in/session.ts"
import { SignInRefused } from "../../domain/sign-in/sign-in-failures.ts"
import { type Recording, recordAccountEvent } from "../record-event.ts"
import { type Reporting, reportRefusal } from "./report-refusal.ts"

export type SecondFactors = Readonly<{
  secondFactors: SecondFactorStore
  secondFactorVault: SecondFactorVault
  codeThrottle: CodeThrottle
  now: () => Date
}>

/**
 * True for an owner without a second factor, and for a right code, which is used up: a code of the app or a
 * recovery code. Throws SignInRefused after too many wrong codes of the app.
 */
export async function passSecondFactor(
  services: SecondFactors,
  { id }: Readonly<{ id: number }>,
  typed: string,
): Promise<boolean> {
  const { secondFactors, secondFactorVault: vault, codeThrottle } = services
  const sealed = await secondFactors.find(id)
  if (sealed === null) return true
  const code = normalCode(typed)
  if (code === "") return false
  if (!isTotpForm(code)) return secondFactors.useRecoveryCode(id, vault.recoveryDigest(code))
  return codeThrottle.attempt(id, async () => {
    const step = findStep(services, vault.unseal(sealed, id), code)
    return step !== null && secondFactors.useStep(id, step)
  })
}

/** For a code that is asked for without the password: throws SignInRefused for a wrong one, and reports it. */
export const requireCode = (
  services: SecondFactors & Reporting,
  { id, name }: Readonly<{ id: number; name: string }>,
  network: string,
  typed: string,
): Promise<void> =>
  reportRefusal(services, { name, network }, async () => {
    if (!(await passSecondFactor(services, { id }, typed))) throw new SignInRefused(0)
  })

/**
 * Asks the store as `passSecondFactor` does after a right password, so that a wrong one takes as long. These
 * tries limit no sign-in.
 */
export async function pretendSecondFactor(
  { secondFactors, secondFactorVault: vault, codeThrottle }: SecondFactors,
  { id }: Readonly<{ id: number }>,
  typed: string,
): Promise<void> {
  await secondFactors.find(id)
  const code = normalCode(typed)
  if (code === "") return
  if (isTotpForm(code)) await codeThrottle.pretend(id)
  else await secondFactors.useRecoveryCode(noOwnerId, vault.recoveryDigest(code))
}

/** No account has this id. Looking it up makes an unknown name take as long as a known one. */
export const noOwnerId = 0

/**
 * Sets the secret up if `typed` is one of its codes, which proves that the app has it, and returns new
 * recovery codes. Null for a wrong code. All other sessions end: they were started without the second factor.
 */
export async function setUpSecondFactor(
  services: SecondFactors,
  { id }: Readonly<{ id: number }>,
  session: Pick<Session, "id">,
  secret: string,
  typed: string,
): Promise<readonly string[] | null> {
  const step = findStep(services, secret, normalCode(typed))
  if (step === null) return null
  const { secondFactors, secondFactorVault: vault } = services
  const codes = vault.createRecoveryCodes()
  const digests = codes.map(vault.recoveryDigest)
  await secondFactors.put(id, session.id, vault.seal(secret, id), step, digests)
  return codes
}

/** For an author who lost phone and recovery codes. False when there is none to remove. */
export async function removeAuthorFactor(
  recording: Recording,
  secondFactors: Pick<SecondFactorStore, "find" | "remove">,
  account: Pick<Account, "id" | "username">,
): Promise<boolean> {
  if ((await secondFactors.find(account.id)) === null) return false
  await secondFactors.remove(account.id)
  await recordAccountEvent(recording, account, "second_factor_off")
  return true
}

/** The time step near now whose code this is; null when there is none. */
function findStep(
  { secondFactorVault, now }: Pick<SecondFactors, "secondFactorVault" | "now">,
  secret: string,
  code: string,
): number | null {
  const current = stepOf(now())
  for (let step = current - totpStepsAround; step <= current + totpStepsAround; step += 1) {
    if (secondFactorVault.isCodeAt(secret, step, code)) return step
  }
  return null
}
