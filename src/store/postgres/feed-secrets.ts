/** Keys and passwords from another store, one by one, inside a transaction that the caller opened. */
import { type Fate, type ImportedKey, unknownAccount } from "../../domain/feed.ts"
import { judgeMovedKey, type KeptKey, mergeMovedKey } from "../../domain/moved-key.ts"
import { insertKey, type Row, withItemIds } from "./api-keys.ts"
import type { Client } from "./database.ts"
import { putPassword } from "./passwords.ts"

export async function putMovedKey(client: Client, moved: ImportedKey): Promise<Fate> {
  const accountId = await findAccountId(client, moved.username)
  if (accountId === undefined) return unknownAccount(moved.username)
  const key = { ...moved, accountId }
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
  if (same === undefined) await insertKey(client, key)
  else {
    const { id, name, expiresAt, revokedAt, replacedAt } = mergeMovedKey(key, same)
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
  const accountId = await findAccountId(client, username)
  if (accountId === undefined) return unknownAccount(username)
  const [kept] = await client.query<{ hash: string }>(
    "SELECT hash FROM passwords WHERE account_id = $1",
    [accountId],
  )
  if (kept?.hash !== hash) await putPassword(client, accountId, hash)
  return null
}

async function findAccountId(client: Client, username: string): Promise<number | undefined> {
  const [account] = await client.query<{ id: number }>(
    "SELECT id FROM accounts WHERE username = $1",
    [username],
  )
  return account?.id
}
