import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import type { Store } from "../../domain/store.ts"
import { sqliteAccounts } from "./accounts.ts"
import { sqliteApiKeys } from "./api-keys.ts"
import { openDatabase } from "./database.ts"
import { sqliteFeed } from "./feed.ts"
import { sqliteItems } from "./items.ts"
import { sqliteMarks } from "./marks.ts"
import { sqlitePurchases } from "./purchases.ts"

export async function openSqlite(path: string): Promise<Store> {
  // The database holds what authors earn and what buyers bought: for its owner's eyes.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const db = openDatabase(path)
  return {
    accounts: sqliteAccounts(db),
    items: sqliteItems(db),
    purchases: sqlitePurchases(db),
    keys: sqliteApiKeys(db),
    feed: sqliteFeed(db),
    marks: sqliteMarks(db),
    async close() {
      db.close()
    },
  }
}
