import {
  type ApiKeyStore,
  hasRoomForKey,
  type KeyDates,
  type StoredKey,
} from "../../../domain/keys/api-key.ts"
import { ask, type SqlDatabase } from "../database.ts"
import {
  type FoundKeyRow,
  insertKey,
  type KeyRow,
  selectStoredKeys,
  toFoundKey,
  toKey,
  valuesOfKey,
} from "./api-key-rows.ts"

/** `serial` is the column that counts the rows. */
export function createApiKeys(
  db: SqlDatabase,
  serial: "rowid" | "serial",
  findRow: (lookup: Uint8Array) => Promise<FoundKeyRow | undefined>,
): ApiKeyStore {
  return {
    async findByLookup(lookup) {
      const row = await findRow(lookup)
      return row === undefined ? null : toFoundKey(row)
    },
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
        `${selectStoredKeys} WHERE k.id ${db.among("$1", "text")}`,
        [JSON.stringify(ids)],
      )
      return rows.map((row) => toKey<StoredKey>(row))
    },
    insert: (key) =>
      db.change(function* () {
        // One insertion at a time. This lock lets a feed write items of the account meanwhile.
        yield* ask(`SELECT id FROM accounts WHERE id = $1 ${db.lock("FOR NO KEY UPDATE")}`, [
          key.accountId,
        ])
        const keys = yield* ask<Pick<StoredKey, "revokedAt" | "expiresAt" | "replacedAt">>(
          `SELECT revoked_at AS "revokedAt", expires_at AS "expiresAt", replaced_at AS "replacedAt"
           FROM api_keys WHERE account_id = $1`,
          [key.accountId],
        )
        if (!hasRoomForKey(keys, key.createdAt)) return false
        yield* ask(insertKey, valuesOfKey(key))
        return true
      }),
    replace: (oldId, endsAt, replacement) =>
      db.change(function* () {
        const ended = yield* ask(
          `UPDATE api_keys SET expires_at = $2, replaced_at = $3, replaced_by = $4
           WHERE id = $1 AND replaced_at IS NULL RETURNING id`,
          [oldId, endsAt, replacement.createdAt, replacement.id],
        )
        if (ended.length === 0) return false
        yield* ask(insertKey, valuesOfKey(replacement))
        return true
      }),
    rename: (id, name) => db.write("UPDATE api_keys SET name = $2 WHERE id = $1", [id, name]),
    reseal: (id, sealed) => db.write("UPDATE api_keys SET sealed = $2 WHERE id = $1", [id, sealed]),
    revoke: (id, at) =>
      db.write("UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1", [id, at]),
  }
}
