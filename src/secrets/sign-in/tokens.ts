import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import {
  type FindTokenHolder,
  type OperatorToken,
  type OperatorTokenStore,
  operatorTokenVariable,
  type TokenHolder,
  tokenRights,
} from "../../domain/sign-in/operator.ts"
import type { TokenMaker } from "../../domain/sign-in/session.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"

/** 256 random bits need no slow hash: there is nothing to guess. */
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
 * The operator tokens that work: that of the configuration, and those of the store. The store is read at most ten
 * times a second, however many tokens are tried, and a change takes effect within that time.
 */
export function createTokenHolders(sources: Sources): FindTokenHolder {
  const { operatorTokens, operatorToken, now, nowMs } = sources
  const variable = operatorToken === null ? null : tokens.digest(operatorToken)
  let reading: Promise<readonly OperatorToken[]> = Promise.resolve([])
  let readAtMs = Number.NEGATIVE_INFINITY

  function readStored(): Promise<readonly OperatorToken[]> {
    if (nowMs() - readAtMs >= ageMsMax) {
      readAtMs = nowMs()
      reading = operatorTokens.list()
    }
    return reading
  }
  return async (given) => {
    const digest = tokens.digest(given ?? "")
    const isSame = (known: Uint8Array) => given !== null && timingSafeEqual(known, digest)
    // Needs no store, so it also works while there is none.
    if (variable !== null && isSame(variable))
      return { name: operatorTokenVariable, rights: tokenRights }
    const stored = await readStored()
    if (variable === null && stored.length === 0) return "no tokens"
    const at = formatTimestamp(now())
    let holder: TokenHolder | null = null
    // All are compared, with digests of one length: the time does not tell which one was near.
    for (const token of stored) {
      const isOld = token.old !== null && isSame(token.old.digest) && token.old.expiresAt > at
      if (isSame(token.digest) || isOld) holder = token
    }
    return holder
  }
}
