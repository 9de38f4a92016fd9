/** The contract suites of all interfaces of the store. An interface without a suite does not compile. */

import { auditStoreContract } from "../../../src/access/audit-store.contract.ts"
import { operatorTokenStoreContract } from "../../../src/access/token-store.contract.ts"
import { accountStoreContract } from "../../../src/accounts/account-store.contract.ts"
import { authorSearchContract } from "../../../src/accounts/author-search-store.contract.ts"
import { suspensionContract } from "../../../src/accounts/suspension-store.contract.ts"
import { feedAsOfContract } from "../../../src/feed/feed-as-of-store.contract.ts"
import { feedMassChangesContract } from "../../../src/feed/feed-mass-changes-store.contract.ts"
import { feedPatchContract } from "../../../src/feed/feed-patches-store.contract.ts"
import { feedPendingContract } from "../../../src/feed/feed-pending-store.contract.ts"
import { feedRenameContract } from "../../../src/feed/feed-renames-store.contract.ts"
import { feedStoreContract } from "../../../src/feed/feed-store.contract.ts"
import { feedSumsContract } from "../../../src/feed/feed-sums-store.contract.ts"
import { importRunsContract } from "../../../src/feed/import-run-store.contract.ts"
import { pullStoreContract } from "../../../src/feed/pull-store.contract.ts"
import { purchaseEventsContract } from "../../../src/feed/purchase-events-store.contract.ts"
import { itemSearchContract } from "../../../src/items/item-search-store.contract.ts"
import { itemStoreContract } from "../../../src/items/item-store.contract.ts"
import { keySearchContract } from "../../../src/keys/key-search-store.contract.ts"
import { apiKeyStoreContract } from "../../../src/keys/key-store.contract.ts"
import { emailStoreContract } from "../../../src/mail/email-store.contract.ts"
import { identityStoreContract } from "../../../src/people/identity-store.contract.ts"
import { invitationStoreContract } from "../../../src/people/invitation-store.contract.ts"
import { operatorStoreContract } from "../../../src/people/operator-store.contract.ts"
import { passkeyStoreContract } from "../../../src/people/passkey-store.contract.ts"
import { passwordStoreContract } from "../../../src/people/password-store.contract.ts"
import { personStoreContract } from "../../../src/people/person-store.contract.ts"
import { sessionStoreContract } from "../../../src/people/session-store.contract.ts"
import { signInFailureStoreContract } from "../../../src/people/sign-in-failure-store.contract.ts"
import { signInLinkStoreContract } from "../../../src/people/sign-in-link-store.contract.ts"
import { twoFactorStoreContract } from "../../../src/people/two-factor-store.contract.ts"
import { metadataStoreContract } from "../../../src/platform/database/metadata.contract.ts"
import { purchaseStoreContract } from "../../../src/purchases/purchase-store.contract.ts"
import { saleStoreContract } from "../../../src/purchases/sale-store.contract.ts"
import { siteStoreContract } from "../../../src/purchases/site-store.contract.ts"
import { signingKeyStoreContract } from "../../../src/signing/signing-key-store.contract.ts"
import { acrossAccountsContract } from "../../../src/store/across-accounts-store.contract.ts"
import { storeChecksContract } from "../../../src/store/checks.contract.ts"
import { encryptedRowContract } from "../../../src/store/encrypted-row-store.contract.ts"
import { nodeStoreContract } from "../../../src/store/node.contract.ts"
import type { Store } from "../../../src/store/store.ts"
import { writeTimesContract } from "../../../src/store/write-times-store.contract.ts"
import { failedRequestStoreContract } from "../../../src/usage/failed-request-store.contract.ts"
import { usageStoreContract } from "../../../src/usage/usage-store.contract.ts"
import { endpointStoreContract } from "../../../src/webhooks/endpoint-store.contract.ts"
import { messageStoreContract } from "../../../src/webhooks/message-store.contract.ts"
import type { OpenEmpty } from "./store-records.ts"

export type StoreOpening = Readonly<{
  openEmpty: OpenEmpty
  /** Opens two stores on one empty database. */
  openTwo(): Promise<[Store, Store]>
}>

/** `usage` and `failedRequests` read the rows of `counts`. */
type Port = Exclude<keyof Store, "counts" | "schemaVersion" | "probe" | "untilFailed" | "close">
type Contract = (adapter: string, opening: StoreOpening) => void

const contracts: Readonly<Record<Port | "acrossAccounts", Contract>> = {
  acrossAccounts: (adapter, { openEmpty }) => acrossAccountsContract(adapter, openEmpty),
  accounts(adapter, { openEmpty }) {
    accountStoreContract(adapter, openEmpty)
    suspensionContract(adapter, openEmpty)
  },
  items: (adapter, { openEmpty }) => itemStoreContract(adapter, openEmpty),
  purchases: (adapter, { openEmpty }) => purchaseStoreContract(adapter, openEmpty),
  sales: (adapter, { openEmpty }) => saleStoreContract(adapter, openEmpty),
  sites: siteStoreContract,
  keys: (adapter, { openEmpty }) => apiKeyStoreContract(adapter, openEmpty),
  feed: (adapter, { openEmpty }) => {
    feedStoreContract(adapter, openEmpty)
    importRunsContract(adapter, openEmpty)
    feedPatchContract(adapter, openEmpty)
    feedRenameContract(adapter, openEmpty)
    feedAsOfContract(adapter, openEmpty)
    feedMassChangesContract(adapter, openEmpty)
    feedPendingContract(adapter, openEmpty)
    feedSumsContract(adapter, openEmpty)
  },
  pulls: (adapter, { openEmpty }) => pullStoreContract(adapter, openEmpty),
  endpoints: (adapter, { openEmpty }) => endpointStoreContract(adapter, openEmpty),
  messages(adapter, { openEmpty, openTwo }) {
    messageStoreContract(adapter, openTwo)
    purchaseEventsContract(adapter, openEmpty)
  },
  emails: (adapter, { openTwo }) => emailStoreContract(adapter, openTwo),
  metadata: (adapter, { openEmpty }) => metadataStoreContract(adapter, openEmpty),
  itemSearch: (adapter, { openEmpty }) => itemSearchContract(adapter, openEmpty),
  people: (adapter, { openEmpty }) => personStoreContract(adapter, openEmpty),
  passkeys: (adapter, { openEmpty }) => passkeyStoreContract(adapter, openEmpty),
  passwords: (adapter, { openEmpty }) => passwordStoreContract(adapter, openEmpty),
  identities: (adapter, { openEmpty }) => identityStoreContract(adapter, openEmpty),
  sessions: (adapter, { openEmpty }) => sessionStoreContract(adapter, openEmpty),
  invitations: (adapter, { openEmpty }) => invitationStoreContract(adapter, openEmpty),
  twoFactor: (adapter, { openEmpty }) => twoFactorStoreContract(adapter, openEmpty),
  operators: (adapter, { openEmpty }) => operatorStoreContract(adapter, openEmpty),
  operatorTokens: (adapter, { openEmpty }) => operatorTokenStoreContract(adapter, openEmpty),
  signInLinks: (adapter, { openEmpty }) => signInLinkStoreContract(adapter, openEmpty),
  authorSearch: (adapter, { openEmpty }) => authorSearchContract(adapter, openEmpty),
  audit: (adapter, { openEmpty }) => auditStoreContract(adapter, openEmpty),
  usage: (adapter, { openEmpty }) => usageStoreContract(adapter, openEmpty),
  failedRequests: (adapter, { openEmpty }) => failedRequestStoreContract(adapter, openEmpty),
  signInFailures: (adapter, { openEmpty }) => signInFailureStoreContract(adapter, openEmpty),
  signingKeys: (adapter, { openTwo }) => signingKeyStoreContract(adapter, openTwo),
  encryptedRows: (adapter, { openEmpty }) => encryptedRowContract(adapter, openEmpty),
  nodes: (adapter, { openEmpty }) => nodeStoreContract(adapter, openEmpty),
  keySearch: (adapter, { openEmpty }) => keySearchContract(adapter, openEmpty),
  checks: (adapter, { openEmpty }) => storeChecksContract(adapter, openEmpty),
  writeTimes: (adapter, { openEmpty }) => writeTimesContract(adapter, openEmpty),
}

export function runStoreContracts(adapter: string, opening: StoreOpening): void {
  for (const runContract of Object.values(contracts)) runContract(adapter, opening)
}
