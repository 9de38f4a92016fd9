/** Who a visitor is, by password, link, passkey or provider, and the session that follows. */

import { requireRight, type SignInOutcome } from "../access/actor.ts"
import type { Recording } from "../access/audit-event.ts"
import { createEvent, tallyPerHour } from "../access/audit-operations.ts"
import type { Account } from "../accounts/account.ts"
import { recordAccountEvent } from "../accounts/account-operations.ts"
import { DomainError, StoreUnavailable } from "../platform/error.ts"
import { formatTimestamp, secondsAfter, secondsBefore, type Timestamp } from "../platform/time.ts"
import {
  type IdentityProvider,
  type ProvenIdentity,
  ProviderFailed,
  type SignInSecrets,
} from "./identity.ts"
import type { Assertion } from "./passkey.ts"
import type { Membership, Operator, Person } from "./person.ts"
import type { PeopleServices } from "./services.ts"
import type { Session } from "./session.ts"
import { SignInRejected } from "./sign-in-throttle.ts"
import { pendingSignInSeconds } from "./two-factor.ts"

/**
 * Somebody whose password, link, passkey or sign-in elsewhere was verified. `passwordHash` is the person's at that time,
 * null without a password: a change of the password ends the sign-in.
 */
export type Identified = Readonly<{ person: Person; passwordHash: string | null }>

export type PasswordConfirmation = Pick<
  PeopleServices,
  "passwords" | "hasher" | "throttle" | "onSignIn"
>

/**
 * By name or e-mail address, ASCII case-insensitive, or by the username of an account. Unknown name, no password and
 * wrong password are the same rejection and take the same time.
 */
export async function identifyByPassword(
  services: PasswordConfirmation & Pick<PeopleServices, "people">,
  { name, password, ipRange }: Readonly<{ name: string; password: string; ipRange: string }>,
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

/** Long enough for a redirect and a slow page, too short to be useful in a log or a browser history. */
const signInLinkSeconds = 120

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

/** Without a name, a password or a code. Unknown passkeys and all invalid responses are the same rejection. */
export async function identifyByPasskey(
  services: Pick<
    PeopleServices,
    "passkeys" | "passkeyVerifier" | "people" | "passwords" | "throttle" | "onSignIn" | "now"
  >,
  assertion: Assertion,
  ipRange: string,
): Promise<Identified> {
  const { passkeys, passkeyVerifier, people, passwords, throttle, now } = services
  const { id } = assertion
  const passkey = await passkeys.find(id)
  const person = passkey && (await people.find(passkey.personId))
  return reportRejectedSignIn(services, { name: person?.name ?? null, ipRange }, () =>
    throttle.attempt({ name: id, ipRange }, async () => {
      if (passkey === null || person === null) return null
      const verified = passkeyVerifier.verifyAssertion(passkey, assertion)
      if (verified === null || !(await throttle.useOnce(verified.challenge))) return null
      // Before it is used: a change of the password ends the sign-in.
      const passwordHash = await passwords.find(person.id)
      const isUsed = await passkeys.use(id, verified.counter, formatTimestamp(now()))
      return isUsed ? { person, passwordHash } : null
    }),
  )
}

/**
 * Who the visitor is, by what the provider sent along. Throws SignInRejected if that is wrong; ProviderFailed does not
 * count as a failed sign-in.
 */
export const verifyIdentity = (
  services: Pick<PeopleServices, "throttle" | "onSignIn">,
  provider: IdentityProvider,
  {
    query,
    secrets,
    redirectUrl,
  }: Readonly<{ query: URLSearchParams; secrets: SignInSecrets; redirectUrl: string }>,
  ipRange: string,
): Promise<ProvenIdentity> =>
  reportRejectedSignIn(services, { name: null, ipRange }, () =>
    services.throttle.attempt({ name: redirectUrl, ipRange }, () =>
      provider.complete(query, secrets, redirectUrl).catch((error) => {
        if (error instanceof ProviderFailed && error.kind === "rejected") return null
        throw error
      }),
    ),
  )

/**
 * The person who is connected to the identity, else the owner of the account that the provider names, who is created if
 * necessary. Null if there is neither: nobody is found by an e-mail address. Throws `account_suspended`.
 */
export async function findIdentified(
  services: Pick<PeopleServices, "identities" | "people" | "accounts" | "now" | "onSignIn">,
  identity: ProvenIdentity,
  ipRange: string,
): Promise<Person | null> {
  const { identities, people, accounts, onSignIn } = services
  const personId = await identities.find(identity)
  if (personId !== null) return people.find(personId)
  const { username } = identity
  const account = username === null ? null : await accounts.findByUsername(username)
  if (account === null) {
    await onSignIn("wrong", null, ipRange)
    return null
  }
  return reportRejectedSignIn(services, { name: account.username, ipRange }, async () => {
    if (account.isSuspended) throw new DomainError("account_suspended")
    return findOrCreateOwner(services, account)
  })
}

/**
 * Reports the rejection that `check` throws and rethrows it. All password and code checks use this function, so that
 * guesses are visible wherever they happen. `name` is null for an unknown name.
 */
export async function reportRejectedSignIn<T>(
  { onSignIn }: Pick<PeopleServices, "onSignIn">,
  { name, ipRange }: Readonly<{ name: string | null; ipRange: string }>,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    // Other errors say nothing about the credentials.
    if (error instanceof SignInRejected)
      await onSignIn(error.retryAfterSeconds > 0 ? "throttled" : "wrong", name, ipRange)
    else if (error instanceof DomainError && error.reason === "account_suspended")
      await onSignIn("suspended", name, ipRange)
    throw error
  }
}

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

export type SessionStart = Pick<PeopleServices, "sessions" | "tokens" | "now">
export type Visit = Readonly<{ ipRange: string; device: string; isByPasskey?: boolean }>

/** The token is returned only here; the browser stores it. */
export type SignedIn = Readonly<{ person: Person; session: Session; token: string }>

const deviceUnitsMax = 200

/** The caller verified the password of this hash, or a link or passkey (null). Null if it was changed or the person deleted. */
export async function startSession(
  { sessions, tokens, now }: SessionStart,
  person: Person,
  passwordHash: string | null,
  { ipRange, device, isByPasskey = false }: Visit,
): Promise<SignedIn | null> {
  const token = tokens.create()
  const at = formatTimestamp(now())
  const session = {
    id: `session_${tokens.create().slice(0, 16)}`,
    personId: person.id,
    createdAt: at,
    lastSeenAt: at,
    confirmedAt: at,
    ipRange,
    device: device.slice(0, deviceUnitsMax),
    isByPasskey,
  }
  const isStored = await sessions.insert(tokens.digest(token), session, passwordHash)
  return isStored ? { person, session, token } : null
}

/** `lastSeenAt` is written once a minute, and if the clock was set back. */
const touchEverySeconds = 60

/** Somebody with an open session, and what they may open. */
export type FoundSession = Readonly<{
  session: Session
  person: Person
  operator: Operator | null
  memberships: readonly Membership[]
}>

/** Returns null for an unknown token, an expired session, a deleted person, and while all their accounts are suspended. */
export async function findSession(
  {
    sessions,
    people,
    operators,
    tokens,
    now,
  }: SessionStart & Pick<PeopleServices, "people" | "operators">,
  token: string,
): Promise<FoundSession | null> {
  const session = await sessions.findByToken(tokens.digest(token))
  if (session === null) return null
  const person = await people.find(session.personId)
  if (person === null) return null
  const memberships = await people.listMemberships(person.id)
  const operator = await operators.find(person.id)
  if (operator === null && areSuspended(memberships)) {
    await sessions.end(person.id, session.id)
    return null
  }
  const isInFuture = session.lastSeenAt > secondsAfter(now(), touchEverySeconds)
  if (session.lastSeenAt < secondsBefore(now(), touchEverySeconds) || isInFuture) {
    await sessions.touch(session.id, formatTimestamp(now())).catch((error) => {
      // Pages stay readable on a full disk.
      if (!(error instanceof StoreUnavailable)) throw error
    })
  }
  return { session, person, operator, memberships }
}

/** Whether suspended accounts are all that there is. */
export const areSuspended = (memberships: readonly Membership[]): boolean =>
  memberships.length > 0 && memberships.every(({ isSuspended }) => isSuspended)

/** Sign-ins of one hour are one event, so that guesses do not fill the log. Throttled attempts have no IP range. */
export function recordOperatorSignIn(
  { audit, now }: Pick<PeopleServices, "audit" | "now">,
  outcome: SignInOutcome,
  operator: string,
  ipRange: string,
): Promise<void> {
  const actor = {
    kind: "operator",
    name: outcome === "ok" ? operator : "",
    ipRange: outcome === "throttled" ? "" : ipRange,
  } as const
  const actions = {
    ok: "signed_in",
    wrong: "sign_in_failed",
    throttled: "sign_in_slowed",
    suspended: "sign_in_failed",
  } as const
  const event = createEvent({ now, actor }, { kind: "operator", action: actions[outcome] })
  return tallyPerHour({ audit }, { ...event, subjectId: operator })
}
