/** The parts of a store whose SQL is the same for both databases. */
import type { SignInStores, Store } from "../../../domain/store.ts"
import { createAuthorSearch } from "../catalogue/author-search.ts"
import type { SqlDatabase } from "../database.ts"
import { createEndpoints } from "../events/endpoints.ts"
import { createMessages } from "../events/messages.ts"
import { createPulls } from "../feed/import-runs.ts"
import { createSealedRows } from "../keys/sealed-rows.ts"
import { createSigningKeyStore } from "../keys/signing-keys.ts"
import { createAudit } from "../sign-in/audit.ts"
import { createInvitations, createSignInLinks } from "../sign-in/invitations.ts"
import { createOperators, createOperatorTokens } from "../sign-in/operators.ts"
import { createPasswords } from "../sign-in/passwords.ts"
import { createPreferences } from "../sign-in/preferences.ts"
import { createSecondFactors } from "../sign-in/second-factors.ts"
import { createSessions } from "../sign-in/sessions.ts"
import { createSignInFailures } from "../sign-in/sign-in-failures.ts"
import { authorTables, operatorTables, type SignInTables } from "../sign-in/sign-in-tables.ts"
import { createOperatorLists } from "../usage/operator-lists.ts"
import { createOperatorReads } from "../usage/operator-reads.ts"
import { createFailedCalls, createUsage } from "../usage/usage.ts"
import { createMetadata } from "./metadata.ts"
import { createNodes } from "./nodes.ts"

type Differences = Readonly<{
  /** The table of accounts, with the index that holds all that a search compares. */
  accountTitles: string
  /** That of items as `i`, with the index that holds all that a list of all authors shows. */
  itemTitles: string
}>

/** `pages` is the database as the pages of authors and operators read it. */
export const createSharedStores = (
  db: SqlDatabase,
  pages: SqlDatabase,
  { accountTitles, itemTitles }: Differences,
) =>
  ({
    pulls: createPulls(db),
    endpoints: createEndpoints(db),
    messages: createMessages(db),
    metadata: createMetadata(db),
    ...createSignIn(db, authorTables),
    operatorSignIn: createSignIn(db, operatorTables),
    signInFailures: createSignInFailures(db),
    operators: createOperators(db),
    operatorTokens: createOperatorTokens(db),
    signInLinks: createSignInLinks(db),
    preferences: createPreferences(db),
    audit: createAudit(db),
    authorSearch: createAuthorSearch(pages, accountTitles),
    usage: createUsage(pages),
    failedCalls: createFailedCalls(pages),
    signingKeys: createSigningKeyStore(db),
    sealedRows: createSealedRows(db),
    nodes: createNodes(db),
    operatorReads: createOperatorReads(pages),
    operatorLists: createOperatorLists(pages, itemTitles),
  }) satisfies Partial<Store>

const createSignIn = (db: SqlDatabase, tables: SignInTables): SignInStores => ({
  passwords: createPasswords(db, tables),
  sessions: createSessions(db, tables),
  invitations: createInvitations(db, tables),
  secondFactors: createSecondFactors(db, tables),
})
