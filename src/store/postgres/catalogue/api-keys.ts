import type { ApiKeyStore } from "../../../domain/keys/api-key.ts"
import { createApiKeys, type FoundKeyRow, selectFoundKeys } from "../../sql/keys/api-keys.ts"
import type { Database } from "../connection/database.ts"
import { batchLookups } from "./batch-lookups.ts"

export function postgresApiKeys(db: Database): ApiKeyStore {
  const findByLookup = batchLookups<Uint8Array, FoundKeyRow>({
    ask: (lookups) => db.read(`${selectFoundKeys} WHERE k.lookup = ANY ($1)`, [lookups]),
    keyOfQuestion: hex,
    keyOfRow: ({ lookup }) => hex(lookup),
  })
  return createApiKeys(db, async (lookup) => (await findByLookup(lookup))[0])
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
