import type { Database } from "bun:sqlite"
import type { ApiKey, ApiKeyStore, StoredKey } from "../../domain/api-key.ts"
import { read, write } from "./database.ts"

export type Row<Key> = Omit<Key, "itemIds"> & { itemIds: string | null }

export function sqliteApiKeys(db: Database): ApiKeyStore {
  const columns = `k.id, k.account_id AS "accountId", k.kind, k.item_ids AS "itemIds",
    k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt"`
  const storedColumns = `${columns}, a.username, k.name, k.lookup, k.sealed, k.created_at AS "createdAt",
    k.replaced_at AS "replacedAt"`
  const stored = `SELECT ${storedColumns} FROM api_keys k JOIN accounts a ON a.id = k.account_id`
  const findByLookup = db.query<Row<ApiKey>, [Uint8Array]>(
    `SELECT ${columns} FROM api_keys k WHERE k.lookup = ?`,
  )
  const find = db.query<Row<StoredKey>, [string]>(`${stored} WHERE k.id = ?`)
  const list = db.query<Row<StoredKey>, [number]>(
    `${stored} WHERE k.account_id = ? ORDER BY k.created_at, k.rowid`,
  )
  const insert = prepareKeyInsert(db)
  const rename = db.query("UPDATE api_keys SET name = $name WHERE id = $id")
  const revoke = db.query(
    "UPDATE api_keys SET revoked_at = coalesce(revoked_at, $at) WHERE id = $id",
  )
  const end = db.query(
    `UPDATE api_keys SET expires_at = $endsAt, replaced_at = $replacedAt
     WHERE id = $id AND replaced_at IS NULL`,
  )
  return {
    findByLookup: (lookup) =>
      read(() => {
        const row = findByLookup.get(lookup)
        return row && withItemIds<ApiKey>(row)
      }),
    find: (id) =>
      read(() => {
        const row = find.get(id)
        return row && withItemIds<StoredKey>(row)
      }),
    list: (accountId) => read(() => list.all(accountId).map((row) => withItemIds<StoredKey>(row))),
    insert: (key) => write(db, () => insert(key)),
    async rename(id, name) {
      await write(db, () => rename.run({ id, name }))
    },
    async revoke(id, at) {
      await write(db, () => revoke.run({ id, at }))
    },
    replace: (oldId, endsAt, replacement) =>
      write(db, () => {
        const replacedAt = replacement.createdAt
        if (end.run({ id: oldId, endsAt, replacedAt }).changes === 0) return false
        insert(replacement)
        return true
      }),
  }
}

/** Shared with the feed, which brings keys along inside its own transaction. */
export function prepareKeyInsert(db: Database): (key: Omit<StoredKey, "username">) => void {
  const insert = db.query(
    `INSERT INTO api_keys (id, account_id, kind, name, item_ids, lookup, sealed, created_at, expires_at, revoked_at, replaced_at)
     VALUES ($id, $accountId, $kind, $name, $itemIds, $lookup, $sealed, $createdAt, $expiresAt, $revokedAt, $replacedAt)`,
  )
  return ({ id, accountId, kind, name, itemIds, lookup, sealed, ...moments }) => {
    const { createdAt, expiresAt, revokedAt, replacedAt } = moments
    const choice = itemIds === null ? null : JSON.stringify(itemIds)
    const row = { id, accountId, kind, name, itemIds: choice, lookup, sealed }
    insert.run({ ...row, createdAt, expiresAt, revokedAt, replacedAt })
  }
}

/** The row is the key but for this one column. */
export function withItemIds<Key extends Pick<ApiKey, "itemIds">>(row: Row<Key>): Key {
  const itemIds: number[] | null = row.itemIds === null ? null : JSON.parse(row.itemIds)
  return { ...row, itemIds } as Key
}
