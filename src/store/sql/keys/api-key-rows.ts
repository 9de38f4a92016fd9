/** Rows of the table `api_keys`, which both adapters read and write alike. */
import type { ApiKey, FoundKey, StoredKey } from "../../../domain/keys/api-key.ts"
import type { Value } from "../database.ts"

/** The row is the key, but for the chosen items, which are stored as JSON. */
export type KeyRow<Key> = Omit<Key, "itemIds"> & { itemIds: string | null }

export const keyColumns = `k.id, k.account_id AS "accountId", k.kind, k.item_ids AS "itemIds",
  k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt"`

export const selectFoundKeys = `SELECT ${keyColumns}, k.lookup,
    a.suspended AS "isAccountSuspended"
  FROM api_keys k JOIN accounts a ON a.id = k.account_id`

/** A batch looks up several keys; `lookup` matches a row to its request. */
export type FoundKeyRow = KeyRow<FoundKey> & { lookup: Uint8Array }

export const toFoundKey = ({ lookup: _, ...row }: FoundKeyRow) => toKey<FoundKey>(row)

export const selectStoredKeys = `SELECT ${keyColumns}, a.username, k.name, k.lookup, k.sealed,
    k.created_at AS "createdAt", k.replaced_at AS "replacedAt", k.replaced_by AS "replacedBy"
  FROM api_keys k JOIN accounts a ON a.id = k.account_id`

/** A key as a feed brings it: it names its account, and does not know the account's id here. */
export const selectImportedKeys = `SELECT k.id, a.username, k.kind, k.name, k.item_ids AS "itemIds",
    k.lookup, k.sealed, k.created_at AS "createdAt", k.expires_at AS "expiresAt",
    k.revoked_at AS "revokedAt", k.replaced_at AS "replacedAt"
  FROM api_keys k JOIN accounts a ON a.id = k.account_id`

/** Takes the values of `valuesOfKey`. */
export const insertKey = `INSERT INTO api_keys
  (id, account_id, kind, name, item_ids, lookup, sealed,
    created_at, expires_at, revoked_at, replaced_at, replaced_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`

export function valuesOfKey(key: Omit<StoredKey, "username">): readonly Value[] {
  const { id, accountId, kind, name, lookup, sealed, ...ends } = key
  const { createdAt, expiresAt, revokedAt, replacedAt, replacedBy } = ends
  const row = [id, accountId, kind, name, toStoredItemIds(key), lookup, sealed]
  return [...row, createdAt, expiresAt, revokedAt, replacedAt, replacedBy]
}

export const toStoredItemIds = ({ itemIds }: Pick<ApiKey, "itemIds">) =>
  itemIds === null ? null : JSON.stringify(itemIds)

export function toKey<Key extends Pick<ApiKey, "itemIds">>(row: KeyRow<Key>): Key {
  const itemIds: number[] | null = row.itemIds === null ? null : JSON.parse(row.itemIds)
  // Only this column differs from the key.
  return { ...row, itemIds } as Key
}
