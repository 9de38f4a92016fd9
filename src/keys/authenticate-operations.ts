import { DomainError } from "../platform/error.ts"
import { formatTimestamp } from "../platform/time.ts"
import {
  type ApiKey,
  type FoundKey,
  KeyRejected,
  mayDownloadAfterEnd,
  type Operation,
} from "./key.ts"
import type { Caller, RateLimits } from "./request-limits.ts"

export type Authentication = Readonly<{
  /** Null for a key that is not cached, or whose cached state is too old. */
  findCachedKey(secret: string): FoundKey | null
  /** Reads the store. Null for an unknown key. */
  lookUpKey(secret: string): Promise<FoundKey | null>
  /** As it was at its last look-up. */
  findStaleKey(secret: string): FoundKey | null
  limits: Pick<RateLimits, "admitLookup" | "countInvalid">
  now: () => Date
}>

/** `secret` is trimmed; null if the request had none. Throws RateLimited after too many invalid keys. */
export async function authenticate(
  authentication: Authentication,
  secret: string | null,
  caller: Caller,
  operation: Operation | null = null,
): Promise<ApiKey> {
  if (secret === null) throw new DomainError("missing_key")
  const { findCachedKey, limits, now } = authentication
  const key = findCachedKey(secret)
  if (key === null) return lookUp(authentication, secret, caller, operation)
  const rejection = findRejection(key, now, operation)
  if (rejection === null) return key
  limits.countInvalid(caller)
  throw rejection
}

async function lookUp(
  { lookUpKey, findStaleKey, limits, now }: Authentication,
  secret: string,
  caller: Caller,
  operation: Operation | null,
): Promise<ApiKey> {
  // A key that was valid is always looked up: neighbors with wrong keys must not lock it out.
  const earlier = findStaleKey(secret)
  if (earlier === null || findRejection(earlier, now, operation) !== null)
    limits.admitLookup(caller)
  const key = await lookUpKey(secret)
  const rejection =
    key === null ? new DomainError("unknown_key") : findRejection(key, now, operation)
  if (key === null || rejection !== null) {
    limits.countInvalid(caller)
    throw rejection
  }
  return key
}

function findRejection(
  key: FoundKey,
  now: () => Date,
  operation: Operation | null,
): KeyRejected | null {
  if (!mayDownloadAfterEnd(key, operation)) {
    if (key.revokedAt !== null) return new KeyRejected("revoked_key", key)
    if (key.expiresAt !== null && key.expiresAt <= formatTimestamp(now())) {
      return new KeyRejected("expired_key", key)
    }
  }
  return key.isSuspended ? new KeyRejected("account_suspended", key) : null
}
