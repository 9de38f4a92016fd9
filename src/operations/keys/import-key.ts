import type { ImportedKey } from "../../domain/feed/feed.ts"
import type { KeyVault } from "../../domain/keys/api-key.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"

/** A key the operator's clients already use, made ready for the store. It may do what an `sk` may. */
export function importKey(
  vault: KeyVault,
  now: () => Date,
  username: string,
  secret: string,
): ImportedKey {
  const id = vault.createKeyId()
  const kind = "imported"
  return {
    id,
    username,
    kind,
    name: "Imported key",
    itemIds: null,
    lookup: vault.lookup(secret),
    sealed: vault.seal(secret, { id, username, kind }),
    createdAt: formatTimestamp(now()),
    expiresAt: null,
    revokedAt: null,
    replacedAt: null,
  }
}
