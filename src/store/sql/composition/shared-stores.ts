import type { Store } from "../../../domain/store.ts"
import { createAuthorSearch } from "../catalog/account-store.ts"
import { createItemSearch } from "../catalog/item-search.ts"
import { createSaleStore } from "../catalog/sale-store.ts"
import { createSiteStore } from "../catalog/site-store.ts"
import { createEndpointStore } from "../events/endpoint-store.ts"
import { createMessageStore } from "../events/message-store.ts"
import { createPullStore } from "../feed/import-run-store.ts"
import { createNodeStore } from "../health-store.ts"
import { createKeySearch } from "../keys/api-key-store.ts"
import { createEncryptedRowStore } from "../keys/encrypted-row-store.ts"
import { createSigningKeyStore } from "../keys/signing-key-store.ts"
import { createEmailStore } from "../mail/email-store.ts"
import { createMetadataStore } from "../metadata-store.ts"
import { createAuditStore } from "../sign-in/audit-store.ts"
import { createIdentityStore } from "../sign-in/identity-store.ts"
import { createOperatorStore, createOperatorTokenStore } from "../sign-in/operator-store.ts"
import { createPasskeyStore } from "../sign-in/passkey-store.ts"
import { createPersonStore } from "../sign-in/person-store.ts"
import {
  createInvitationStore,
  createPasswordStore,
  createSessionStore,
  createSignInFailureStore,
  createSignInLinkStore,
  createTwoFactorStore,
} from "../sign-in/sign-in-stores.ts"
import type { SqlDatabase } from "../sql-database.ts"
import { createCountStore } from "../usage/count-store.ts"
import { createOperatorReads } from "../usage/operator-queries.ts"
import { createFailedRequestStore, createUsageStore } from "../usage/usage-store.ts"

/** `pages` is the connection for pages of authors and operators. */
export function createSharedStores(db: SqlDatabase, pages: SqlDatabase) {
  const sites = createSiteStore(db)
  return {
    sites,
    itemSearch: createItemSearch(pages),
    sales: createSaleStore(pages),
    counts: createCountStore(db, sites),
    pulls: createPullStore(db),
    endpoints: createEndpointStore(db),
    messages: createMessageStore(db),
    emails: createEmailStore(db),
    metadata: createMetadataStore(db),
    people: createPersonStore(db),
    passwords: createPasswordStore(db),
    passkeys: createPasskeyStore(db),
    identities: createIdentityStore(db),
    sessions: createSessionStore(db),
    invitations: createInvitationStore(db),
    twoFactor: createTwoFactorStore(db),
    signInFailures: createSignInFailureStore(db),
    operators: createOperatorStore(db),
    operatorTokens: createOperatorTokenStore(db),
    signInLinks: createSignInLinkStore(db),
    audit: createAuditStore(db),
    authorSearch: createAuthorSearch(pages),
    usage: createUsageStore(pages),
    failedRequests: createFailedRequestStore(pages),
    signingKeys: createSigningKeyStore(db),
    encryptedRows: createEncryptedRowStore(db),
    nodes: createNodeStore(db),
    operatorReads: createOperatorReads(pages),
    keySearch: createKeySearch(pages),
  } satisfies Partial<Store>
}
