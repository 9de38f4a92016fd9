/** Operators, who use the console, and the tokens of their programs. */

import { UserError } from "../platform/error.ts"
import { trimWhitespace } from "../platform/text.ts"
import type { Timestamp } from "../platform/time.ts"
import { lowerAscii } from "../purchases/purchase-code.ts"
import type { Person } from "./person.ts"

/** A person who may use the console. */
export type Operator = Person & Readonly<{ role: OperatorRole }>

export type ListedOperator = Operator &
  Readonly<{
    hasPassword: boolean
    hasTwoFactor: boolean
    passkeys: number
    createdAt: Timestamp
    lastSeenAt: Timestamp | null
    /** Whether the operator has left alerts turned on. */
    hasAlerts: boolean
  }>

export interface OperatorStore {
  /** Without an operator the console does not exist. */
  hasAny(): Promise<boolean>
  find(personId: number): Promise<Operator | null>
  /** ASCII case-insensitive. */
  findByName(name: string): Promise<Operator | null>
  list(): Promise<readonly ListedOperator[]>
  /** Does nothing for an operator. */
  insert(personId: number, role: OperatorRole): Promise<void>
  putAlerts(personId: number, hasAlerts: boolean): Promise<void>
  /** Returns false and changes nothing if no admin would remain. */
  putRole(personId: number, role: OperatorRole): Promise<boolean>
  /**
   * The person is deleted too, unless they belong to a team. Returns false and deletes nothing if no admin would
   * remain.
   */
  remove(personId: number): Promise<boolean>
}

/** Alerts contain paths and URLs of others. */
export const mayGetAlerts = ({ role }: Pick<Operator, "role">) => role !== "viewer"

/** Each right is named after the last segment of its path. */
export const tokenRights = ["feed", "links", "purchases"] as const
export type TokenRight = (typeof tokenRights)[number]

export type OperatorToken = Readonly<{
  name: string
  rights: readonly TokenRight[]
  digest: Uint8Array
  createdAt: Timestamp
  /** The previous token, valid until `expiresAt`. */
  old: Readonly<{ digest: Uint8Array; expiresAt: Timestamp }> | null
}>

export interface OperatorTokenStore {
  list(): Promise<readonly OperatorToken[]>
  /** Returns false and inserts nothing if the name exists, ASCII case-insensitive. */
  insert(token: OperatorToken): Promise<boolean>
  /** The previous token is valid until `oldExpiresAt`, older ones end. Null for an unknown name (ASCII case ignored). */
  rotate(
    name: string,
    digest: Uint8Array,
    createdAt: Timestamp,
    oldExpiresAt: Timestamp,
  ): Promise<OperatorToken | null>
  /** Returns the name as stored; null if it is unknown, ASCII case-insensitive. */
  remove(name: string): Promise<string | null>
}

export type TokenHolder = Pick<OperatorToken, "name" | "rights">

/** `no tokens` if none exist: the operator paths then do not exist. Throws StoreUnavailable. */
export type FindTokenHolder = (token: string | null) => Promise<TokenHolder | "no tokens" | null>

/** The token in the settings, by the name of its variable. It has all rights. */
export const operatorTokenVariable = "PAZAR_OPERATOR_TOKEN"

const tokenNameForm = /^[\p{L}\p{N}._@-]{1,64}$/u

/** Throws UserError. No whitespace: the name is typed on a command line. */
export function parseTokenName(raw: string): string {
  const name = trimWhitespace(raw).normalize("NFC")
  if (!tokenNameForm.test(name))
    throw new UserError(
      "the name of a token must have 1 to 64 letters, digits, dots, dashes, _ or @",
    )
  if (lowerAscii(name) !== lowerAscii(operatorTokenVariable)) return name
  throw new UserError(
    `${operatorTokenVariable} is reserved for the token in the settings; choose another name`,
  )
}

export const operatorRoles = ["admin", "support", "viewer"] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** Throws UserError. */
export function parseOperatorRole(text: string): OperatorRole {
  const role = operatorRoles.find((each) => each === text)
  if (role !== undefined) return role
  throw new UserError(`unknown role ${text}; use ${operatorRoles.join(", ")}`)
}
