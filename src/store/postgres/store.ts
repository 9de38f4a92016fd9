import { lowerAscii } from "../../domain/purchase-code.ts"
import type { SignInStores, Store } from "../../domain/store.ts"
import { createAudit } from "../audit.ts"
import { createAuthorSearch } from "../author-search.ts"
import { createInvitations } from "../invitations.ts"
import { createMetadata } from "../metadata.ts"
import { newestOf } from "../migrate.ts"
import { createNodes } from "../nodes.ts"
import { createOperatorReads } from "../operator-reads.ts"
import { createOperatorTokens } from "../operator-tokens.ts"
import { createOperators } from "../operators.ts"
import { createPasswords } from "../passwords.ts"
import { createPreferences } from "../preferences.ts"
import { createPulls } from "../pulls.ts"
import { createRejections } from "../rejections.ts"
import { createSecondFactors } from "../second-factors.ts"
import { createSessionNotes } from "../session-notes.ts"
import { createSessions } from "../sessions.ts"
import { createSignInLinks } from "../sign-in-links.ts"
import { authorTables, operatorTables, type SignInTables } from "../sign-in-tables.ts"
import { createSigningKeys } from "../signing-keys.ts"
import { createTraffic } from "../traffic.ts"
import { createUsage } from "../usage.ts"
import type { StoreUse } from "../use.ts"
import { postgresAccounts } from "./accounts.ts"
import { postgresApiKeys } from "./api-keys.ts"
import { readFromReplicas } from "./catalogue.ts"
import { postgresCounts } from "./counts.ts"
import { connect, type Database, openDatabase } from "./database.ts"
import { feedPool, postgresFeed } from "./feed.ts"
import { postgresItemSearch } from "./item-search.ts"
import { postgresItems } from "./items.ts"
import { type NotifyChange, notifyOwnChanges, postgresKeyChanges } from "./key-changes.ts"
import { migrations } from "./migrations.ts"
import { postgresNodeMessages } from "./node-messages.ts"
import { noHeartbeat, openPrimaryHeartbeat } from "./primary-heartbeat.ts"
import { postgresPurchases } from "./purchases.ts"
import { openReplicas } from "./replicas.ts"
import { postgresSignInFailures } from "./sign-in-failures.ts"
import { postgresStoreChecks } from "./store-checks.ts"
import { assertVersion } from "./version.ts"

export type PostgresAddress = Readonly<{
  url: string
  replicaUrls: readonly string[]
  /** For each of the servers. */
  connectionsMax: number
}>

const noRowCache = { hits: 0, misses: 0 }

/** A command only asks the primary; a server also runs heartbeats and reads from replicas. */
export async function openPostgres(
  { url, replicaUrls, connectionsMax }: PostgresAddress,
  use: StoreUse,
): Promise<Store> {
  const db = await openDatabase(url, connectionsMax)
  // A separate pool: pushes that wait for an import must not use up the connections of the API.
  const feeds = connect(url, feedPool)
  const watchers: NotifyChange[] = []
  const notify: NotifyChange = (changed) => {
    for (const watcher of watchers) watcher(changed)
  }
  const heartbeat = use === "serve" ? openPrimaryHeartbeat(url, notify) : noHeartbeat
  const replicas = openReplicas(use === "serve" ? replicaUrls : [], connectionsMax, heartbeat)
  const accounts = postgresAccounts(db)
  const purchases = postgresPurchases(db)
  const primary = { accounts, items: postgresItems(db), purchases }
  const catalogue =
    replicaUrls.length === 0 ? primary : readFromReplicas(primary, replicas, heartbeat)
  const metadata = createMetadata(db)
  return {
    accounts: { ...accounts, ...catalogue.accounts },
    items: catalogue.items,
    purchases: { ...purchases, ...catalogue.purchases },
    keys: notifyOwnChanges(postgresApiKeys(db), notify),
    keyChanges: postgresKeyChanges(heartbeat, replicas, (watcher) => watchers.push(watcher)),
    feed: postgresFeed(db, feeds, use),
    pulls: createPulls(db),
    metadata,
    itemSearch: postgresItemSearch(db),
    ...signInStores(db, authorTables),
    operatorSignIn: signInStores(db, operatorTables),
    operators: createOperators(db),
    secondFactors: createSecondFactors(db),
    operatorTokens: createOperatorTokens(db),
    signInLinks: createSignInLinks(db),
    preferences: createPreferences(db),
    audit: createAudit(db),
    authorSearch: createAuthorSearch(db, {
      titles: "accounts",
      idsInJson: "SELECT value::integer FROM json_array_elements_text($1::json)",
    }),
    counts: postgresCounts(db),
    usage: createUsage(db),
    rejections: createRejections(db),
    traffic: createTraffic(db),
    signInFailures: postgresSignInFailures(db),
    signingKeys: createSigningKeys(db),
    nodes: createNodes(db),
    nodeMessages: postgresNodeMessages(db, url),
    operatorReads: createOperatorReads(
      db,
      (code) => ["lower(p.code) = $1", [lowerAscii(code)]],
      "c.code = p.code",
    ),
    checks: postgresStoreChecks(db, replicaUrls),
    schemaVersion: newestOf(migrations),
    async probe() {
      const version = heartbeat.lastVersion()
      if (version !== null) assertVersion(version)
      // A healthy replica has answered within the last second, so there is no need to ask the primary.
      if (!replicas.isAnyHealthy()) await metadata.find("")
    },
    untilFailed: () => new Promise(() => {}),
    measure: () => ({
      pools: { primary: db.measure(), replica: replicas.measure(), feed: feeds.measure() },
      rowCache: noRowCache,
      writes: {
        succeededAtMs: Math.max(db.writes.succeededAtMs, feeds.writes.succeededAtMs),
        failedAtMs: Math.max(db.writes.failedAtMs, feeds.writes.failedAtMs),
      },
      replicaLagSeconds: replicas.lagSeconds(),
    }),
    async close() {
      await Promise.all([heartbeat.close(), replicas.close()])
      await Promise.all([db.close(), feeds.close()])
    },
  }
}

const signInStores = (db: Database, tables: SignInTables): SignInStores => ({
  passwords: createPasswords(db, tables),
  sessions: createSessions(db, tables),
  sessionNotes: createSessionNotes(db, tables),
  invitations: createInvitations(db, tables),
})
