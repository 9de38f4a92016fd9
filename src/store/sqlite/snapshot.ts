import type { Database } from "bun:sqlite"
import type { Account } from "../../domain/account.ts"
import type { Snapshot, SnapshotKey } from "../../domain/feed.ts"
import type { Item } from "../../domain/item.ts"
import type { PurchaseRecord } from "../../domain/purchase.ts"
import { type Row as KeyRow, withItemIds } from "./api-keys.ts"

const pageRows = 1_000

/** Takes the connection over: the read transaction on it is what makes this one moment. */
export function openSnapshot(own: Database): Snapshot {
  own.run("BEGIN")
  // A transaction sees the moment of its first read, not of its BEGIN.
  own.query("SELECT 1 FROM marks LIMIT 1").get()
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
        `SELECT i.id, i.account_id AS "accountId", i.hidden AS "isHidden", i.body, a.username AS author
         FROM items i JOIN accounts a ON a.id = i.account_id ORDER BY i.id`,
        (row) => ({ ...row, isHidden: Boolean(row.isHidden) }),
      ),
    readPurchases: () =>
      readPages<PurchaseRecord>(
        own,
        `SELECT code, item_id AS "itemId", revoked AS "isRevoked",
           before_item AS "beforeItem", after_item AS "afterItem"
         FROM purchases ORDER BY item_id, code COLLATE NOCASE, code COLLATE BINARY`,
        (row) => ({ ...row, isRevoked: Boolean(row.isRevoked) }),
      ),
    async close() {
      own.run("COMMIT")
      own.close()
    },
  }
}

async function* readKeys(own: Database): AsyncGenerator<readonly SnapshotKey[]> {
  const pages = readPages<KeyRow<SnapshotKey>>(
    own,
    `SELECT k.id, a.username, k.kind, k.name, k.item_ids AS "itemIds", k.sealed,
       k.created_at AS "createdAt", k.expires_at AS "expiresAt",
       k.revoked_at AS "revokedAt", k.replaced_at AS "replacedAt"
     FROM api_keys k JOIN accounts a ON a.id = k.account_id
     ORDER BY a.username, k.created_at, k.id`,
  )
  for await (const page of pages) yield page.map((row) => withItemIds<SnapshotKey>(row))
}

/** SQLite has no booleans: `finish` makes them of the ones and noughts. */
async function* readPages<Row>(db: Database, sql: string, finish = (row: Row) => row) {
  let page: Row[] = []
  for (const row of db.query<Row, []>(sql).iterate()) {
    page.push(finish(row))
    if (page.length < pageRows) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
