import type { StoredKey } from "../domain/api-key.ts"
import type { IssuedKey } from "../operations/issue-key.ts"

/** The output of `--json` for a new key. */
export function renderIssuedKey({ key, secret }: IssuedKey): string {
  const { id, kind, name, itemIds, expiresAt } = key
  return JSON.stringify({ id, key: secret, kind, name, items: itemIds, expires_at: expiresAt })
}

/** The output of `--json` for an existing key: all but the secret. */
export function keyObject({ id, kind, name, itemIds, createdAt, expiresAt, revokedAt }: StoredKey) {
  const times = { created_at: createdAt, expires_at: expiresAt, revoked_at: revokedAt }
  return { id, kind, name, items: itemIds, ...times }
}
