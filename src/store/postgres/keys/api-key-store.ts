import type { ApiKeyStore } from "../../../domain/keys/api-key.ts"
import {
  createApiKeyStore,
  type FoundKeyRow,
  selectFoundKeys,
} from "../../sql/keys/shared-api-key-store.ts"
import { batchLookups } from "../connection/batch-lookups.ts"
import type { Database } from "../connection/database.ts"

export function postgresApiKeys(db: Database): ApiKeyStore {
  const findByLookup = batchLookups<Uint8Array, FoundKeyRow>({
    query: (lookups) => db.read(`${selectFoundKeys} WHERE k.lookup = ANY ($1)`, [lookups]),
    keyOfLookup: hex,
    keyOfRow: ({ lookup }) => hex(lookup),
  })
  return createApiKeyStore(db, async (lookup) => (await findByLookup(lookup))[0])
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
