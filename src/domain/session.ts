/** Sign-in: passwords, sessions and the invitations by which a first password is chosen. */
import type { Timestamp } from "./timestamp.ts"

/** A browser that is signed in. Its token is only with the browser; here is a digest of it. */
export type Session = Readonly<{
  id: string
  accountId: number
  createdAt: Timestamp
  lastSeenAt: Timestamp
  /** When the password was last given, which making, showing and ending a key ask for. */
  confirmedAt: Timestamp
  /** Where from and with what, for the author to recognise it by. */
  network: string
  device: string
}>

/** One table and its shadow; eight methods, because a session is little else than what is done to it. */
export interface SessionStore {
  /**
   * False, and nothing is kept, unless `passwordHash` is the account's at this very moment: hashing
   * takes its time, and a password that was changed meanwhile opens nothing. Also remembers, for good,
   * that the account has signed in from this network.
   */
  insert(tokenDigest: Uint8Array, session: Session, passwordHash: string): Promise<boolean>
  /** Null for an unknown token and for an ended session. The caller checks the age. */
  findByToken(tokenDigest: Uint8Array): Promise<Session | null>
  /** Whether the account has ever signed in from there, sessions long ended included. */
  isKnownNetwork(accountId: number, network: string): Promise<boolean>
  /** Newest use first. */
  list(accountId: number): Promise<readonly Session[]>
  touch(id: string, lastSeenAt: Timestamp): Promise<void>
  confirm(id: string, confirmedAt: Timestamp): Promise<void>
  /** Ends one, or all of the account's; of another account's nothing happens. */
  end(accountId: number, id: string | "all"): Promise<void>
  /** Removes sessions last seen, or begun, before these moments, at most `rowsMax`; says how many. */
  forget(lastSeenBefore: Timestamp, createdBefore: Timestamp, rowsMax: number): Promise<number>
}

export interface PasswordStore {
  /** The stored hash; null when the account has no password yet. */
  find(accountId: number): Promise<string | null>
  /** Keeps the hash and ends every session and invitation of the account, all or nothing. */
  put(accountId: number, hash: string): Promise<void>
  /** The same, unless the hash is another than `known` by now: then false, and nothing changes. */
  replace(accountId: number, known: string, hash: string): Promise<boolean>
}

export interface InvitationStore {
  insert(tokenDigest: Uint8Array, accountId: number, expiresAt: Timestamp): Promise<void>
  /** The account it invites; null when it is unknown, used up or expired at `at`. */
  find(tokenDigest: Uint8Array, at: Timestamp): Promise<number | null>
  /** Puts the password of the account it invites, which uses it up; null, and nothing put, as for `find`. */
  accept(tokenDigest: Uint8Array, at: Timestamp, hash: string): Promise<number | null>
  /** Removes invitations that have expired at `at`, at most `rowsMax`, and says how many. */
  forget(at: Timestamp, rowsMax: number): Promise<number>
}

/** Hashing is slow on purpose; both wait their turn, so that sign-ins cannot take the machine. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** With a null hash takes as long as with a wrong password, and is false. */
  verify(password: string, hash: string | null): Promise<boolean>
}

/** Hashes on their way to another store. */
export interface PasswordVault {
  /** The same hash of the same account gives the same bytes: so does an export of it. */
  seal(hash: string, username: string): Uint8Array
  /** Throws SealBroken when it was sealed for another account or under another master key. */
  unseal(sealed: Uint8Array, username: string): string
}

export interface TokenMaker {
  create(): string
  digest(token: string): Uint8Array
}

export const passwordCharactersMin = 10
/** Longer ones would only make hashing dearer. */
export const passwordCharactersMax = 256

export const sessionIdleSeconds = 12 * 3600
export const sessionLifeSeconds = 30 * 86_400
export const confirmationSeconds = 5 * 60
/** How long the pages of a session show a key that it made or revealed. */
export const secretShownSeconds = 5 * 60
export const invitationSeconds = 7 * 86_400

export class SignInRefused extends Error {
  override name = "SignInRefused"
  readonly secondsToWait: number

  /** Zero seconds: name or password were wrong, and which of them is not said. */
  constructor(secondsToWait: number) {
    super(secondsToWait > 0 ? "too many tries" : "wrong name or password")
    this.secondsToWait = secondsToWait
  }
}
