import type { ApiKey, ApiKeyStore, StoredKey } from "../../domain/api-key.ts"
import { batchLookups } from "./batch-lookups.ts"
import type { Client, Database, Value } from "./database.ts"

export type Row<Key> = Omit<Key, "itemIds"> & { itemIds: string | null }

export function postgresApiKeys(db: Database): ApiKeyStore {
  const columns = `k.id, k.account_id AS "accountId", k.kind, k.item_ids AS "itemIds",
    k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt"`
  const stored = `SELECT ${columns}, a.username, k.name, k.lookup, k.sealed, k.created_at AS "createdAt", k.replaced_at AS "replacedAt"
    FROM api_keys k JOIN accounts a ON a.id = k.account_id`
  type Found = Row<ApiKey> & { lookup: Uint8Array }
  const findByLookup = batchLookups<Uint8Array, Found>({
    ask: (lookups) =>
      db.read(`SELECT ${columns}, k.lookup FROM api_keys k WHERE k.lookup = ANY ($1)`, [lookups]),
    keyOfQuestion: hex,
    keyOfRow: ({ lookup }) => hex(lookup),
  })
  return {
    async findByLookup(lookup) {
      const [row] = await findByLookup(lookup)
      if (row === undefined) return null
      const { lookup: _, ...key } = row
      return withItemIds<ApiKey>(key)
    },
    async find(id) {
      const [row] = await db.read<Row<StoredKey>>(`${stored} WHERE k.id = $1`, [id])
      return row === undefined ? null : withItemIds<StoredKey>(row)
    },
    async list(accountId) {
      const rows = await db.read<Row<StoredKey>>(
        `${stored} WHERE k.account_id = $1 ORDER BY k.created_at, k.serial`,
        [accountId],
      )
      return rows.map((row) => withItemIds<StoredKey>(row))
    },
    insert: (key) => db.write(insertion, valuesOf(key)),
    rename: (id, name) => db.write("UPDATE api_keys SET name = $2 WHERE id = $1", [id, name]),
    revoke: (id, at) =>
      db.write("UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1", [id, at]),
    replace: (oldId, endsAt, replacement) =>
      db.transact(async (client: Client) => {
        const ended = await client.query(
          `UPDATE api_keys SET expires_at = $2, replaced_at = $3
           WHERE id = $1 AND replaced_at IS NULL RETURNING id`,
          [oldId, endsAt, replacement.createdAt],
        )
        if (ended.length === 0) return false
        await insertKey(client, replacement)
        return true
      }),
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

const insertion = `INSERT INTO api_keys
  (id, account_id, kind, name, item_ids, lookup, sealed, created_at, expires_at, revoked_at, replaced_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`

function valuesOf(key: StoredKey): readonly Value[] {
  const { id, accountId, kind, name, itemIds, lookup, sealed, ...moments } = key
  const { createdAt, expiresAt, revokedAt, replacedAt } = moments
  const choice = itemIds === null ? null : JSON.stringify(itemIds)
  const row = [id, accountId, kind, name, choice, lookup, sealed]
  return [...row, createdAt, expiresAt, revokedAt, replacedAt]
}

/** Shared with the feed, which brings keys along inside its own transaction. */
export async function insertKey(client: Client, key: StoredKey): Promise<void> {
  await client.query(insertion, valuesOf(key))
}

/** The row is the key but for this one column. */
export function withItemIds<Key extends Pick<ApiKey, "itemIds">>(row: Row<Key>): Key {
  const itemIds: number[] | null = row.itemIds === null ? null : JSON.parse(row.itemIds)
  return { ...row, itemIds } as Key
}
