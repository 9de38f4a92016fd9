import { type ApiKeyStore, hasRoomForKey } from "../../domain/api-key.ts"
import {
  type FoundKeyRow,
  insertKey,
  selectFoundKeys,
  toFoundKey,
  valuesOfKey,
} from "../api-key-rows.ts"
import { apiKeyQueries, endKey, type KeyEnds, selectKeyEnds } from "../api-keys.ts"
import type { Database } from "./database.ts"

export function sqliteApiKeys(db: Database): ApiKeyStore {
  return {
    async findByLookup(lookup) {
      const [row] = await db.read<FoundKeyRow>(`${selectFoundKeys} WHERE k.lookup = $1`, [lookup])
      return row === undefined ? null : toFoundKey(row)
    },
    ...apiKeyQueries(db, "rowid"),
    insert: (key) =>
      db.transact(({ query }) => {
        const keys = query<KeyEnds>(selectKeyEnds, [key.accountId])
        if (!hasRoomForKey(keys, key.createdAt)) return false
        query(insertKey, valuesOfKey(key))
        return true
      }),
    replace: (oldId, endsAt, replacement) =>
      db.transact(({ query }) => {
        const ended = query(endKey, [oldId, endsAt, replacement.createdAt, replacement.id])
        if (ended.length === 0) return false
        query(insertKey, valuesOfKey(replacement))
        return true
      }),
  }
}
