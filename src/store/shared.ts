import { createAuditStore } from "../access/audit-store.ts"
import { createOperatorTokenStore } from "../access/token-store.ts"
import { createAuthorSearch } from "../accounts/account-store.ts"
import { createPullStore } from "../feed/import-run-store.ts"
import { createItemSearch } from "../items/item-store.ts"
import { createKeySearch } from "../keys/key-store.ts"
import { createEmailStore } from "../mail/email-store.ts"
import { createPersonStores } from "../people/person-store.ts"
import { createSignInStores } from "../people/sign-in-store.ts"
import { createMetadataStore } from "../platform/database/metadata.ts"
import type { SqlDatabase } from "../platform/database/sql.ts"
import { createSaleStore } from "../purchases/sale-store.ts"
import { createSiteStore } from "../purchases/site-store.ts"
import { createSigningKeyStore } from "../signing/signing-key-store.ts"
import {
  createCountStore,
  createFailedRequestStore,
  createUsageStore,
} from "../usage/usage-store.ts"
import { createEndpointStore, createMessageStore } from "../webhooks/webhook-store.ts"
import { createEncryptedRowStore } from "./encrypted-row-store.ts"
import { createNodeStore } from "./node-store.ts"
import type { Store } from "./store.ts"

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
    ...createPersonStores(db),
    ...createSignInStores(db),
    operatorTokens: createOperatorTokenStore(db),
    audit: createAuditStore(db),
    authorSearch: createAuthorSearch(pages),
    usage: createUsageStore(pages),
    failedRequests: createFailedRequestStore(pages),
    signingKeys: createSigningKeyStore(db),
    encryptedRows: createEncryptedRowStore(db),
    nodes: createNodeStore(db),
    keySearch: createKeySearch(pages),
  } satisfies Partial<Store>
}
