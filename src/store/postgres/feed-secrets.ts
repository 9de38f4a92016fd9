/** Keys and passwords from another store, one by one, inside a transaction that the caller opened. */
import { type Fate, type ImportedKey, unknownAccount } from "../../domain/feed.ts"
import { judgeMovedKey, type KeptKey, mergeMovedKey } from "../../domain/moved-key.ts"
import { insertKey, type Row, withItemIds } from "./api-keys.ts"
import type { Client } from "./database.ts"
import { putPassword } from "./passwords.ts"

export async function putMovedKey(client: Client, moved: ImportedKey): Promise<Fate> {
  const [account] = await client.query<{ id: number }>(
    "SELECT id FROM accounts WHERE username = $1",
    [moved.username],
  )
  if (account === undefined) return unknownAccount(moved.username)
  const key = { ...moved, accountId: account.id }
  // Locked: a revocation that comes between must not be written over.
  const rows = await client.query<Row<KeptKey>>(
    `SELECT id, account_id AS "accountId", name, item_ids AS "itemIds", lookup,
       expires_at AS "expiresAt", revoked_at AS "revokedAt", replaced_at AS "replacedAt"
     FROM api_keys WHERE id = $1 OR lookup = $2 FOR UPDATE`,
    [key.id, key.lookup],
  )
  const kept = rows.map((row) => withItemIds<KeptKey>(row))
  const refusal = judgeMovedKey(key, kept)
  if (refusal !== null) return refusal
  const [same] = kept
  const change = same && mergeMovedKey(key, same)
  if (change === undefined) await insertKey(client, key)
  else if (change !== null) {
    const { id, name, expiresAt, revokedAt, replacedAt } = change
    await client.query(
      `UPDATE api_keys SET name = $2, expires_at = $3, revoked_at = $4, replaced_at = $5
       WHERE id = $1`,
      [id, name, expiresAt, revokedAt, replacedAt],
    )
  }
  return null
}

export async function putMovedPassword(
  client: Client,
  username: string,
  hash: string,
): Promise<Fate> {
  const [account] = await client.query<{ id: number; hash: string | null }>(
    `SELECT a.id, p.hash FROM accounts a LEFT JOIN passwords p ON p.account_id = a.id
     WHERE a.username = $1`,
    [username],
  )
  if (account === undefined) return unknownAccount(username)
  if (account.hash !== hash) await putPassword(client, account.id, hash)
  return null
}
