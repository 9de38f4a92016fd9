import type { Actor } from "../access/actor.ts"
import type { AuditAction } from "../access/audit-event.ts"
import { createEvent, type Recording, tallyPerHour } from "../access/audit-operations.ts"
import { requireRight } from "../access/rights.ts"
import type { SignInOutcome } from "../access/sign-in-outcome.ts"
import type { Account } from "../accounts/account.ts"
import { recordAccountEvent } from "../accounts/account-operations.ts"
import { DomainError, UserError } from "../platform/error.ts"
import { formatTimestamp, secondsAfter, type Timestamp } from "../platform/time.ts"
import {
  listPasswordProblems,
  namesOf,
  type PasswordHasher,
  type PasswordProblem,
  passwordCharactersMax,
  passwordCharactersMin,
} from "./password.ts"
import type { Person } from "./person.ts"
import { type Notifying, recordPersonEvent } from "./person-email-operations.ts"
import type { PeopleServices } from "./services.ts"
import { type Session, signInLinkSeconds } from "./session.ts"
import {
  areSuspended,
  reportRejectedSignIn,
  type SessionStart,
  type SignedIn,
  startSession,
  type Visit,
} from "./session-operations.ts"
import { SignInRejected } from "./sign-in-throttle.ts"
import {
  isTotpForm,
  normalizeCode,
  pendingSignInSeconds,
  stepOf,
  totpStepsBefore,
} from "./two-factor.ts"

/**
 * Somebody whose password, link, passkey or sign-in elsewhere was verified. `passwordHash` is the person's at that time,
 * null without a password: a change of the password ends the sign-in.
 */
export type Identified = Readonly<{ person: Person; passwordHash: string | null }>

export type PasswordAttempt = Readonly<{ name: string; password: string; ipRange: string }>

/**
 * By name or e-mail address, ASCII case-insensitive, or by the username of an account. Unknown name, no password and
 * wrong password are the same rejection and take the same time.
 */
export async function identifyByPassword(
  services: PasswordConfirmation & Pick<PeopleServices, "people">,
  { name, password, ipRange }: PasswordAttempt,
): Promise<Identified> {
  const { passwords, hasher, throttle } = services
  const person = await findByName(services, name)
  return reportRejectedSignIn(services, { name: person?.name ?? null, ipRange }, () =>
    throttle.attempt({ name, ipRange }, async () => {
      const passwordHash = await passwords.find(person?.id ?? noPersonId)
      const isCorrect = await hasher.verify(password, passwordHash)
      return person !== null && isCorrect ? { person, passwordHash } : null
    }),
  )
}

/** Nobody has this id. Its look-up makes an unknown name take as long as a known one. */
const noPersonId = 0

/**
 * A name wins over the username of an account, which may have changed, and over an e-mail address. An address that two
 * people have finds neither.
 */
async function findByName(
  { people }: Pick<PeopleServices, "people">,
  name: string,
): Promise<Person | null> {
  const named = await people.findByName(name)
  const owner = await people.findOwnerOf(name)
  const [first = null, second] = name.includes("@") ? await people.listByEmail(name, 2) : []
  return named ?? owner ?? (second === undefined ? first : null)
}

export type Linking = Pick<PeopleServices, "signInLinks" | "tokens" | "now">

/** The token signs the author in, once, within two minutes. Throws `account_suspended`. */
export async function createSignInLink(
  services: Linking & Recording,
  account: Account,
): Promise<Readonly<{ token: string; expiresAt: Timestamp }>> {
  const { actor, signInLinks, tokens, now } = services
  requireRight(actor, "operate")
  if (account.isSuspended) throw new DomainError("account_suspended")
  const token = tokens.create()
  const expiresAt = secondsAfter(now(), signInLinkSeconds)
  await signInLinks.insert(tokens.digest(token), account.id, expiresAt)
  await recordAccountEvent(services, account, "sign_in_link")
  return { token, expiresAt }
}

/** Returns null if the link is unknown, used or expired. Throws `account_suspended`. Does not use up the link. */
export async function findLinked(
  { signInLinks, tokens, now, accounts }: Linking & Pick<PeopleServices, "accounts">,
  token: string,
): Promise<Account | null> {
  const accountId = await signInLinks.find(tokens.digest(token), formatTimestamp(now()))
  const account = accountId === null ? null : await accounts.find(accountId)
  if (account?.isSuspended) throw new DomainError("account_suspended")
  return account
}

/** The owner of the account, who is created if necessary. Uses up the link. Null as for `findLinked`. */
export async function identifyByLink(
  services: Linking & Pick<PeopleServices, "accounts" | "people" | "passwords">,
  token: string,
): Promise<Identified | null> {
  const { signInLinks, passwords, tokens, now } = services
  const account = await findLinked(services, token)
  if (account === null) return null
  const person = await findOrCreateOwner(services, account)
  // Before the link is used up: a change of the password ends both.
  const passwordHash = await passwords.find(person.id)
  const accountId = await signInLinks.use(tokens.digest(token), formatTimestamp(now()))
  return accountId === null ? null : { person, passwordHash }
}

/** A new owner is named like the account, or with a number if somebody has this name. */
export async function findOrCreateOwner(
  { people, now }: Pick<PeopleServices, "people" | "now">,
  { id, username }: Pick<Account, "id" | "username">,
): Promise<Person> {
  const at = formatTimestamp(now())
  for (let attempt = 1; ; attempt += 1) {
    const owner = await people.findOwner(id)
    if (owner !== null) return owner
    const name = attempt === 1 ? username : `${username}-${attempt}`
    const personId = await people.insert({ name, email: null, createdAt: at })
    if (personId !== null) await people.putMember(id, personId, "owner", at)
  }
}

/** "correct": a code. A passkey replaces password and code. */
export type VerifiedFactor = "correct" | "passkey" | "disabled"

/**
 * Null as for `startSession`, and if two-factor authentication was enabled meanwhile, which ends all other sessions.
 * Throws `account_suspended`: only after correct credentials, so that suspensions cannot be probed.
 */
export async function startVerifiedSession(
  services: SessionStart & Pick<PeopleServices, "twoFactor" | "people" | "operators" | "onSignIn">,
  { person, passwordHash }: Identified,
  factor: VerifiedFactor,
  from: Visit,
): Promise<SignedIn | null> {
  const { sessions, twoFactor, people, operators } = services
  await reportRejectedSignIn(services, { name: person.name, ipRange: from.ipRange }, async () => {
    const isOperator = (await operators.find(person.id)) !== null
    if (!isOperator && areSuspended(await people.listMemberships(person.id)))
      throw new DomainError("account_suspended")
  })
  const visit = { ...from, isByPasskey: factor === "passkey" }
  const signedIn = await startSession(services, person, passwordHash, visit)
  if (signedIn === null || factor !== "disabled") return signedIn
  if ((await twoFactor.find(person.id)) === null) return signedIn
  await sessions.end(person.id, signedIn.session.id)
  return null
}

export type TwoFactorServices = Pick<
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
  const current = stepOf(now())
  for (let step = current - totpStepsBefore; step <= current; step += 1) {
    if (twoFactorCipher.isCodeAt(secret, step, code)) return step
  }
  return null
}

export type PasswordSetting = Pick<PeopleServices, "passwords" | "hasher">

/** Ends every session of the person. */
export async function setPassword(
  { passwords, hasher }: PasswordSetting,
  person: Person,
  password: string,
): Promise<void> {
  await passwords.put(person.id, await hashNewPassword(hasher, namesOf(person), password))
}

/** Throws UserError for an unacceptable password. */
export async function hashNewPassword(
  hasher: PasswordHasher,
  ownNames: readonly string[],
  password: string,
): Promise<string> {
  const problems = listPasswordProblems(password, ownNames)
  if (problems.length === 0) return hasher.hash(password)
  throw new UserError(problems.map((problem) => rejections[problem]).join("; "))
}

const lengths = `the password must have ${passwordCharactersMin} to ${passwordCharactersMax} characters`
const rejections: Readonly<Record<PasswordProblem, string>> = {
  "too short": lengths,
  "too long": lengths,
  common: "the password is too common; use a few unrelated words",
  "own name": "the password must not be the name or e-mail address; use a few unrelated words",
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

export type PasswordConfirmation = Pick<
  PeopleServices,
  "passwords" | "hasher" | "throttle" | "onSignIn"
>

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

/** Sign-ins of one hour are one event, so that guesses do not fill the log. Throttled attempts have no IP range. */
export function recordOperatorSignIn(
  { audit, now }: Pick<PeopleServices, "audit" | "now">,
  outcome: SignInOutcome,
  operator: string,
  ipRange: string,
): Promise<void> {
  const actor: Actor = {
    kind: "operator",
    name: outcome === "ok" ? operator : "",
    ipRange: outcome === "throttled" ? "" : ipRange,
  }
  const event = createEvent({ now, actor }, { kind: "operator", action: signInActions[outcome] })
  return tallyPerHour({ audit }, { ...event, subjectId: operator })
}

const signInActions = {
  ok: "signed_in",
  wrong: "sign_in_failed",
  throttled: "sign_in_slowed",
  suspended: "sign_in_failed",
} as const satisfies Readonly<Record<SignInOutcome, AuditAction<"operator">>>

type Pending = Pick<
  PeopleServices,
  "twoFactor" | "pendingSignIns" | "people" | "passwords" | "tokens" | "now"
>

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

const digestHash = ({ tokens }: Pick<PeopleServices, "tokens">, hash: string | null) =>
  Buffer.from(tokens.digest(hash ?? "")).toString("base64url")
