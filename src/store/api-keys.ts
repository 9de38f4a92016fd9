import type { ApiKeyStore, KeyDates, StoredKey } from "../domain/api-key.ts"
import { type KeyRow, selectStoredKeys, toKey } from "./api-key-rows.ts"
import type { SqlDatabase } from "./database.ts"

/** Ends a key that was not replaced before, and returns its id. */
export const endKey = `UPDATE api_keys SET expires_at = $2, replaced_at = $3, replaced_by = $4
  WHERE id = $1 AND replaced_at IS NULL RETURNING id`

/** What decides whether keys of an account are live. */
export const selectKeyEnds = `SELECT revoked_at AS "revokedAt", expires_at AS "expiresAt",
    replaced_at AS "replacedAt" FROM api_keys WHERE account_id = $1`

export type KeyEnds = Pick<StoredKey, "revokedAt" | "expiresAt" | "replacedAt">

type Same = "find" | "list" | "listDates" | "listByIds" | "rename" | "reseal" | "revoke"

/** The methods whose SQL is the same for both databases. `serial` is the column that counts the rows. */
export function apiKeyQueries(
  db: SqlDatabase,
  serial: "rowid" | "serial",
): Pick<ApiKeyStore, Same> {
  return {
    async find(id) {
      const [row] = await db.read<KeyRow<StoredKey>>(`${selectStoredKeys} WHERE k.id = $1`, [id])
      return row === undefined ? null : toKey<StoredKey>(row)
    },
    async list(accountId) {
      const rows = await db.read<KeyRow<StoredKey>>(
        `${selectStoredKeys} WHERE k.account_id = $1 ORDER BY k.created_at, k.${serial}`,
        [accountId],
      )
      return rows.map((row) => toKey<StoredKey>(row))
    },
    listDates: (accountId) =>
      db.read<KeyDates>(
        `SELECT id, kind, revoked_at AS "revokedAt", expires_at AS "expiresAt",
           replaced_at AS "replacedAt"
         FROM api_keys WHERE account_id = $1 ORDER BY created_at, ${serial}`,
        [accountId],
      ),
    async listByIds(ids) {
      const rows = await db.read<KeyRow<StoredKey>>(
        `${selectStoredKeys} WHERE k.id ${db.amongTexts}`,
        [JSON.stringify(ids)],
      )
      return rows.map((row) => toKey<StoredKey>(row))
    },
    rename: (id, name) => db.write("UPDATE api_keys SET name = $2 WHERE id = $1", [id, name]),
    reseal: (id, sealed) => db.write("UPDATE api_keys SET sealed = $2 WHERE id = $1", [id, sealed]),
    revoke: (id, at) =>
      db.write("UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1", [id, at]),
  }
}
