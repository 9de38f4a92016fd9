/** What people change about how they sign in: password, two-factor authentication, passkeys. */

import { requireRight } from "../access/actor.ts"
import type { Recording } from "../access/audit-event.ts"
import type { Account } from "../accounts/account.ts"
import { UserError } from "../platform/error.ts"
import { trimWhitespace } from "../platform/text.ts"
import { formatTimestamp } from "../platform/time.ts"
import type { Registration } from "./passkey.ts"
import {
  listPasswordProblems,
  namesOf,
  type PasswordHasher,
  passwordCharactersMax,
  passwordCharactersMin,
} from "./password.ts"
import type { Person } from "./person.ts"
import { recordPersonEvent } from "./person-email-operations.ts"
import type { Notifying, PeopleServices } from "./services.ts"
import type { Session } from "./session.ts"
import {
  type PasswordConfirmation,
  reportRejectedSignIn,
  type SessionStart,
  type SignedIn,
  startSession,
  type VerifiedFactor,
  type Visit,
} from "./sign-in-operations.ts"
import { SignInRejected } from "./sign-in-throttle.ts"
import { countTotpSteps, isTotpForm, normalizeCode, totpStepsBefore } from "./two-factor.ts"

const passkeyNameUnitsMax = 100

/** Returns false for an invalid response, a registered passkey, and beyond `passkeysMax`. */
export async function addPasskey(
  services: Recording & Notifying & Pick<PeopleServices, "passkeys" | "passkeyVerifier">,
  person: Person,
  registration: Registration & Readonly<{ name: string }>,
  account: Account | null,
): Promise<boolean> {
  const { passkeys, passkeyVerifier, now } = services
  const credential = passkeyVerifier.readRegistration(registration)
  if (credential === null) return false
  const name = trimWhitespace(registration.name.slice(0, passkeyNameUnitsMax).toWellFormed())
  const isAdded = await passkeys.insert({
    ...credential,
    personId: person.id,
    name,
    createdAt: formatTimestamp(now()),
    lastUsedAt: null,
  })
  if (isAdded) await recordPersonEvent(services, person, "passkey_added", account)
  return isAdded
}

export async function removePasskey(
  services: Recording & Notifying & Pick<PeopleServices, "passkeys">,
  person: Person,
  id: string,
  account: Account | null,
): Promise<void> {
  if ((await services.passkeys.remove(person.id, id)) === 0) return
  await recordPersonEvent(services, person, "passkey_removed", account)
}

type TwoFactorServices = Pick<
  PeopleServices,
  "twoFactor" | "twoFactorCipher" | "codeThrottle" | "onSignIn" | "now"
>

/** A code is correct once. "disabled": without two-factor authentication. Throws SignInRejected. */
export const requireTwoFactorCode = (
  services: TwoFactorServices,
  { id, name }: Readonly<{ id: number; name: string }>,
  ipRange: string,
  typed: string,
): Promise<VerifiedFactor> =>
  reportRejectedSignIn(services, { name, ipRange }, async () => {
    const { twoFactor, twoFactorCipher: cipher, codeThrottle } = services
    const encrypted = await twoFactor.find(id)
    if (encrypted === null) return "disabled"
    const code = normalizeCode(typed)
    const isCorrect = await (isTotpForm(code)
      ? codeThrottle.attempt(id, async () => {
          const step = findStep(services, cipher.decrypt(encrypted, id), code)
          return step !== null && twoFactor.useStep(id, step)
        })
      : twoFactor.useRecoveryCode(id, cipher.recoveryDigest(code)))
    if (!isCorrect) throw new SignInRejected(0)
    return "correct"
  })

/** Returns recovery codes; null if `typed` does not prove that the app has the secret. Ends all other sessions. */
export async function setUpTwoFactor(
  services: TwoFactorServices,
  { id }: Readonly<{ id: number }>,
  session: Pick<Session, "id">,
  { secret, typed }: Readonly<{ secret: string; typed: string }>,
): Promise<readonly string[] | null> {
  const step = findStep(services, secret, normalizeCode(typed))
  if (step === null) return null
  const { twoFactor, twoFactorCipher: cipher } = services
  const codes = cipher.createRecoveryCodes()
  await twoFactor.put(id, session.id, {
    encrypted: cipher.encrypt(secret, id),
    usedStep: step,
    recoveryDigests: codes.map(cipher.recoveryDigest),
  })
  return codes
}

/**
 * For somebody who lost phone and recovery codes: the passkeys of the phone end too. Returns false without two-factor
 * authentication and passkeys.
 */
export async function removeTwoFactor(
  recording: Recording & Notifying & Pick<PeopleServices, "twoFactor" | "passkeys">,
  person: Person,
  account: Account | null = null,
): Promise<boolean> {
  const { actor, twoFactor, passkeys } = recording
  requireRight(actor, "operate")
  const hasFactor = (await twoFactor.find(person.id)) !== null
  if (hasFactor) {
    await twoFactor.remove(person.id)
    await recordPersonEvent(recording, person, "second_factor_off", account)
  }
  const hadPasskeys = (await passkeys.remove(person.id, "all")) > 0
  if (hadPasskeys) await recordPersonEvent(recording, person, "passkey_removed", account)
  return hasFactor || hadPasskeys
}

/** Returns null if no time step near now has this code. */
function findStep(
  { twoFactorCipher, now }: Pick<PeopleServices, "twoFactorCipher" | "now">,
  secret: string,
  code: string,
): number | null {
  const current = countTotpSteps(now())
  for (let step = current - totpStepsBefore; step <= current; step += 1) {
    if (twoFactorCipher.isCodeAt(secret, step, code)) return step
  }
  return null
}

type PasswordSetting = Pick<PeopleServices, "passwords" | "hasher">

export async function setPassword(
  { passwords, hasher }: PasswordSetting,
  person: Person,
  password: string,
): Promise<void> {
  await passwords.put(person.id, await hashNewPassword(hasher, namesOf(person), password))
}

export async function hashNewPassword(
  hasher: PasswordHasher,
  ownNames: readonly string[],
  password: string,
): Promise<string> {
  const problems = listPasswordProblems(password, ownNames)
  if (problems.length === 0) return hasher.hash(password)
  const lengths = `the password must have ${passwordCharactersMin} to ${passwordCharactersMax} characters`
  const rejections = {
    "too short": lengths,
    "too long": lengths,
    common: "the password is too common; use a few unrelated words",
    "own name": "the password must not be the name or e-mail address; use a few unrelated words",
  }
  throw new UserError(problems.map((problem) => rejections[problem]).join("; "))
}

/** Returns null if another change was faster. `knownHash` is null for somebody without a password. */
export async function changePassword(
  services: PasswordSetting & SessionStart,
  person: Person,
  change: Readonly<{ knownHash: string | null; password: string }>,
  from: Visit,
): Promise<SignedIn | null> {
  const hash = await hashNewPassword(services.hasher, namesOf(person), change.password)
  const isChanged = await services.passwords.replace(person.id, change.knownHash, hash)
  // The change ended every session, including this one.
  return isChanged ? startSession(services, person, hash, from) : null
}

/** Returns the hash of the verified password. Throws SignInRejected. */
export async function confirmPassword(
  services: PasswordConfirmation,
  { id, name }: Readonly<{ id: number; name: string }>,
  ipRange: string,
  password: string,
): Promise<string> {
  const { passwords, hasher, throttle } = services
  return reportRejectedSignIn(services, { name, ipRange }, () =>
    throttle.attempt({ name, ipRange }, async () => {
      const hash = await passwords.find(id)
      return (await hasher.verify(password, hash)) ? hash : null
    }),
  )
}
