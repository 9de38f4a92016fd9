import type { Account, AccountStore } from "../../domain/catalog/account.ts"
import { type Operator, type OperatorStore, requireRight } from "../../domain/sign-in/operator.ts"
import {
  listPasswordProblems,
  namesOfAccount,
  type PasswordHasher,
  type PasswordProblem,
  passwordCharactersMax,
  passwordCharactersMin,
} from "../../domain/sign-in/password.ts"
import { type Session, signInLinkSeconds } from "../../domain/sign-in/session.ts"
import { SignInRejected } from "../../domain/sign-in/sign-in-failures.ts"
import {
  isTotpForm,
  normalizeCode,
  stepOf,
  type TwoFactorStore,
  totpStepsBefore,
} from "../../domain/sign-in/two-factor.ts"
import { DomainError, UserError } from "../../domain/values/error.ts"
import {
  formatTimestamp,
  secondsAfter,
  type Timestamp,
} from "../../domain/values/time/timestamp.ts"
import type { Needs } from "../operation.ts"
import { type Recording, recordAccountEvent } from "../record-event.ts"
import {
  reportRejectedSignIn,
  type SessionStart,
  type SignedIn,
  startSession,
  type Visit,
} from "./session-operations.ts"

type SigningIn = SessionStart & TwoFactorServices & PasswordConfirmation

/** `code` is empty if none was typed. */
export type SignInAttempt = Visit & Readonly<{ name: string; password: string; code: string }>

/**
 * By username or email address, ASCII case-insensitive. Unknown name, no password, wrong password and wrong code are
 * the same rejection and take the same time. Throws `account_suspended` only after correct credentials, so that
 * suspensions cannot be probed.
 */
export async function signIn(
  services: SigningIn & Needs<"accounts">,
  attempt: SignInAttempt,
): Promise<SignedIn<Account>> {
  const account = await findByName(services, attempt.name)
  const named = account && { ...account, owner: account, name: account.username }
  return signInAs(services, attempt, named)
}

export async function signInOperator(
  services: SigningIn & Needs<"operators">,
  attempt: SignInAttempt,
): Promise<SignedIn<Operator>> {
  const operator = await services.operators.findByName(attempt.name)
  const named = operator && { owner: operator, name: operator.name, isSuspended: false }
  return signInAs(services, attempt, named)
}

/**
 * `named` is null for an unknown name. A correct password without a correct code is the same rejection as a wrong
 * one. So is a throttled code: only someone with the correct password uses up its attempts.
 */
async function signInAs<Owner extends { id: number }>(
  services: SigningIn,
  attempt: SignInAttempt,
  named: Readonly<{ owner: Owner; name: string; isSuspended: boolean }> | null,
): Promise<SignedIn<Owner>> {
  const { passwords, hasher, throttle } = services
  const { name, password, code, ipRange } = attempt
  const ownerId = named?.owner.id ?? noOwnerId
  return reportRejectedSignIn(services, { name: named?.name ?? null, ipRange }, async () => {
    const result = await throttle.attempt({ name, ipRange }, async () => {
      const hash = await passwords.find(ownerId)
      const isCorrect = await hasher.verify(password, hash)
      if (named === null || hash === null || !isCorrect) {
        await pretendTwoFactor(services, { id: ownerId }, code)
        return null
      }
      const factor = await verifyTwoFactorCode(services, named.owner, code).catch((error) => {
        if (error instanceof SignInRejected) return "wrong" as const
        throw error
      })
      if (factor === "wrong") return null
      // Not thrown here: correct credentials must not count as a failure.
      if (named.isSuspended) return "suspended"
      return startVerifiedSession(services, named.owner, factor, hash, attempt)
    })
    if (result === "suspended") throw new DomainError("account_suspended")
    return result
  })
}

/**
 * The exact username wins. Other matches ignore ASCII case only: languages disagree on other letters (the Turkish
 * dotless i). A name that matches two accounts finds neither.
 */
async function findByName({ accounts }: Needs<"accounts">, name: string): Promise<Account | null> {
  const exact = await accounts.findByUsername(name)
  const sameUsername = await accounts.listByUsername(name, 2)
  const byEmail = name.includes("@") ? await accounts.listByEmail(name, 2) : []
  return exact ?? findOnly(sameUsername) ?? findOnly(byEmail)
}

function findOnly([first, second]: readonly Account[]): Account | null {
  return second === undefined ? (first ?? null) : null
}

export type Linking = Needs<"signInLinks" | "tokens" | "now">

/** The token signs the author in, once, within two minutes. Throws `account_suspended`. */
export async function createSignInLink(
  services: Linking & Recording,
  account: Account,
): Promise<Readonly<{ token: string; expiresAt: Timestamp }>> {
  const { actor, signInLinks, tokens, now } = services
  requireRight(actor, "manage")
  if (account.isSuspended) throw new DomainError("account_suspended")
  const token = tokens.create()
  const expiresAt = secondsAfter(now(), signInLinkSeconds)
  await signInLinks.insert(tokens.digest(token), account.id, expiresAt)
  await recordAccountEvent(services, account, "sign_in_link")
  return { token, expiresAt }
}

/** Returns null if the link is unknown, used or expired. Throws `account_suspended`. Does not use up the link. */
export async function findLinked(
  { signInLinks, tokens, now }: Linking,
  accounts: Pick<AccountStore, "find">,
  token: string,
): Promise<Account | null> {
  const accountId = await signInLinks.find(tokens.digest(token), formatTimestamp(now()))
  return accountId === null ? null : authorsIn(accounts).find(accountId)
}

/** Uses up the link, but not if it throws SignInRejected for a wrong two-factor code. Null as for `findLinked`. */
export async function signInByLink(
  services: Linking & SessionStart & TwoFactorServices,
  accounts: Pick<AccountStore, "find">,
  { token, code }: Readonly<{ token: string; code: string }>,
  from: Visit,
): Promise<SignedIn<Account> | null> {
  const { signInLinks, tokens, now } = services
  const account = await findLinked(services, accounts, token)
  if (account === null) return null
  const named = { id: account.id, name: account.username }
  const factor = await requireTwoFactorCode(services, named, from.ipRange, code)
  const accountId = await signInLinks.use(tokens.digest(token), formatTimestamp(now()))
  return accountId === null ? null : startVerifiedSession(services, account, factor, null, from)
}

type VerifiedFactor = "correct" | "disabled"

/** Null as for `startSession`, and if two-factor authentication was enabled meanwhile, which ends all other sessions. */
export async function startVerifiedSession<Owner extends { id: number }>(
  services: SessionStart & Needs<"twoFactor">,
  owner: Owner,
  factor: VerifiedFactor,
  passwordHash: string | null,
  from: Visit,
): Promise<SignedIn<Owner> | null> {
  const { sessions, twoFactor } = services
  const signedIn = await startSession(services, owner, passwordHash, from)
  if (signedIn === null || factor === "correct") return signedIn
  if ((await twoFactor.find(owner.id)) === null) return signedIn
  await sessions.end(owner.id, signedIn.session.id)
  return null
}

export type TwoFactorServices = Needs<
  "twoFactor" | "twoFactorCipher" | "codeThrottle" | "onSignIn" | "now"
>

/** A code is correct once. "disabled": without two-factor authentication. Throws SignInRejected if throttled. */
export async function verifyTwoFactorCode(
  services: TwoFactorServices,
  { id }: Readonly<{ id: number }>,
  typed: string,
): Promise<VerifiedFactor | "wrong"> {
  const { twoFactor, twoFactorCipher: cipher, codeThrottle } = services
  const encrypted = await twoFactor.find(id)
  if (encrypted === null) return "disabled"
  const code = normalizeCode(typed)
  if (code === "") return "wrong"
  const isCorrect = await (isTotpForm(code)
    ? codeThrottle.attempt(id, async () => {
        const step = findStep(services, cipher.decrypt(encrypted, id), code)
        return step !== null && twoFactor.useStep(id, step)
      })
    : twoFactor.useRecoveryCode(id, cipher.recoveryDigest(code)))
  return isCorrect ? "correct" : "wrong"
}

/** For a code without a password. Throws SignInRejected for a wrong code. */
export const requireTwoFactorCode = (
  services: TwoFactorServices,
  { id, name }: Readonly<{ id: number; name: string }>,
  ipRange: string,
  typed: string,
): Promise<VerifiedFactor> =>
  reportRejectedSignIn(services, { name, ipRange }, async () => {
    const factor = await verifyTwoFactorCode(services, { id }, typed)
    if (factor === "wrong") throw new SignInRejected(0)
    return factor
  })

/** Reads the store as `verifyTwoFactorCode` does, so that a wrong password takes as long. Limits no sign-in. */
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
  { twoFactorCipher, now }: Needs<"twoFactorCipher" | "now">,
  secret: string,
  code: string,
): number | null {
  const current = stepOf(now())
  for (let step = current - totpStepsBefore; step <= current; step += 1) {
    if (twoFactorCipher.isCodeAt(secret, step, code)) return step
  }
  return null
}

/** Authors or operators. */
export type Owners<Owner extends { id: number }> = Readonly<{
  /** Returns null if the owner was deleted. Throws `account_suspended`. */
  find(id: number): Promise<Owner | null>
  /** Names that the owner's password must not be. */
  namesOf(owner: Owner): readonly string[]
}>

export const authorsIn = (accounts: Pick<AccountStore, "find">): Owners<Account> => ({
  async find(id) {
    const account = await accounts.find(id)
    if (account?.isSuspended) throw new DomainError("account_suspended")
    return account
  },
  namesOf: namesOfAccount,
})

export const operatorsIn = ({ find }: Pick<OperatorStore, "find">): Owners<Operator> => ({
  find,
  namesOf: ({ name }) => [name],
})

export type PasswordSetting = Needs<"passwords" | "hasher">

/** Ends every session of the account. */
export async function setPassword(
  { passwords, hasher }: PasswordSetting,
  account: Account,
  password: string,
): Promise<void> {
  await passwords.put(account.id, await hashNewPassword(hasher, namesOfAccount(account), password))
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
  "own name": "the password must not be the username or email address; use a few unrelated words",
}

/** Returns null if another change was faster. `knownHash` is null for an owner without a password. */
export async function changePassword<Owner extends { id: number }>(
  services: PasswordSetting & SessionStart,
  { namesOf }: Pick<Owners<Owner>, "namesOf">,
  owner: Owner,
  change: Readonly<{ knownHash: string | null; password: string }>,
  from: Visit,
): Promise<SignedIn<Owner> | null> {
  const hash = await hashNewPassword(services.hasher, namesOf(owner), change.password)
  const isChanged = await services.passwords.replace(owner.id, change.knownHash, hash)
  // The change ended every session, including this one.
  return isChanged ? startSession(services, owner, hash, from) : null
}

export type PasswordConfirmation = Needs<"passwords" | "hasher" | "throttle" | "onSignIn">

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
