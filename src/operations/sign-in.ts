import type { Account, AccountStore } from "../domain/account.ts"
import {
  type PasswordHasher,
  type PasswordStore,
  type Session,
  type SessionStore,
  SignInRefused,
  type SignInThrottle,
  type TokenMaker,
} from "../domain/session.ts"
import { formatTimestamp } from "../domain/timestamp.ts"

export type SigningIn = Readonly<{
  accounts: Pick<AccountStore, "findByUsername" | "listByEmail">
  passwords: Pick<PasswordStore, "find">
  sessions: Pick<SessionStore, "insert" | "isKnownNetwork">
  hasher: PasswordHasher
  tokens: TokenMaker
  throttle: SignInThrottle
  now: () => Date
}>

export type SignInTry = Readonly<{
  name: string
  password: string
  network: string
  device: string
}>

/** A session and, this once, the token that the browser keeps. */
export type SignedIn = Readonly<{ account: Account; session: Session; token: string }>

/**
 * By username or e-mail address. An unknown name, an account without a password and a wrong password
 * are the same refusal and take the same time. Every sign-in makes a new token.
 */
export async function signIn(services: SigningIn, attempt: SignInTry): Promise<SignedIn> {
  const { passwords, sessions, hasher, throttle } = services
  const { name, password, network } = attempt
  const account = await findByName(services, name)
  const isKnown = account !== null && (await sessions.isKnownNetwork(account.id, network))
  const source = { name: account?.username ?? name, network, isKnown }
  const secondsToWait = throttle.secondsToWait(source)
  if (secondsToWait > 0) throw new SignInRefused(secondsToWait)
  const hash = account === null ? null : await passwords.find(account.id)
  const isRight = await hasher.verify(password, hash)
  // Hashing takes its time: a password that was changed meanwhile no longer opens anything.
  if (account === null || !isRight || (await passwords.find(account.id)) !== hash) {
    throttle.noteFailure(source)
    throw new SignInRefused(0)
  }
  return openSession(services, account, attempt)
}

/** The caller has made sure that it is the author who asks. */
export async function openSession(
  {
    sessions,
    tokens,
    now,
  }: Pick<SigningIn, "tokens" | "now"> & Readonly<{ sessions: Pick<SessionStore, "insert"> }>,
  account: Account,
  { network, device }: Pick<SignInTry, "network" | "device">,
): Promise<SignedIn> {
  const token = tokens.create()
  const at = formatTimestamp(now())
  const session = {
    id: `session_${tokens.create().slice(0, 16)}`,
    accountId: account.id,
    createdAt: at,
    lastSeenAt: at,
    confirmedAt: at,
    network,
    device: device.slice(0, deviceUnitsMax),
  }
  await sessions.insert(tokens.digest(token), session)
  return { account, session, token }
}

const deviceUnitsMax = 200

/** An address that two accounts share names neither of them. */
async function findByName(
  { accounts }: Pick<SigningIn, "accounts">,
  name: string,
): Promise<Account | null> {
  const byUsername = await accounts.findByUsername(name)
  if (byUsername !== null || !name.includes("@")) return byUsername
  const byEmail = await accounts.listByEmail(name, 2)
  return byEmail.length === 1 ? (byEmail[0] ?? null) : null
}
