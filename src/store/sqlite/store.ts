import type { Store } from "../../domain/store.ts"
import type { StoreUse } from "../use.ts"
import { sqliteAccounts } from "./accounts.ts"
import { sqliteApiKeys } from "./api-keys.ts"
import { sqliteChangeCount } from "./changes.ts"
import { assertUnchanged, createWriteCount, endReading, openDatabase } from "./database.ts"
import { sqliteFeed } from "./feed.ts"
import { sqliteInvitations } from "./invitations.ts"
import { sqliteItemSearch } from "./item-search.ts"
import { sqliteItems } from "./items.ts"
import { sqliteKeyChanges } from "./key-changes.ts"
import { sqliteKeyEvents } from "./key-events.ts"
import { sqliteMetadata } from "./metadata.ts"
import { sqlitePasswords } from "./passwords.ts"
import { sqlitePreferences } from "./preferences.ts"
import { sqlitePurchases } from "./purchases.ts"
import { sqliteSessionNotes } from "./session-notes.ts"
import { sqliteSessions } from "./sessions.ts"
import { sqliteSignInFailures } from "./sign-in-failures.ts"
import { sqliteUsage } from "./usage.ts"

export async function openSqlite(
  path: string,
  use: StoreUse,
  writes = createWriteCount(),
): Promise<Store> {
  const db = openDatabase(path, use, writes)
  const changeCount = sqliteChangeCount(db)
  const metadata = sqliteMetadata(db)
  return {
    accounts: sqliteAccounts(db, changeCount),
    items: sqliteItems(db, changeCount),
    purchases: sqlitePurchases(db),
    keys: sqliteApiKeys(db),
    keyChanges: sqliteKeyChanges(changeCount),
    feed: sqliteFeed(db, use),
    metadata,
    itemSearch: sqliteItemSearch(db),
    passwords: sqlitePasswords(db),
    sessions: sqliteSessions(db),
    sessionNotes: sqliteSessionNotes(db),
    invitations: sqliteInvitations(db),
    preferences: sqlitePreferences(db),
    keyEvents: sqliteKeyEvents(db),
    usage: sqliteUsage(db),
    signInFailures: sqliteSignInFailures(db),
    async probe() {
      assertUnchanged(db)
      await metadata.find("")
    },
    async close() {
      endReading(db)
      db.close()
    },
  }
}
