import {
  type ApiKey,
  type ApiKeyStore,
  type FoundKey,
  hasRoomForKey,
  type KeyDates,
  type KeySearch,
  type KeySort,
  type StoredKey,
} from "../../../domain/keys/api-key.ts"
import { foldLetters } from "../../../domain/values/text.ts"
import { writeEvents } from "../events/write-events.ts"
import type { SqlDatabase, Transaction, Value } from "../sql-database.ts"

export function createApiKeyStore(
  db: SqlDatabase,
  findRow: (lookups: readonly Uint8Array[]) => Promise<FoundKeyRow | null>,
): ApiKeyStore {
  async function select(condition: string, value: string | number): Promise<readonly StoredKey[]> {
    const rows = await db.read<KeyRow<StoredKey>>(`${selectStoredKeys} WHERE ${condition}`, [value])
    return rows.map((row) => toKey<StoredKey>(row))
  }
  return {
    async findByLookup(...lookups) {
      const found = await findRow(lookups)
      if (found === null) return null
      const { lookup: _, ...row } = found
      return toKey<FoundKey>(row)
    },
    find: async (id) => (await select("k.id = $1", id))[0] ?? null,
    list: (accountId) => select(`k.account_id = $1 ORDER BY k.created_at, k.serial`, accountId),
    listDates: (accountId) =>
      db.read<KeyDates>(
        `SELECT id, kind, revoked_at, expires_at,
           replaced_at
         FROM api_keys WHERE account_id = $1 ORDER BY created_at, serial`,
        [accountId],
      ),
    listByIds: (ids) => select(`k.id ${db.among("$1", "text")}`, JSON.stringify(ids)),
    insert: (key) =>
      db.transaction(async (tx) => {
        // The lock serializes insertions. It does not block a feed that writes items of the account.
        const lock = `SELECT id FROM accounts WHERE id = $1 ${db.lock("FOR NO KEY UPDATE")}`
        await tx.query(lock, [key.accountId])
        const keys = await tx.query<Pick<StoredKey, "revokedAt" | "expiresAt" | "replacedAt">>(
          `SELECT revoked_at, expires_at, replaced_at
           FROM api_keys WHERE account_id = $1`,
          [key.accountId],
        )
        if (!hasRoomForKey(keys, key.createdAt)) return false
        await insertKey(tx, key)
        return true
      }),
    rotate: (oldId, endsAt, replacement, leaked = null) =>
      db.transaction(async (tx) => {
        const replaced = await tx.query(
          `UPDATE api_keys SET expires_at = $2, replaced_at = $3, replaced_by = $4, is_leaked = $5
           WHERE id = $1 AND replaced_at IS NULL AND revoked_at IS NULL RETURNING id`,
          [oldId, endsAt, replacement.createdAt, replacement.id, leaked !== null],
        )
        if (replaced.length === 0) return false
        await insertKey(tx, replacement)
        await tx.query(
          `INSERT INTO moved_item_keys (key_id, item_id, revoked_at)
           SELECT $2, item_id, revoked_at FROM moved_item_keys WHERE key_id = $1`,
          [oldId, replacement.id],
        )
        if (leaked !== null) await writeEvents(tx, [leaked])
        return true
      }),
    listOfMovedItem: (itemId) =>
      select(`k.id IN (${movedItemKeys}) ORDER BY k.created_at, k.serial`, itemId),
    revokeForItem: (id, itemId, at) =>
      db.hasWritten(
        `UPDATE moved_item_keys SET revoked_at = $3
         WHERE item_id = $1 AND key_id = $2 AND key_id IN (${movedItemKeys}) RETURNING key_id`,
        [itemId, id, at],
      ),
    rename: (id, name) => db.write("UPDATE api_keys SET name = $2 WHERE id = $1", [id, name]),
    revoke: (id, at, leaked = null) =>
      db.transaction(async (tx) => {
        await tx.query(
          `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2), is_leaked = is_leaked OR $3
           WHERE id = $1`,
          [id, at, leaked !== null],
        )
        if (leaked !== null) await writeEvents(tx, [leaked])
      }),
  }
}

export type KeyRow<Key> = Omit<Key, "itemIds"> & { itemIds: string | null }

const keyColumns = `k.id, k.account_id, k.kind, k.item_ids,
  k.is_site_required, k.expires_at, k.revoked_at`

export const selectFoundKeys = `SELECT ${keyColumns}, k.lookup,
    k.replaced_at, k.is_leaked, a.is_suspended AS is_account_suspended
  FROM api_keys k JOIN accounts a ON a.id = k.account_id`

export type FoundKeyRow = KeyRow<FoundKey> & { lookup: Uint8Array }

export const selectStoredKeys = `SELECT ${keyColumns}, a.username, k.name, k.lookup, k.encrypted,
    k.created_at, k.replaced_at, k.replaced_by
  FROM api_keys k JOIN accounts a ON a.id = k.account_id`

function insertKey({ query }: Transaction, key: StoredKey): Promise<unknown> {
  const { id, accountId, kind, name, isSiteRequired, lookup, encrypted, ...ends } = key
  const { createdAt, expiresAt, revokedAt, replacedAt, replacedBy } = ends
  const row = [id, accountId, kind, name, toStoredItemIds(key), isSiteRequired, lookup, encrypted]
  return query(
    `INSERT INTO api_keys (id, account_id, kind, name, item_ids, is_site_required, lookup, encrypted,
       created_at, expires_at, revoked_at, replaced_at, replaced_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [...row, createdAt, expiresAt, revokedAt, replacedAt, replacedBy],
  )
}

/** A key of the current author may be in the table too, from before the item returned. */
const movedItemKeys = `SELECT m.key_id FROM moved_item_keys m JOIN items i ON i.id = m.item_id
  JOIN api_keys o ON o.id = m.key_id
  WHERE m.item_id = $1 AND m.revoked_at IS NULL AND o.account_id <> i.account_id`

const toStoredItemIds = ({ itemIds }: Pick<ApiKey, "itemIds">) =>
  itemIds === null ? null : JSON.stringify(itemIds)

export function toKey<Key extends Pick<ApiKey, "itemIds">>(row: KeyRow<Key>): Key {
  const itemIds: number[] | null = row.itemIds === null ? null : JSON.parse(row.itemIds)
  // `as`: only this column differs from the key.
  return { ...row, itemIds } as Key
}

const orders: Readonly<Record<KeySort, string>> = {
  created: "k.created_at",
  used: "coalesce(k.last_used_at, '')",
  name: "lower(k.name)",
}

export const createKeySearch = (db: SqlDatabase): KeySearch => ({
  async search(query) {
    const { accountId, kind, isLive, at, text, matchingIds, sort, offset, rowsMax } = query
    const values: Value[] = []
    const bind = (value: Value) => `$${values.push(value)}`
    const live = () =>
      `(k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${bind(at)}))`
    const conditions = [
      ...(accountId === null ? [] : [`k.account_id = ${bind(accountId)}`]),
      ...(kind === null ? [] : [`k.kind = ${bind(kind)}`]),
      ...(isLive === null ? [] : [isLive ? live() : `NOT ${live()}`]),
    ]
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`
    const direction = query.isDescending ? "DESC" : "ASC"
    const from = `FROM api_keys k ${where}`
    const all = `SELECT k.id, k.name ${from}
      ORDER BY ${orders[sort]} ${direction}, k.created_at DESC, k.id DESC`
    if (text !== "") {
      // Not in SQL: no database folds letters as Turkish searches need.
      const wanted = foldLetters(text)
      const rows = await db.read<{ id: string; name: string }>(all, values)
      const isFound = (id: string, name: string) =>
        id === text || matchingIds.includes(id) || foldLetters(name).includes(wanted)
      const found = rows.filter(({ id, name }) => isFound(id, name)).map(({ id }) => id)
      return { ids: found.slice(offset, offset + rowsMax), total: found.length }
    }
    const total = await db.count(`SELECT count(*) AS value ${from}`, values)
    const page = `${all} LIMIT ${bind(rowsMax)} OFFSET ${bind(offset)}`
    const rows = await db.read<{ id: string }>(page, values)
    return { ids: rows.map(({ id }) => id), total }
  },
})
