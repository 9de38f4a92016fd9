/** The contract suites of all interfaces of the store. An interface without a suite does not compile. */

import type { Store } from "../../src/domain/store.ts"
import { accountStoreContract } from "./catalog/accounts.contract.ts"
import { authorSearchContract } from "./catalog/author-search.contract.ts"
import { itemSearchContract } from "./catalog/item-search.contract.ts"
import { itemStoreContract } from "./catalog/items.contract.ts"
import { purchaseStoreContract } from "./catalog/purchases.contract.ts"
import { saleStoreContract } from "./catalog/sales.contract.ts"
import { siteStoreContract } from "./catalog/sites.contract.ts"
import { suspensionContract } from "./catalog/suspension.contract.ts"
import { endpointStoreContract } from "./events/endpoints.contract.ts"
import { messageStoreContract } from "./events/messages.contract.ts"
import { purchaseEventsContract } from "./events/purchase-events.contract.ts"
import { feedStoreContract } from "./feed/feed.contract.ts"
import { feedAsOfContract } from "./feed/feed-as-of.contract.ts"
import { feedMassChangesContract } from "./feed/feed-mass-changes.contract.ts"
import { feedPatchContract } from "./feed/feed-patches.contract.ts"
import { feedPendingContract } from "./feed/feed-pending.contract.ts"
import { feedRenameContract } from "./feed/feed-renames.contract.ts"
import { feedSumsContract } from "./feed/feed-sums.contract.ts"
import { importRunsContract } from "./feed/import-runs.contract.ts"
import { pullStoreContract } from "./feed/pulls.contract.ts"
import { metadataStoreContract } from "./health/metadata.contract.ts"
import { nodeStoreContract } from "./health/nodes.contract.ts"
import { storeChecksContract } from "./health/store-checks.contract.ts"
import { apiKeyStoreContract } from "./keys/api-keys.contract.ts"
import { encryptedRowContract } from "./keys/encrypted-rows.contract.ts"
import { keySearchContract } from "./keys/key-search.contract.ts"
import { signingKeyStoreContract } from "./keys/signing-keys.contract.ts"
import { emailStoreContract } from "./mail/emails.contract.ts"
import { auditStoreContract } from "./sign-in/audit.contract.ts"
import { identityStoreContract } from "./sign-in/identities.contract.ts"
import { invitationStoreContract } from "./sign-in/invitations.contract.ts"
import { operatorTokenStoreContract } from "./sign-in/operator-tokens.contract.ts"
import { operatorStoreContract } from "./sign-in/operators.contract.ts"
import { passkeyStoreContract } from "./sign-in/passkeys.contract.ts"
import { passwordStoreContract } from "./sign-in/passwords.contract.ts"
import { personStoreContract } from "./sign-in/people.contract.ts"
import { sessionStoreContract } from "./sign-in/sessions.contract.ts"
import { signInFailureStoreContract } from "./sign-in/sign-in-failures.contract.ts"
import { signInLinkStoreContract } from "./sign-in/sign-in-links.contract.ts"
import { twoFactorStoreContract } from "./sign-in/two-factor.contract.ts"
import type { OpenEmpty } from "./store-records.ts"
import { failedRequestStoreContract } from "./usage/failed-requests.contract.ts"
import { operatorReadsContract } from "./usage/operator-reads.contract.ts"
import { usageStoreContract } from "./usage/usage.contract.ts"
import { writeTimesContract } from "./usage/write-times.contract.ts"

export type StoreOpening = Readonly<{
  openEmpty: OpenEmpty
  /** Opens two stores on one empty database. */
  openTwo(): Promise<[Store, Store]>
}>

/** `usage` and `failedRequests` read the rows of `counts`. */
type Port = Exclude<keyof Store, "counts" | "schemaVersion" | "probe" | "untilFailed" | "close">
type Contract = (adapter: string, opening: StoreOpening) => void

const contracts: Readonly<Record<Port, Contract>> = {
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
  operatorReads: (adapter, { openEmpty }) => operatorReadsContract(adapter, openEmpty),
  checks: (adapter, { openEmpty }) => storeChecksContract(adapter, openEmpty),
  writeTimes: (adapter, { openEmpty }) => writeTimesContract(adapter, openEmpty),
}

export function runStoreContracts(adapter: string, opening: StoreOpening): void {
  for (const runContract of Object.values(contracts)) runContract(adapter, opening)
}
