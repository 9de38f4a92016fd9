import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import {
  type FindTokenHolder,
  type OperatorToken,
  type OperatorTokenStore,
  operatorTokenVariable,
  type TokenHolder,
  tokenRights,
} from "../people/operator.ts"
import type { TokenMaker } from "../people/session.ts"
import { formatTimestamp } from "../platform/time.ts"

/** SHA-256 is sufficient: 256 random bits cannot be guessed. */
export const tokens: TokenMaker = {
  create: () => randomBytes(32).toString("base64url"),
  digest: (token) => createHash("sha256").update(token).digest(),
}

const ageMsMax = 100

type Sources = Readonly<{
  operatorTokens: Pick<OperatorTokenStore, "list">
  operatorToken: string | null
  now(): Date
  nowMs(): number
}>

/**
 * Finds operator tokens in the environment and the database. The database is read at most every 100 ms for any number
 * of attempts, so a change takes effect within this time.
 */
export function createTokenHolders(sources: Sources): FindTokenHolder {
  const { operatorTokens, operatorToken, now, nowMs } = sources
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
