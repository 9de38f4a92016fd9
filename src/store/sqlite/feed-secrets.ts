/** Keys and passwords from another store, one by one, inside a transaction that the caller opened. */
import type { Database } from "bun:sqlite"
import { type Fate, type ImportedKey, unknownAccount } from "../../domain/feed.ts"
import { judgeMovedKey, type KeptKey, mergeMovedKey } from "../../domain/moved-key.ts"
import { prepareKeyInsert, type Row, withItemIds } from "./api-keys.ts"
import { preparePasswordPut } from "./passwords.ts"

export function prepareSecretWriter(
  db: Database,
  findAccountId: (username: string) => number | undefined,
) {
  const findKept = db.query<Row<KeptKey>, [string, Uint8Array]>(
    `SELECT id, account_id AS "accountId", name, item_ids AS "itemIds", lookup,
       expires_at AS "expiresAt", revoked_at AS "revokedAt", replaced_at AS "replacedAt"
     FROM api_keys WHERE id = ? OR lookup = ?`,
  )
  const insertKey = prepareKeyInsert(db)
  const updateKey = db.query(
    `UPDATE api_keys SET name = $name, expires_at = $expiresAt, revoked_at = $revokedAt,
       replaced_at = $replacedAt WHERE id = $id`,
  )
  const findHash = db.query<{ hash: string }, [number]>(
    "SELECT hash FROM passwords WHERE account_id = ?",
  )
  const putPassword = preparePasswordPut(db)
  return {
    putKey(moved: ImportedKey): Fate {
      const accountId = findAccountId(moved.username)
      if (accountId === undefined) return unknownAccount(moved.username)
      const key = { ...moved, accountId }
      const kept = findKept.all(key.id, key.lookup).map((row) => withItemIds<KeptKey>(row))
      const refusal = judgeMovedKey(key, kept)
      if (refusal !== null) return refusal
      const [same] = kept
      const change = same && mergeMovedKey(key, same)
      if (change === undefined) insertKey(key)
      else if (change !== null) updateKey.run(change)
      return null
    },
    putPassword(username: string, hash: string): Fate {
      const accountId = findAccountId(username)
      if (accountId === undefined) return unknownAccount(username)
      if (findHash.get(accountId)?.hash !== hash) putPassword(accountId, hash)
      return null
    },
  }
}
