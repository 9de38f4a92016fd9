/** The tokens by which programs of the marketplace use the operator's paths. */

import { lowerAscii } from "../catalogue/purchase-code.ts"
import { RefusedError } from "../values/error.ts"
import type { Timestamp } from "../values/time/timestamp.ts"
import { parseOperatorName } from "./operator.ts"

/** The rights of a token, named after the last part of the path. */
export const tokenRights = ["feed", "links"] as const
export type TokenRight = (typeof tokenRights)[number]

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
  replace(
    name: string,
    digest: Uint8Array,
    createdAt: Timestamp,
    oldExpiresAt: Timestamp,
  ): Promise<OperatorToken | null>
  /** Returns its name as it was given; null when there is none of this name, in any case of its ASCII letters. */
  remove(name: string): Promise<string | null>
}

/** The token that a request brought. */
export type TokenHolder = Pick<OperatorToken, "name" | "rights">

/**
 * Null for a wrong token, or none; `no tokens` where there is none at all, so that the paths do not exist. Throws
 * StoreUnavailable when that is not known.
 */
export type FindHolder = (given: string | null) => Promise<TokenHolder | "no tokens" | null>

/** The token in the configuration, by the name of its variable. It may do everything. */
export const variableName = "PAZAR_OPERATOR_TOKEN"

/** Throws RefusedError. */
export function parseTokenName(raw: string): string {
  const name = parseOperatorName(raw, "a token's name")
  if (lowerAscii(name) !== lowerAscii(variableName)) return name
  throw new RefusedError(`${variableName} is the name of the token in the configuration`)
}
