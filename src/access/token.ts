import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { UserError } from "../platform/error.ts"
import { lowerAscii, trimWhitespace } from "../platform/text.ts"
import { formatTimestamp, type Timestamp } from "../platform/time.ts"

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

type TokenHolder = Pick<OperatorToken, "name" | "rights">

/** `no tokens` if none exist: the operator paths then do not exist. Throws StoreUnavailable. */
export type FindTokenHolder = (token: string | null) => Promise<TokenHolder | "no tokens" | null>

/** The token in the settings, by the name of its variable. It has all rights. */
const operatorTokenVariable = "PAZAR_OPERATOR_TOKEN"

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

/** Random tokens for cookies and links. The store has only their digests. */
export interface TokenMaker {
  create(): string
  digest(token: string): Uint8Array
}

/** SHA-256 is sufficient: 256 random bits cannot be guessed. */
export const tokens: TokenMaker = {
  create: () => randomBytes(32).toString("base64url"),
  digest: (token) => createHash("sha256").update(token).digest(),
}

const ageMsMax = 100

/**
 * Finds operator tokens in the environment and the database. The database is read at most every 100 ms for any number
 * of attempts, so a change takes effect within this time.
 */
export function createTokenHolders({
  operatorTokens,
  operatorToken,
  now,
  nowMs,
}: Readonly<{
  operatorTokens: Pick<OperatorTokenStore, "list">
  operatorToken: string | null
  now(): Date
  nowMs(): number
}>): FindTokenHolder {
  const environmentDigest = operatorToken === null ? null : tokens.digest(operatorToken)
  let reading: Promise<readonly OperatorToken[]> = Promise.resolve([])
  let readAtMs = Number.NEGATIVE_INFINITY

  return async (token) => {
    const digest = tokens.digest(token ?? "")
    const isSame = (stored: Uint8Array) => token !== null && timingSafeEqual(stored, digest)
    // Compared first, so that it works while the database is unavailable.
    if (environmentDigest !== null && isSame(environmentDigest))
      return { name: operatorTokenVariable, rights: tokenRights }
    if (nowMs() - readAtMs >= ageMsMax) {
      readAtMs = nowMs()
      reading = operatorTokens.list()
    }
    const stored = await reading
    if (environmentDigest === null && stored.length === 0) return "no tokens"
    const at = formatTimestamp(now())
    let holder: TokenHolder | null = null
    // All digests are compared, so that the duration reveals nothing.
    for (const each of stored) {
      const isOld = each.old !== null && isSame(each.old.digest) && each.old.expiresAt > at
      if (isSame(each.digest) || isOld) holder = each
    }
    return holder
  }
}
