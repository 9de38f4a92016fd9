import type { SignInStores, Store } from "../../../domain/store.ts"
import { createAuthorSearch } from "../catalog/author-search-queries.ts"
import { createEndpointStore } from "../events/endpoint-store.ts"
import { createMessageStore } from "../events/message-store.ts"
import { createPullStore } from "../feed/import-run-store.ts"
import { createNodeStore } from "../health/node-store.ts"
import { createEncryptedRowStore } from "../keys/encrypted-row-store.ts"
import { createKeySearch } from "../keys/key-search-queries.ts"
import { createSigningKeyStore } from "../keys/signing-key-store.ts"
import { createEmailStore } from "../mail/email-store.ts"
import { createMetadataStore } from "../metadata/metadata-store.ts"
import { createAuditStore } from "../sign-in/audit-store.ts"
import { createInvitationStore, createSignInLinkStore } from "../sign-in/invitation-store.ts"
import { createOperatorStore, createOperatorTokenStore } from "../sign-in/operator-store.ts"
import { createPasswordStore } from "../sign-in/password-store.ts"
import { createPreferenceStore } from "../sign-in/preference-store.ts"
import { createSessionStore } from "../sign-in/session-store.ts"
import { createSignInFailureStore } from "../sign-in/sign-in-failure-store.ts"
import { authorTables, operatorTables, type SignInTables } from "../sign-in/sign-in-tables.ts"
import { createTwoFactorStore } from "../sign-in/two-factor-store.ts"
import type { SqlDatabase } from "../sql-database.ts"
import { createOperatorLists } from "../usage/operator-list-queries.ts"
import { createOperatorReads } from "../usage/operator-read-queries.ts"
import { createFailedRequestStore, createUsageStore } from "../usage/usage-store.ts"

type Differences = Readonly<{
  /** The accounts table with the covering index of a search. */
  accountTitles: string
  /** The items table as `i` with the covering index of the list of all items. */
  itemTitles: string
}>

/** `pages` is the connection for pages of authors and operators. */
export const createSharedStores = (
  db: SqlDatabase,
  pages: SqlDatabase,
  { accountTitles, itemTitles }: Differences,
) =>
  ({
    pulls: createPullStore(db),
    endpoints: createEndpointStore(db),
    messages: createMessageStore(db),
    emails: createEmailStore(db),
    metadata: createMetadataStore(db),
    ...createSignIn(db, authorTables),
    operatorSignIn: createSignIn(db, operatorTables),
    signInFailures: createSignInFailureStore(db),
    operators: createOperatorStore(db),
    operatorTokens: createOperatorTokenStore(db),
    signInLinks: createSignInLinkStore(db),
    preferences: createPreferenceStore(db),
    audit: createAuditStore(db),
    authorSearch: createAuthorSearch(pages, accountTitles),
    usage: createUsageStore(pages),
    failedRequests: createFailedRequestStore(pages),
    signingKeys: createSigningKeyStore(db),
    encryptedRows: createEncryptedRowStore(db),
    nodes: createNodeStore(db),
    operatorReads: createOperatorReads(pages),
    operatorLists: createOperatorLists(pages, itemTitles),
    keySearch: createKeySearch(pages),
  }) satisfies Partial<Store>

const createSignIn = (db: SqlDatabase, tables: SignInTables): SignInStores => ({
  passwords: createPasswordStore(db, tables),
  sessions: createSessionStore(db, tables),
  invitations: createInvitationStore(db, tables),
  twoFactor: createTwoFactorStore(db, tables),
})
