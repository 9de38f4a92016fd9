import type { SigningKeyStore } from "../../domain/signing-key.ts"
import {
  deleteSigningKeys,
  insertSigningKey,
  isSameList,
  selectSigningKeyIds,
  signingKeyQueries,
  valuesOfSigningKey,
} from "../signing-keys.ts"
import type { Database } from "./database.ts"

export function postgresSigningKeys(db: Database): SigningKeyStore {
  return {
    ...signingKeyQueries(db),
    replaceAll: (expectedIds, keys) =>
      db.transact(async (client) => {
        // Readers go on; a second writer waits and then finds other ids.
        await client.query("LOCK TABLE signing_keys IN EXCLUSIVE MODE")
        if (!isSameList(await client.query(selectSigningKeyIds), expectedIds)) return false
        await client.query(deleteSigningKeys)
        for (const [place, key] of keys.entries()) {
          await client.query(insertSigningKey, valuesOfSigningKey(key, place))
        }
        return true
      }),
  }
}
