/** All stores of the database, opened and closed together. */
import { createAccessStores } from "../access/audit-store.ts"
import type { AccountStore } from "../accounts/account.ts"
import { createAuthorSearch } from "../accounts/account-store.ts"
import type { FeedStore } from "../feed/import-run.ts"
import { createPullStore } from "../feed/import-run-store.ts"
import type { ItemStore } from "../items/item.ts"
import { createItemSearch } from "../items/item-store.ts"
import type { ApiKeyStore } from "../keys/key.ts"
import { createKeySearch } from "../keys/key-store.ts"
import { createEmailStore } from "../mail/email-store.ts"
import { createPersonStores } from "../people/person-store.ts"
import { createSignInStores } from "../people/sign-in-store.ts"
import { createMetadataStore } from "../platform/database/metadata.ts"
import type { SqlDatabase, WriteTimes } from "../platform/database/sql.ts"
import type { StoreUnavailable } from "../platform/error.ts"
import type { PurchaseStore } from "../purchases/purchase.ts"
import { createPurchaseStores } from "../purchases/sale-store.ts"
import { createSigningKeyStore } from "../signing/signing-key-store.ts"
import { createUsageStores } from "../usage/usage-store.ts"
import { createWebhookStores } from "../webhooks/webhook-store.ts"
import type { StoreChecks } from "./checks.ts"
import { createEncryptedRowStore } from "./encrypted-row-store.ts"
import { createNodeStore } from "./node.ts"

/** The stores with the same SQL on both databases. `pages` is the connection for pages of authors and operators. */
export function createSharedStores(db: SqlDatabase, pages: SqlDatabase) {
  const purchases = createPurchaseStores(db, pages)
  return {
    ...createPersonStores(db),
    ...createSignInStores(db),
    ...createAccessStores(db),
    ...purchases,
    ...createUsageStores(db, pages, purchases.sites),
    ...createWebhookStores(db),
    authorSearch: createAuthorSearch(pages),
    itemSearch: createItemSearch(pages),
    keySearch: createKeySearch(pages),
    signingKeys: createSigningKeyStore(db),
    pulls: createPullStore(db),
    emails: createEmailStore(db),
    metadata: createMetadataStore(db),
    nodes: createNodeStore(db),
    encryptedRows: createEncryptedRowStore(db),
  }
}

/** The shared stores, and what each adapter implements. */
export type Store = Readonly<ReturnType<typeof createSharedStores>> &
  Readonly<{
    accounts: AccountStore
    items: ItemStore
    purchases: PurchaseStore
    keys: ApiKeyStore
    feed: FeedStore
    checks: StoreChecks
    schemaVersion: number
    /** Resolves if the catalog can be read, also from a standby. Throws StoreUnavailable otherwise. */
    probe(): Promise<void>
    /**
     * Resolves when only a restart can make the store usable again, for example after a disk failed to save a write.
     * From then on this thread writes nothing, and `close` leaves the files unchanged.
     */
    untilFailed(): Promise<StoreUnavailable>
    /** Writes of this thread. A write that only timed out on a lock counts as neither. Performs no I/O. */
    writeTimes(): Readonly<WriteTimes>
    close(): Promise<void>
  }>
