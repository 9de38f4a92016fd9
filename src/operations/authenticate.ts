import type { ApiKey } from "../domain/api-key.ts"
import { DomainError } from "../domain/error.ts"
import { formatTimestamp } from "../domain/timestamp.ts"

export type Authentication = Readonly<{
  /** Null when nobody has this key. */
  findKey(secret: string): ApiKey | null | Promise<ApiKey | null>
  now: () => Date
}>

/** `secret` is trimmed; null when the request brought none. */
export async function authenticate(
  { findKey, now }: Authentication,
  secret: string | null,
): Promise<ApiKey> {
  if (secret === null) throw new DomainError("missing_key")
  const key = await findKey(secret)
  if (key === null) throw new DomainError("unknown_key")
  if (key.revokedAt !== null) throw new DomainError("revoked_key")
  if (key.expiresAt !== null && key.expiresAt <= formatTimestamp(now())) {
    throw new DomainError("expired_key")
  }
  return key
}
