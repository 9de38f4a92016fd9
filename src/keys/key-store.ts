import { type ApiKey, type FoundKey, serverKinds } from "../contract/operation.ts"
import {
  allOf,
  type Sql,
  type SqlDatabase,
  sql,
  type Transaction,
} from "../platform/database/sql.ts"
import { foldLetters } from "../platform/text.ts"
import { writeEvents } from "../webhooks/webhook-store.ts"
import {
  type ApiKeyStore,
  hasRoomForKey,
  type KeyDates,
  type KeySearch,
  type KeySort,
  type StoredKey,
  type WidelyUsedKey,
} from "./key.ts"

export function createApiKeyStore(
  db: SqlDatabase,
  findRow: (lookups: readonly Uint8Array[]) => Promise<FoundKeyRow | null>,
): ApiKeyStore {
  async function select(condition: Sql): Promise<readonly StoredKey[]> {
    const rows = await db.read<KeyRow<StoredKey>>`${selectStoredKeys} WHERE ${condition}`
    return rows.map((row) => toKey<StoredKey>(row))
  }
  const oldestFirst = sql`ORDER BY k.created_at, k.serial`
  return {
    async findByLookup(...lookups) {
      const found = await findRow(lookups)
      if (found === null) return null
      const { lookup: _, ...row } = found
      return toKey<FoundKey>(row)
    },
    find: async (id) => (await select(sql`k.id = ${id}`))[0] ?? null,
    list: (accountId) => select(sql`k.account_id = ${accountId} ${oldestFirst}`),
    listDates: (accountId) =>
      db.read<KeyDates>`SELECT id, kind, revoked_at, expires_at, replaced_at FROM api_keys k
        WHERE account_id = ${accountId} ${oldestFirst}`,
    listByIds: (ids) => select(sql`k.id ${db.among(ids, "text")}`),
    insert: (key) => insertIfRoom(db, key),
    rotate: (oldId, endsAt, replacement, leaked = null) =>
      db.transaction(async (tx) => {
        const replaced = await tx.query`
          UPDATE api_keys SET expires_at = ${endsAt}, replaced_at = ${replacement.createdAt},
            replaced_by = ${replacement.id}, is_leaked = ${leaked !== null}
          WHERE id = ${oldId} AND replaced_at IS NULL AND revoked_at IS NULL RETURNING id`
        if (replaced.length === 0) return false
        await insertKey(tx, replacement)
        await tx.query`
          INSERT INTO moved_item_keys (key_id, item_id, revoked_at)
          SELECT ${replacement.id}, item_id, revoked_at FROM moved_item_keys WHERE key_id = ${oldId}`
        if (leaked !== null) await writeEvents(tx, [leaked])
        return true
      }),
    listOfMovedItem: (itemId) => select(sql`k.id IN (${movedItemKeys(itemId)}) ${oldestFirst}`),
    revokeForItem: (id, itemId, at) =>
      db.hasWritten`
        UPDATE moved_item_keys SET revoked_at = ${at} WHERE item_id = ${itemId} AND key_id = ${id}
          AND key_id IN (${movedItemKeys(itemId)}) RETURNING key_id`,
    rename: (id, name) => db.write`UPDATE api_keys SET name = ${name} WHERE id = ${id}`,
    revoke: (id, at, leaked = null) =>
      db.transaction(async (tx) => {
        await tx.query`
          UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${at}),
            is_leaked = is_leaked OR ${leaked !== null} WHERE id = ${id}`
        if (leaked !== null) await writeEvents(tx, [leaked])
      }),
  }
}

export type KeyRow<Key> = Omit<Key, "itemIds"> & { itemIds: string | null }

const keyColumns = sql`k.id, k.account_id, k.kind, k.item_ids,
  k.is_site_required, k.scope, k.expires_at, k.revoked_at`

export const selectFoundKeys = sql`
  SELECT ${keyColumns}, k.lookup, k.replaced_at, k.is_leaked, a.is_suspended
  FROM api_keys k JOIN accounts a ON a.id = k.account_id`

export type FoundKeyRow = KeyRow<FoundKey> & { lookup: Uint8Array }

export const selectStoredKeys = sql`SELECT ${keyColumns}, a.username, k.name, k.lookup, k.encrypted,
    k.created_at, k.replaced_at, k.replaced_by
  FROM api_keys k JOIN accounts a ON a.id = k.account_id`

const insertIfRoom = (db: SqlDatabase, key: StoredKey): Promise<boolean> =>
  db.transaction(async (tx) => {
    // The lock serializes insertions. It does not block a feed that writes items of the account.
    const { accountId } = key
    await tx.query`SELECT id FROM accounts WHERE id = ${accountId} ${tx.lock("FOR NO KEY UPDATE")}`
    const keys = await tx.query<Pick<StoredKey, "revokedAt" | "expiresAt" | "replacedAt">>`
      SELECT revoked_at, expires_at, replaced_at FROM api_keys WHERE account_id = ${accountId}`
    if (!hasRoomForKey(keys, key.createdAt)) return false
    await insertKey(tx, key)
    return true
  })

function insertKey({ query }: Transaction, key: StoredKey): Promise<unknown> {
  const { id, accountId, kind, name, itemIds, isSiteRequired, scope, lookup, encrypted, ...ends } =
    key
  const { createdAt, expiresAt, revokedAt, replacedAt, replacedBy } = ends
  return query`
    INSERT INTO api_keys (id, account_id, kind, name, item_ids, is_site_required, scope, lookup, encrypted,
      created_at, expires_at, revoked_at, replaced_at, replaced_by)
    VALUES (${id}, ${accountId}, ${kind}, ${name}, ${itemIds && JSON.stringify(itemIds)},
      ${isSiteRequired}, ${scope}, ${lookup}, ${encrypted}, ${createdAt}, ${expiresAt}, ${revokedAt},
      ${replacedAt}, ${replacedBy})`
}

/** A key of the current author may be in the table too, from before the item returned. */
const movedItemKeys = (itemId: number) => sql`
  SELECT m.key_id FROM moved_item_keys m JOIN items i ON i.id = m.item_id
  JOIN api_keys o ON o.id = m.key_id
  WHERE m.item_id = ${itemId} AND m.revoked_at IS NULL AND o.account_id <> i.account_id`

export function toKey<Key extends Pick<ApiKey, "itemIds">>(row: KeyRow<Key>): Key {
  const itemIds: number[] | null = row.itemIds === null ? null : JSON.parse(row.itemIds)
  // `as`: only this column differs from the key.
  return { ...row, itemIds } as Key
}

const orders: Readonly<Record<KeySort, Sql>> = {
  created: sql`k.created_at`,
  used: sql`coalesce(k.last_used_at, '')`,
  name: sql`lower(k.name)`,
}

export const createKeySearch = (db: SqlDatabase): KeySearch => ({
  listWidelyUsed: (since, ipRangesMin, limit) =>
    // CROSS makes SQLite start with the keys, so that it reads no IP ranges of validation keys.
    db.read<WidelyUsedKey>`
      WITH wide (id, ip_ranges) AS (
        SELECT o.id, count(*) FROM api_keys o CROSS JOIN key_ip_ranges s
        WHERE o.kind ${db.among(serverKinds, "text")} AND s.key_id = o.id AND s.last_day >= ${since}
        GROUP BY o.id HAVING count(*) >= ${ipRangesMin} ORDER BY 2 DESC, 1 LIMIT ${limit})
      SELECT k.id, k.account_id, a.username, k.kind, k.name, k.expires_at, k.revoked_at,
        k.replaced_at, ip_ranges
      FROM wide JOIN api_keys k ON k.id = wide.id JOIN accounts a ON a.id = k.account_id
      ORDER BY ip_ranges DESC, k.id`,
  async search(query) {
    const { accountId, kind, isLive, at, text, matchingIds, sort, offset, rowsMax } = query
    const live = sql`(k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${at}))`
    const conditions = [
      accountId === null ? null : sql`k.account_id = ${accountId}`,
      kind === null ? null : sql`k.kind = ${kind}`,
      isLive === null ? null : isLive ? live : sql`NOT ${live}`,
    ]
    const from = sql`FROM api_keys k WHERE ${allOf(conditions)}`
    const direction = query.isDescending ? sql`DESC` : sql`ASC`
    const all = sql`SELECT k.id, k.name ${from}
      ORDER BY ${orders[sort]} ${direction}, k.created_at DESC, k.id DESC`
    if (text !== "") {
      // Not in SQL: no database folds letters as Turkish searches need.
      const wanted = foldLetters(text)
      const rows = await db.read<{ id: string; name: string }>(all)
      const isFound = (id: string, name: string) =>
        id === text || matchingIds.includes(id) || foldLetters(name).includes(wanted)
      const found = rows.filter(({ id, name }) => isFound(id, name)).map(({ id }) => id)
      return { ids: found.slice(offset, offset + rowsMax), total: found.length }
    }
    const total = await db.count`SELECT count(*) ${from}`
    const rows = await db.read<{ id: string }>`${all} LIMIT ${rowsMax} OFFSET ${offset}`
    return { ids: rows.map(({ id }) => id), total }
  },
})
