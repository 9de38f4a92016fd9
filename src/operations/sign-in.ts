import type { Account, AccountStore } from "../domain/account.ts"
import type {
  PasswordHasher,
  PasswordStore,
  Session,
  SessionStore,
  TokenMaker,
} from "../domain/session.ts"
import type { SignInThrottle } from "../domain/sign-in-failures.ts"
import { formatTimestamp } from "../domain/timestamp.ts"

export type SigningIn = Readonly<{
  accounts: Pick<AccountStore, "findByUsername" | "listByEmail">
  passwords: Pick<PasswordStore, "find">
  sessions: Pick<SessionStore, "insert" | "isKnownNetwork" | "end">
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
  const named = await findByName(services, name)
  const isKnown = named !== null && (await sessions.isKnownNetwork(named.id, network))
  const source = { name: named?.username ?? name, network, isKnown }
  return throttle.attempt(source, async () => {
    const hash = named === null ? null : await passwords.find(named.id)
    const isRight = await hasher.verify(password, hash)
    if (named === null || !isRight) return null
    const signedIn = await openSession(services, named, attempt)
    // All this takes its time, and a password that was changed meanwhile opens nothing. Asked last:
    // whoever changes it from here on ends this session with all the others.
    if ((await passwords.find(named.id)) === hash) return signedIn
    await sessions.end(named.id, signedIn.session.id)
    return null
  })
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
