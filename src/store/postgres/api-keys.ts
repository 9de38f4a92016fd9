import type { ApiKey, ApiKeyStore } from "../../domain/api-key.ts"
import { insertKey, type KeyRow, keyColumns, toKey, valuesOfKey } from "../api-key-rows.ts"
import { apiKeyQueries, endKey } from "../api-keys.ts"
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
    ...apiKeyQueries(db, "serial"),
    replace: (oldId, endsAt, replacement) =>
      db.transact(async (client) => {
        const ended = await client.query(endKey, [oldId, endsAt, replacement.createdAt])
        if (ended.length === 0) return false
        await client.query(insertKey, valuesOfKey(replacement))
        return true
      }),
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
