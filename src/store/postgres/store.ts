import type { Store } from "../../domain/store.ts"
import { createKeyEvents } from "../key-events.ts"
import { createMetadata } from "../metadata.ts"
import { createPreferences } from "../preferences.ts"
import type { StoreUse } from "../use.ts"
import { postgresAccounts } from "./accounts.ts"
import { postgresApiKeys } from "./api-keys.ts"
import { readFromReplicas } from "./catalogue.ts"
import { assertVersion, connect, openDatabase } from "./database.ts"
import { feedPatience, postgresFeed } from "./feed.ts"
import { postgresInvitations } from "./invitations.ts"
import { postgresItemSearch } from "./item-search.ts"
import { postgresItems } from "./items.ts"
import { postgresKeyChanges, type Tell, tellOwnChanges } from "./key-changes.ts"
import { postgresPasswords } from "./passwords.ts"
import { noHeartbeat, openPrimaryHeartbeat } from "./primary-heartbeat.ts"
import { postgresPurchases } from "./purchases.ts"
import { openReplicas } from "./replicas.ts"
import { postgresSessionNotes } from "./session-notes.ts"
import { postgresSessions } from "./sessions.ts"
import { postgresSignInFailures } from "./sign-in-failures.ts"
import { postgresUsage } from "./usage.ts"

export type PostgresAddress = Readonly<{
  url: string
  replicaUrls: readonly string[]
  /** To each of the servers. */
  connectionsMax: number
}>

/** A command asks the primary and is gone; only a server is worth a heartbeat. */
export async function openPostgres(
  { url, replicaUrls, connectionsMax }: PostgresAddress,
  use: StoreUse,
): Promise<Store> {
  const db = await openDatabase(url, connectionsMax)
  // A pool of their own: pushes that wait for an import must not take the connections of the API.
  const feeds = connect(url, feedPatience)
  const watchers: Tell[] = []
  const tell: Tell = (changed) => {
    for (const watcher of watchers) watcher(changed)
  }
  const heartbeat = use === "serve" ? openPrimaryHeartbeat(url, tell) : noHeartbeat
  const replicas = openReplicas(use === "serve" ? replicaUrls : [], connectionsMax, heartbeat)
  const accounts = postgresAccounts(db)
  const primary = { accounts, items: postgresItems(db), purchases: postgresPurchases(db) }
  const catalogue =
    replicaUrls.length === 0 ? primary : readFromReplicas(primary, replicas, heartbeat)
  const metadata = createMetadata(db)
  return {
    accounts: { ...accounts, ...catalogue.accounts },
    items: catalogue.items,
    purchases: catalogue.purchases,
    keys: tellOwnChanges(postgresApiKeys(db), tell),
    keyChanges: postgresKeyChanges(heartbeat, replicas, (watcher) => watchers.push(watcher)),
    feed: postgresFeed(db, feeds, use),
    metadata,
    itemSearch: postgresItemSearch(db),
    passwords: postgresPasswords(db),
    sessions: postgresSessions(db),
    sessionNotes: postgresSessionNotes(db),
    invitations: postgresInvitations(db),
    preferences: createPreferences(db),
    keyEvents: createKeyEvents(db),
    usage: postgresUsage(db),
    signInFailures: postgresSignInFailures(db),
    async probe() {
      const version = heartbeat.lastVersion()
      if (version !== null) assertVersion(version)
      // A replica that is well has answered within the last second: nothing need wait for the primary.
      if (!replicas.isAnyWell()) await metadata.find("")
    },
    async close() {
      await Promise.all([heartbeat.close(), replicas.close()])
      await Promise.all([db.close(), feeds.close()])
    },
  }
}
