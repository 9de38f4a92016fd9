import type { SignInStores, Store } from "../../domain/store.ts"
import { createAuthorSearch } from "../sql/catalogue/author-search.ts"
import { createOperatorReads } from "../sql/catalogue/operator-reads.ts"
import { createPulls } from "../sql/feed/pulls.ts"
import { type FoundKeyRow, selectFoundKeys } from "../sql/keys/api-key-rows.ts"
import { createApiKeys } from "../sql/keys/api-keys.ts"
import { createSigningKeys } from "../sql/keys/signing-keys.ts"
import { newestOf } from "../sql/migrate.ts"
import { createMetadata } from "../sql/running/metadata.ts"
import { createNodes } from "../sql/running/nodes.ts"
import { createAudit } from "../sql/sign-in/audit.ts"
import { createInvitations } from "../sql/sign-in/invitations.ts"
import { createOperatorTokens } from "../sql/sign-in/operator-tokens.ts"
import { createOperators } from "../sql/sign-in/operators.ts"
import { createPasswords } from "../sql/sign-in/passwords.ts"
import { createPreferences } from "../sql/sign-in/preferences.ts"
import { createSecondFactors } from "../sql/sign-in/second-factors.ts"
import { createSessionNotes } from "../sql/sign-in/session-notes.ts"
import { createSessions } from "../sql/sign-in/sessions.ts"
import { createSignInLinks } from "../sql/sign-in/sign-in-links.ts"
import { authorTables, operatorTables, type SignInTables } from "../sql/sign-in/sign-in-tables.ts"
import { createRejections } from "../sql/usage/rejections.ts"
import { createTraffic } from "../sql/usage/traffic.ts"
import { createUsage } from "../sql/usage/usage.ts"
import type { StoreUse } from "../sql/use.ts"
import { sqliteAccounts } from "./catalogue/accounts.ts"
import { sqliteItemSearch } from "./catalogue/item-search.ts"
import { sqliteItems } from "./catalogue/items.ts"
import { sqlitePurchases } from "./catalogue/purchases.ts"
import { openConnection } from "./connection/connection.ts"
import { type Database, openDatabase } from "./connection/database.ts"
import { diskFailed } from "./connection/errors.ts"
import { type SharedState, untilDiskFails } from "./connection/shared-state.ts"
import { sqliteFeed } from "./feed/feed.ts"
import { sqliteKeyChanges } from "./keys/key-changes.ts"
import { migrations } from "./migrations/migrations.ts"
import { rowidsOf } from "./migrations/purchase-rowids.ts"
import { sqliteStoreChecks } from "./running/store-checks.ts"
import { sqliteSignInFailures } from "./sign-in/sign-in-failures.ts"
import { sqliteCounts } from "./usage/counts.ts"

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
