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

/** Where somebody signs in from, and with what. */
export type Visit = Pick<SignInTry, "network" | "device">

export type SessionOpening = Pick<SigningIn, "tokens" | "now"> &
  Readonly<{ sessions: Pick<SessionStore, "insert"> }>

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
  const accountId = named?.id ?? noAccountId
  const isKnown = await sessions.isKnownNetwork(accountId, network)
  return throttle.attempt({ name, network, isKnown }, async () => {
    const hash = await passwords.find(accountId)
    const isRight = await hasher.verify(password, hash)
    return named === null || hash === null || !isRight
      ? null
      : openSession(services, named, hash, attempt)
  })
}

/**
 * The caller has made sure that it is the author who asks, by the password of this hash. Null when it
 * was changed meanwhile.
 */
export async function openSession(
  { sessions, tokens, now }: SessionOpening,
  account: Account,
  passwordHash: string,
  { network, device }: Visit,
): Promise<SignedIn | null> {
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
  const isKept = await sessions.insert(tokens.digest(token), session, passwordHash)
  return isKept ? { account, session, token } : null
}

const deviceUnitsMax = 200

/** Asked for in place of an unknown name's account, so that both take the same look-ups. */
const noAccountId = 0

/** An address that two accounts share names neither of them. */
async function findByName(
  { accounts }: Pick<SigningIn, "accounts">,
  name: string,
): Promise<Account | null> {
  const byUsername = await accounts.findByUsername(name)
  const byEmail = name.includes("@") ? await accounts.listByEmail(name, 2) : []
  const [only = null, another] = byEmail
  return byUsername ?? (another === undefined ? only : null)
}
