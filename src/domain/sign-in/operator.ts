/** Operators: the people of the marketplace who sign in to the console. */
import { lowerAscii } from "../catalog/purchase-code.ts"
import { UserError } from "../values/error.ts"
import { trimWhitespace } from "../values/text.ts"
import type { Timestamp } from "../values/time/timestamp.ts"

export type Operator = Readonly<{ id: number; name: string; createdAt: Timestamp }>

export type ListedOperator = Operator &
  Readonly<{
    hasPassword: boolean
    hasTwoFactor: boolean
    /** Null while no browser is signed in. */
    lastSeenAt: Timestamp | null
  }>

export interface OperatorStore {
  /** Whether there is an operator. Without one the console does not exist. */
  hasAny(): Promise<boolean>
  find(id: number): Promise<Operator | null>
  /** Whatever the case of its ASCII letters; null when there is none. */
  findByName(name: string): Promise<Operator | null>
  /** In the order of their names. */
  list(): Promise<readonly ListedOperator[]>
  /** The id; null, and nothing is kept, when the name is taken in any case of its ASCII letters. */
  insert(name: string, createdAt: Timestamp): Promise<number | null>
  /** With passwords, sessions, links and the second factor, all or nothing. */
  remove(id: number): Promise<void>
}

const nameForm = /^[\p{L}\p{N}._@-]{1,64}$/u

/** Throws RefusedError. No blanks: the name is typed at a command line and into a form. */
export function parseOperatorName(raw: string, whose = "an operator's name"): string {
  const name = trimWhitespace(raw).normalize("NFC")
  if (nameForm.test(name)) return name
  throw new UserError(`${whose} has 1 to 64 letters, digits, dots, dashes, _ or @`)
}

/** The rights of a token, named after the last part of the path. */
export const tokenRights = ["feed", "links"] as const
export type TokenRight = (typeof tokenRights)[number]

/** By it a program of the marketplace uses the operator's paths. */
export type OperatorToken = Readonly<{
  name: string
  rights: readonly TokenRight[]
  /** The token itself is not kept. */
  digest: Uint8Array
  createdAt: Timestamp
  /** The one that it replaced, which works until its moment. */
  old: Readonly<{ digest: Uint8Array; expiresAt: Timestamp }> | null
}>

export interface OperatorTokenStore {
  /** In the order of their names. */
  list(): Promise<readonly OperatorToken[]>
  /** False, and nothing is kept, when the name is taken in any case of its ASCII letters. */
  insert(token: OperatorToken): Promise<boolean>
  /**
   * Gives it another digest; the one before works until `oldExpiresAt`, and one from before that no more.
   * Returns the token as it is then; null when there is none of this name, in any case of its ASCII letters.
   */
  rotate(
    name: string,
    digest: Uint8Array,
    createdAt: Timestamp,
    oldExpiresAt: Timestamp,
  ): Promise<OperatorToken | null>
  /** Returns its name as it was given; null when there is none of this name, in any case of its ASCII letters. */
  remove(name: string): Promise<string | null>
}

export type TokenHolder = Pick<OperatorToken, "name" | "rights">

/**
 * Null for a wrong token, or none; `no tokens` where there is none at all, so that the paths do not exist. Throws
 * StoreUnavailable when that is not known.
 */
export type FindTokenHolder = (given: string | null) => Promise<TokenHolder | "no tokens" | null>

/** The token in the configuration, by the name of its variable. It may do everything. */
export const operatorTokenVariable = "PAZAR_OPERATOR_TOKEN"

/** Throws RefusedError. */
export function parseTokenName(raw: string): string {
  const name = parseOperatorName(raw, "a token's name")
  if (lowerAscii(name) !== lowerAscii(operatorTokenVariable)) return name
  throw new UserError(`${operatorTokenVariable} is the name of the token in the configuration`)
}
