import type { SignInStores, Store } from "../../domain/store.ts"
import { type FoundKeyRow, selectFoundKeys } from "../api-key-rows.ts"
import { createApiKeys } from "../api-keys.ts"
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
import { sqliteAccounts } from "./accounts.ts"
import { openConnection } from "./connection.ts"
import { sqliteCounts } from "./counts.ts"
import { type Database, openDatabase } from "./database.ts"
import { diskFailed } from "./errors.ts"
import { sqliteFeed } from "./feed.ts"
import { sqliteItemSearch } from "./item-search.ts"
import { sqliteItems } from "./items.ts"
import { sqliteKeyChanges } from "./key-changes.ts"
import { migrations } from "./migrations.ts"
import { rowidsOf } from "./purchase-rowids.ts"
import { sqlitePurchases } from "./purchases.ts"
import { type SharedState, untilDiskFails } from "./shared-state.ts"
import { sqliteSignInFailures } from "./sign-in-failures.ts"
import { sqliteStoreChecks } from "./store-checks.ts"

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
    keys: createApiKeys(db, "rowid", findKey(db)),
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
    signInLinks: createSignInLinks(db),
    preferences: createPreferences(db),
    audit: createAudit(db),
    authorSearch: createAuthorSearch(db, {
      titles: "accounts INDEXED BY accounts_by_search",
      idsInJson: "SELECT value FROM json_each($1)",
    }),
    counts: sqliteCounts(db),
    usage: createUsage(db),
    rejections: createRejections(db),
    traffic: createTraffic(db),
    signInFailures: sqliteSignInFailures(db),
    signingKeys: createSigningKeys(db),
    nodes: createNodes(db),
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

const findKey = (db: Database) => async (lookup: Uint8Array) => {
  const [row] = await db.read<FoundKeyRow>(`${selectFoundKeys} WHERE k.lookup = $1`, [lookup])
  return row
}

function filterByCode(code: string) {
  const { first, last } = rowidsOf(code)
  return ["p.place BETWEEN $1 AND $2", [first, last]] as const
}

const signInStores = (db: Database, tables: SignInTables): SignInStores => ({
  passwords: createPasswords(db, tables),
  sessions: createSessions(db, tables),
  sessionNotes: createSessionNotes(db, tables),
  invitations: createInvitations(db, tables),
})
