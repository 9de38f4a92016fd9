import { type ApiKey, type ApiKeyStore, couldBeKey, type KeyVault } from "../domain/api-key.ts"
import { DomainError } from "../domain/error.ts"
import { formatTimestamp } from "../domain/timestamp.ts"

export type Authentication = Readonly<{
  keys: Pick<ApiKeyStore, "findByLookup">
  vault: Pick<KeyVault, "lookup">
  now: () => Date
}>

/** `secret` is trimmed; null when the request brought none. */
export async function authenticate(
  { keys, vault, now }: Authentication,
  secret: string | null,
): Promise<ApiKey> {
  if (secret === null) throw new DomainError("missing_key")
  if (!couldBeKey(secret)) throw new DomainError("unknown_key")
  const key = await keys.findByLookup(vault.lookup(secret))
  if (key === null) throw new DomainError("unknown_key")
  if (key.revokedAt !== null) throw new DomainError("revoked_key")
  if (key.expiresAt !== null && key.expiresAt <= formatTimestamp(now())) {
    throw new DomainError("expired_key")
  }
  return key
}
