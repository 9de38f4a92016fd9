import type { ApiKey, ApiKeyStore, StoredKey } from "../../domain/api-key.ts"
import {
  insertKey,
  type KeyRow,
  keyColumns,
  selectStoredKeys,
  toKey,
  valuesOfKey,
} from "../api-key-rows.ts"
import type { Database } from "./database.ts"

export function sqliteApiKeys(db: Database): ApiKeyStore {
  return {
    async findByLookup(lookup) {
      const [row] = await db.read<KeyRow<ApiKey>>(
        `SELECT ${keyColumns} FROM api_keys k WHERE k.lookup = $1`,
        [lookup],
      )
      return row === undefined ? null : toKey<ApiKey>(row)
    },
    async find(id) {
      const [row] = await db.read<KeyRow<StoredKey>>(`${selectStoredKeys} WHERE k.id = $1`, [id])
      return row === undefined ? null : toKey<StoredKey>(row)
    },
    async list(accountId) {
      const rows = await db.read<KeyRow<StoredKey>>(
        `${selectStoredKeys} WHERE k.account_id = $1 ORDER BY k.created_at, k.rowid`,
        [accountId],
      )
      return rows.map((row) => toKey<StoredKey>(row))
    },
    insert: (key) => db.write(insertKey, valuesOfKey(key)),
    rename: (id, name) => db.write("UPDATE api_keys SET name = $2 WHERE id = $1", [id, name]),
    revoke: (id, at) =>
      db.write("UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1", [id, at]),
    replace: (oldId, endsAt, replacement) =>
      db.transact(({ query }) => {
        const ended = query(
          `UPDATE api_keys SET expires_at = $2, replaced_at = $3
           WHERE id = $1 AND replaced_at IS NULL RETURNING id`,
          [oldId, endsAt, replacement.createdAt],
        )
        if (ended.length === 0) return false
        query(insertKey, valuesOfKey(replacement))
        return true
      }),
  }
}
