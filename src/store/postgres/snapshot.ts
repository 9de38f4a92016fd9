import type { Account } from "../../domain/account.ts"
import type { Snapshot, SnapshotKey } from "../../domain/feed.ts"
import type { Item } from "../../domain/item.ts"
import type { PurchaseRecord } from "../../domain/purchase.ts"
import { type Row as KeyRow, withItemIds } from "./api-keys.ts"
import type { Client } from "./database.ts"
import { itemColumns } from "./items.ts"

const pageRows = 1_000

export const oneMoment = "ISOLATION LEVEL REPEATABLE READ READ ONLY"

/** Takes the connection over: the transaction on it is what makes this one moment. */
export async function openSnapshot(own: Client): Promise<Snapshot> {
  // A transaction sees the moment of its first query, not of its BEGIN.
  await own.query("SELECT 1 FROM marks LIMIT 1")
  return {
    readAccounts: () =>
      readPages<Account>(own, "SELECT id, username, body FROM accounts ORDER BY username"),
    readKeys: () => readKeys(own),
    readPasswords: () =>
      readPages<{ username: string; hash: string }>(
        own,
        `SELECT a.username, p.hash FROM passwords p JOIN accounts a ON a.id = p.account_id
         ORDER BY a.username`,
      ),
    readItems: () =>
      readPages<Item & { author: string }>(
        own,
        `SELECT ${itemColumns}, a.username AS author
         FROM items i JOIN accounts a ON a.id = i.account_id ORDER BY i.id`,
      ),
    readPurchases: () =>
      readPages<PurchaseRecord>(
        own,
        `SELECT code, item_id AS "itemId", revoked AS "isRevoked",
           before_item AS "beforeItem", after_item AS "afterItem"
         FROM purchases ORDER BY item_id, lower(code), code`,
      ),
    async close() {
      await own.query("COMMIT")
      own.release()
    },
  }
}

async function* readKeys(own: Client): AsyncGenerator<readonly SnapshotKey[]> {
  const pages = readPages<KeyRow<SnapshotKey>>(
    own,
    `SELECT k.id, a.username, k.kind, k.name, k.item_ids AS "itemIds", k.sealed,
       k.created_at AS "createdAt", k.expires_at AS "expiresAt",
       k.revoked_at AS "revokedAt", k.replaced_at AS "replacedAt"
     FROM api_keys k JOIN accounts a ON a.id = k.account_id
     ORDER BY a.username, k.created_at, k.id COLLATE "C"`,
  )
  for await (const page of pages) yield page.map((row) => withItemIds<SnapshotKey>(row))
}

async function* readPages<Row>(own: Client, sql: string): AsyncGenerator<readonly Row[]> {
  await own.query(`DECLARE pages CURSOR FOR ${sql}`)
  for (;;) {
    const page = await own.query<Row>(`FETCH ${pageRows} FROM pages`)
    if (page.length === 0) break
    yield page
  }
  await own.query("CLOSE pages")
}
