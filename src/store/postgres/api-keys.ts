import type { ApiKey, ApiKeyStore, StoredKey } from "../../domain/api-key.ts"
import {
  insertKey,
  type KeyRow,
  keyColumns,
  selectStoredKeys,
  toKey,
  valuesOfKey,
} from "../api-key-rows.ts"
import { batchLookups } from "./batch-lookups.ts"
import type { Database } from "./database.ts"

export function postgresApiKeys(db: Database): ApiKeyStore {
  type Found = KeyRow<ApiKey> & { lookup: Uint8Array }
  const findByLookup = batchLookups<Uint8Array, Found>({
    ask: (lookups) =>
      db.read(`SELECT ${keyColumns}, k.lookup FROM api_keys k WHERE k.lookup = ANY ($1)`, [
        lookups,
      ]),
    keyOfQuestion: hex,
    keyOfRow: ({ lookup }) => hex(lookup),
  })
  return {
    async findByLookup(lookup) {
      const [row] = await findByLookup(lookup)
      if (row === undefined) return null
      const { lookup: _, ...key } = row
      return toKey<ApiKey>(key)
    },
    async find(id) {
      const [row] = await db.read<KeyRow<StoredKey>>(`${selectStoredKeys} WHERE k.id = $1`, [id])
      return row === undefined ? null : toKey<StoredKey>(row)
    },
    async list(accountId) {
      const rows = await db.read<KeyRow<StoredKey>>(
        `${selectStoredKeys} WHERE k.account_id = $1 ORDER BY k.created_at, k.serial`,
        [accountId],
      )
      return rows.map((row) => toKey<StoredKey>(row))
    },
    insert: (key) => db.write(insertKey, valuesOfKey(key)),
    rename: (id, name) => db.write("UPDATE api_keys SET name = $2 WHERE id = $1", [id, name]),
    revoke: (id, at) =>
      db.write("UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1", [id, at]),
    replace: (oldId, endsAt, replacement) =>
      db.transact(async (client) => {
        const ended = await client.query(
          `UPDATE api_keys SET expires_at = $2, replaced_at = $3
           WHERE id = $1 AND replaced_at IS NULL RETURNING id`,
          [oldId, endsAt, replacement.createdAt],
        )
        if (ended.length === 0) return false
        await client.query(insertKey, valuesOfKey(replacement))
        return true
      }),
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
