import type { SnapshotKey } from "../../domain/feed/feed.ts"
import type { Timestamp } from "../../domain/values/time/timestamp.ts"
import type { IssuedKey } from "../../operations/keys/issue-key.ts"

/** The output of `--json` for a new key. */
export function renderIssuedKey({ key, secret }: IssuedKey): string {
  const { id, kind, name, itemIds, expiresAt } = key
  return JSON.stringify({ id, key: secret, kind, name, items: itemIds, expires_at: expiresAt })
}

/** A key as commands show it: neither its secret nor what the secret is found by. */
export type ListedKey = Omit<SnapshotKey, "sealed"> & Readonly<{ lastUsedAt: Timestamp | null }>

/** The output of `--json` for an existing key. */
export function keyObject({ id, username, kind, name, itemIds, ...times }: ListedKey) {
  const { createdAt, expiresAt, revokedAt, lastUsedAt } = times
  return {
    ...{ id, username, kind, name, items: itemIds },
    ...{ created_at: createdAt, expires_at: expiresAt, revoked_at: revokedAt },
    last_used_at: lastUsedAt,
  }
}

export const showItems = ({ itemIds }: Pick<ListedKey, "itemIds">) =>
  itemIds === null ? "all" : itemIds.join(",")
