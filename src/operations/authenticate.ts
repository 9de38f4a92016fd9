import type { ApiKey, FoundKey } from "../domain/api-key.ts"
import type { Awaitable } from "../domain/awaitable.ts"
import { DomainError, KeyRefused } from "../domain/error.ts"
import { formatTimestamp } from "../domain/timestamp.ts"

export type Authentication = Readonly<{
  /** Null for an unknown key. */
  findKey(secret: string): Awaitable<FoundKey | null>
  now: () => Date
}>

/** `secret` is trimmed; null when the request brought none. */
export function authenticate(
  { findKey, now }: Authentication,
  secret: string | null,
): Awaitable<ApiKey> {
  if (secret === null) throw new DomainError("missing_key")
  const found = findKey(secret)
  return found instanceof Promise ? found.then((key) => judge(key, now)) : judge(found, now)
}

function judge(key: FoundKey | null, now: () => Date): ApiKey {
  if (key === null) throw new DomainError("unknown_key")
  if (key.revokedAt !== null) throw new KeyRefused("revoked_key", key.id)
  if (key.expiresAt !== null && key.expiresAt <= formatTimestamp(now())) {
    throw new KeyRefused("expired_key", key.id)
  }
  if (key.isAccountSuspended) throw new KeyRefused("account_suspended", key.id)
  return key
}
