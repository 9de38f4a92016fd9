import { type ApiKey, type FoundKey, KeyRefused } from "../../domain/keys/api-key.ts"
import type { BadKeyLimit, Caller } from "../../domain/running/rate-limits.ts"
import { DomainError } from "../../domain/values/error.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"

export type Authentication = Readonly<{
  /** Null for a key that is not cached, or not current. */
  findCachedKey(secret: string): FoundKey | null
  /** Asks the store. Null for an unknown key. */
  lookUpKey(secret: string): Promise<FoundKey | null>
  badKeys: BadKeyLimit
  now: () => Date
}>

/** `secret` is trimmed; null when the request brought none. Throws RateLimited after too many bad keys. */
export async function authenticate(
  authentication: Authentication,
  secret: string | null,
  caller: Caller,
): Promise<ApiKey> {
  if (secret === null) throw new DomainError("missing_key")
  const { findCachedKey, badKeys, now } = authentication
  const key = findCachedKey(secret)
  if (key === null) return lookUp(authentication, secret, caller)
  const refusal = findRefusal(key, now)
  if (refusal === null) return key
  badKeys.countRefused(caller)
  throw refusal
}

async function lookUp(
  { lookUpKey, badKeys, now }: Authentication,
  secret: string,
  caller: Caller,
): Promise<ApiKey> {
  const wasGood = badKeys.admitLookup(secret, caller)
  const key = await lookUpKey(secret)
  const refusal = key === null ? new DomainError("unknown_key") : findRefusal(key, now)
  if (key === null || refusal !== null) {
    badKeys.countRefused(caller)
    throw refusal
  }
  if (!wasGood) badKeys.accept(secret)
  return key
}

function findRefusal(key: FoundKey, now: () => Date): KeyRefused | null {
  if (key.revokedAt !== null) return new KeyRefused("revoked_key", key)
  if (key.expiresAt !== null && key.expiresAt <= formatTimestamp(now())) {
    return new KeyRefused("expired_key", key)
  }
  return key.isAccountSuspended ? new KeyRefused("account_suspended", key) : null
}
