import type { Store } from "../../domain/store.ts"
import { postgresAccounts } from "./accounts.ts"
import { postgresApiKeys } from "./api-keys.ts"
import { openDatabase } from "./database.ts"
import { postgresFeed } from "./feed.ts"
import { postgresInvitations } from "./invitations.ts"
import { postgresItemSearch } from "./item-search.ts"
import { postgresItems } from "./items.ts"
import { postgresKeyEvents } from "./key-events.ts"
import { postgresMarks } from "./marks.ts"
import { postgresPasswords } from "./passwords.ts"
import { postgresPreferences } from "./preferences.ts"
import { postgresPurchases } from "./purchases.ts"
import { postgresSessions } from "./sessions.ts"
import { postgresUsage } from "./usage.ts"

export async function openPostgres(url: string): Promise<Store> {
  const db = await openDatabase(url)
  return {
    accounts: postgresAccounts(db),
    items: postgresItems(db),
    purchases: postgresPurchases(db),
    keys: postgresApiKeys(db),
    feed: postgresFeed(db),
    marks: postgresMarks(db),
    itemSearch: postgresItemSearch(db),
    passwords: postgresPasswords(db),
    sessions: postgresSessions(db),
    invitations: postgresInvitations(db),
    preferences: postgresPreferences(db),
    keyEvents: postgresKeyEvents(db),
    usage: postgresUsage(db),
    close: () => db.close(),
  }
}
