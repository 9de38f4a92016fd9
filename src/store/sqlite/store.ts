import type { SignInStores, Store } from "../../domain/store.ts"
import { createAudit } from "../audit.ts"
import { createAuthorSearch } from "../author-search.ts"
import { createMetadata } from "../metadata.ts"
import { newestOf } from "../migrate.ts"
import { createOperatorReads } from "../operator-reads.ts"
import { createOperatorTokens } from "../operator-tokens.ts"
import { createOperators } from "../operators.ts"
import { createPreferences } from "../preferences.ts"
import { createPulls } from "../pulls.ts"
import { createSecondFactors } from "../second-factors.ts"
import { authorTables, operatorTables, type SignInTables } from "../sign-in-tables.ts"
import type { StoreUse } from "../use.ts"
import { sqliteAccounts } from "./accounts.ts"
import { sqliteApiKeys } from "./api-keys.ts"
import { openConnection } from "./connection.ts"
import { type Database, openDatabase } from "./database.ts"
import { diskFailed } from "./errors.ts"
import { sqliteFeed } from "./feed.ts"
import { sqliteInvitations } from "./invitations.ts"
import { sqliteItemSearch } from "./item-search.ts"
import { sqliteItems } from "./items.ts"
import { sqliteKeyChanges } from "./key-changes.ts"
import { migrations } from "./migrations.ts"
import { sqliteNodes } from "./nodes.ts"
import { sqlitePasswords } from "./passwords.ts"
import { rowidsOf } from "./purchase-rowids.ts"
import { sqlitePurchases } from "./purchases.ts"
import { sqliteRejections } from "./rejections.ts"
import { sqliteSessionNotes } from "./session-notes.ts"
import { sqliteSessions } from "./sessions.ts"
import { type SharedState, untilDiskFails } from "./shared-state.ts"
import { sqliteSignInFailures } from "./sign-in-failures.ts"
import { sqliteSignInLinks } from "./sign-in-links.ts"
import { sqliteSigningKeys } from "./signing-keys.ts"
import { sqliteStoreChecks } from "./store-checks.ts"
import { sqliteTraffic } from "./traffic.ts"
import { sqliteUsage } from "./usage.ts"

export type SqliteAddress = Readonly<{
  path: string
  /** Shared by all threads that open the store. */
  shared: SharedState
}>

export async function openSqlite({ path, shared }: SqliteAddress, use: StoreUse): Promise<Store> {
  const db = openDatabase(path, use, shared)
  const metadata = createMetadata(db)
  return {
    accounts: sqliteAccounts(db),
    items: sqliteItems(db),
    purchases: sqlitePurchases(db),
    keys: sqliteApiKeys(db),
    keyChanges: sqliteKeyChanges(db),
    feed: sqliteFeed(db, () => openConnection(path, use)),
    pulls: createPulls(db),
    metadata,
    itemSearch: sqliteItemSearch(db),
    ...signInStores(db, authorTables),
    operatorSignIn: signInStores(db, operatorTables),
    operators: createOperators(db),
    secondFactors: createSecondFactors(db),
    operatorTokens: createOperatorTokens(db),
    signInLinks: sqliteSignInLinks(db),
    preferences: createPreferences(db),
    audit: createAudit(db),
    authorSearch: createAuthorSearch(db, {
      titles: "accounts INDEXED BY accounts_by_search",
      idsInJson: "SELECT value FROM json_each($1)",
    }),
    usage: sqliteUsage(db),
    rejections: sqliteRejections(db),
    traffic: sqliteTraffic(db),
    signInFailures: sqliteSignInFailures(db),
    signingKeys: sqliteSigningKeys(db),
    nodes: sqliteNodes(db),
    nodeMessages: null,
    operatorReads: createOperatorReads(db, filterByCode, "c.place = p.place"),
    checks: sqliteStoreChecks(db),
    schemaVersion: newestOf(migrations),
    async probe() {
      db.assertUnchanged()
      await metadata.find("")
    },
    async untilFailed() {
      await untilDiskFails(shared)
      return diskFailed()
    },
    measure: () => ({
      pools: null,
      rowCache: db.rowCounts,
      writes: db.writes,
      replicaLagSeconds: [],
    }),
    close: () => db.close(),
  }
}

function filterByCode(code: string) {
  const { first, last } = rowidsOf(code)
  return ["p.place BETWEEN $1 AND $2", [first, last]] as const
}

const signInStores = (db: Database, tables: SignInTables): SignInStores => ({
  passwords: sqlitePasswords(db, tables),
  sessions: sqliteSessions(db, tables),
  sessionNotes: sqliteSessionNotes(db, tables),
  invitations: sqliteInvitations(db, tables),
})
