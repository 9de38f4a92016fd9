import { type ApiKeyStore, hasRoomForKey } from "../../domain/api-key.ts"
import {
  type FoundKeyRow,
  insertKey,
  selectFoundKeys,
  toFoundKey,
  valuesOfKey,
} from "../api-key-rows.ts"
import { apiKeyQueries, endKey, type KeyEnds, selectKeyEnds } from "../api-keys.ts"
import { batchLookups } from "./batch-lookups.ts"
import type { Database } from "./database.ts"

export function postgresApiKeys(db: Database): ApiKeyStore {
  const findByLookup = batchLookups<Uint8Array, FoundKeyRow>({
    ask: (lookups) => db.read(`${selectFoundKeys} WHERE k.lookup = ANY ($1)`, [lookups]),
    keyOfQuestion: hex,
    keyOfRow: ({ lookup }) => hex(lookup),
  })
  return {
    async findByLookup(lookup) {
      const [row] = await findByLookup(lookup)
      return row === undefined ? null : toFoundKey(row)
    },
    ...apiKeyQueries(db, "serial"),
    insert: (key) =>
      db.transact(async (client) => {
        // One insertion at a time. This lock lets a feed write items of the account meanwhile.
        await client.query("SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [
          key.accountId,
        ])
        const keys = await client.query<KeyEnds>(selectKeyEnds, [key.accountId])
        if (!hasRoomForKey(keys, key.createdAt)) return false
        await client.query(insertKey, valuesOfKey(key))
        return true
      }),
    replace: (oldId, endsAt, replacement) =>
      db.transact(async (client) => {
        const ended = await client.query(endKey, [
          oldId,
          endsAt,
          replacement.createdAt,
          replacement.id,
        ])
        if (ended.length === 0) return false
        await client.query(insertKey, valuesOfKey(replacement))
        return true
      }),
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
