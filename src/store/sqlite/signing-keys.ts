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

export function sqliteSigningKeys(db: Database): SigningKeyStore {
  return {
    ...signingKeyQueries(db),
    replaceAll: (expectedIds, keys) =>
      db.transact(({ query }) => {
        if (!isSameList(query(selectSigningKeyIds), expectedIds)) return false
        query(deleteSigningKeys)
        for (const [place, key] of keys.entries()) {
          query(insertSigningKey, valuesOfSigningKey(key, place))
        }
        return true
      }),
  }
}
