/**
 * Every port's suite, in one list that each adapter runs whole. A port without a suite does not compile,
 * and tests/architecture.test.ts finds a suite that is not in the list.
 */
import { type SignInOwners, signInOwners } from "../../tests/harness/sign-in-owners.ts"
import type { OpenEmpty } from "../../tests/harness/store-records.ts"
import type { SignInStores, Store } from "../domain/store.ts"
import { accountStoreContract } from "./accounts.contract.ts"
import { apiKeyStoreContract } from "./api-keys.contract.ts"
import { auditStoreContract } from "./audit.contract.ts"
import { authorSearchContract } from "./author-search.contract.ts"
import { callBreakdownContract } from "./call-breakdown.contract.ts"
import { feedStoreContract } from "./feed.contract.ts"
import { feedAsOfContract } from "./feed-as-of.contract.ts"
import { feedPatchContract } from "./feed-patches.contract.ts"
import { feedRenameContract } from "./feed-renames.contract.ts"
import { feedWaitingContract } from "./feed-waiting.contract.ts"
import { importRunsContract } from "./import-runs.contract.ts"
import { invitationStoreContract } from "./invitations.contract.ts"
import { itemSearchContract } from "./item-search.contract.ts"
import { itemStoreContract } from "./items.contract.ts"
import { keyChangesContract } from "./key-changes.contract.ts"
import { storeMeasuresContract } from "./measures.contract.ts"
import { metadataStoreContract } from "./metadata.contract.ts"
import { nodeMessagesContract } from "./node-messages.contract.ts"
import { nodeStoreContract } from "./nodes.contract.ts"
import { operatorReadsContract } from "./operator-reads.contract.ts"
import { operatorTokenStoreContract } from "./operator-tokens.contract.ts"
import { operatorStoreContract } from "./operators.contract.ts"
import { passwordStoreContract } from "./passwords.contract.ts"
import { preferenceStoreContract } from "./preferences.contract.ts"
import { pullStoreContract } from "./pulls.contract.ts"
import { purchaseStoreContract } from "./purchases.contract.ts"
import { rejectionStoreContract } from "./rejections.contract.ts"
import { secondFactorStoreContract } from "./second-factors.contract.ts"
import { sessionNoteStoreContract } from "./session-notes.contract.ts"
import { sessionStoreContract } from "./sessions.contract.ts"
import { signInFailureStoreContract } from "./sign-in-failures.contract.ts"
import { signInLinkStoreContract } from "./sign-in-links.contract.ts"
import { signingKeyStoreContract } from "./signing-keys.contract.ts"
import { storeChecksContract } from "./store-checks.contract.ts"
import { suspensionContract } from "./suspension.contract.ts"
import { trafficStoreContract } from "./traffic.contract.ts"
import { usageStoreContract } from "./usage.contract.ts"

export type StoreOpening = Readonly<{
  openEmpty: OpenEmpty
  /** Two programs on one empty store. */
  openTwo(): Promise<[Store, Store]>
}>

type Port = Exclude<keyof Store, "schemaVersion" | "probe" | "untilFailed" | "close">
type Contract = (adapter: string, opening: StoreOpening) => void

function signInContracts(owners: SignInOwners): Readonly<Record<keyof SignInStores, Contract>> {
  return {
    passwords: (adapter, { openEmpty }) => passwordStoreContract(adapter, openEmpty, owners),
    sessions: (adapter, { openEmpty }) => sessionStoreContract(adapter, openEmpty, owners),
    sessionNotes: (adapter, { openEmpty }) => sessionNoteStoreContract(adapter, openEmpty, owners),
    invitations: (adapter, { openEmpty }) => invitationStoreContract(adapter, openEmpty, owners),
  }
}

const contracts: Readonly<Record<Port, Contract>> = {
  accounts(adapter, { openEmpty }) {
    accountStoreContract(adapter, openEmpty)
    suspensionContract(adapter, openEmpty)
  },
  items: (adapter, { openEmpty }) => itemStoreContract(adapter, openEmpty),
  purchases: (adapter, { openEmpty }) => purchaseStoreContract(adapter, openEmpty),
  keys: (adapter, { openEmpty }) => apiKeyStoreContract(adapter, openEmpty),
  keyChanges: (adapter, { openTwo }) => keyChangesContract(adapter, openTwo),
  feed: (adapter, { openEmpty }) => {
    feedStoreContract(adapter, openEmpty)
    importRunsContract(adapter, openEmpty)
    feedPatchContract(adapter, openEmpty)
    feedRenameContract(adapter, openEmpty)
    feedAsOfContract(adapter, openEmpty)
    feedWaitingContract(adapter, openEmpty)
  },
  pulls: (adapter, { openEmpty }) => pullStoreContract(adapter, openEmpty),
  metadata: (adapter, { openEmpty }) => metadataStoreContract(adapter, openEmpty),
  itemSearch: (adapter, { openEmpty }) => itemSearchContract(adapter, openEmpty),
  ...signInContracts(signInOwners.authors),
  operators: (adapter, { openEmpty }) => operatorStoreContract(adapter, openEmpty),
  operatorSignIn(adapter, opening) {
    const contracts = signInContracts(signInOwners.operators)
    for (const runContract of Object.values(contracts)) runContract(adapter, opening)
  },
  secondFactors: (adapter, { openEmpty }) => secondFactorStoreContract(adapter, openEmpty),
  operatorTokens: (adapter, { openEmpty }) => operatorTokenStoreContract(adapter, openEmpty),
  signInLinks: (adapter, { openEmpty }) => signInLinkStoreContract(adapter, openEmpty),
  preferences: (adapter, { openEmpty }) => preferenceStoreContract(adapter, openEmpty),
  authorSearch: (adapter, { openEmpty }) => authorSearchContract(adapter, openEmpty),
  audit: (adapter, { openEmpty }) => auditStoreContract(adapter, openEmpty),
  counts: (adapter, { openEmpty }) => callBreakdownContract(adapter, openEmpty),
  usage: (adapter, { openEmpty }) => usageStoreContract(adapter, openEmpty),
  rejections: (adapter, { openEmpty }) => rejectionStoreContract(adapter, openEmpty),
  traffic: (adapter, { openEmpty }) => trafficStoreContract(adapter, openEmpty),
  signInFailures: (adapter, { openEmpty }) => signInFailureStoreContract(adapter, openEmpty),
  signingKeys: (adapter, { openTwo }) => signingKeyStoreContract(adapter, openTwo),
  nodes: (adapter, { openEmpty }) => nodeStoreContract(adapter, openEmpty),
  nodeMessages: (adapter, { openTwo }) => nodeMessagesContract(adapter, openTwo),
  operatorReads: (adapter, { openEmpty }) => operatorReadsContract(adapter, openEmpty),
  checks: (adapter, { openEmpty }) => storeChecksContract(adapter, openEmpty),
  measure: (adapter, { openEmpty }) => storeMeasuresContract(adapter, openEmpty),
}

export function runStoreContracts(adapter: string, opening: StoreOpening): void {
  for (const runContract of Object.values(contracts)) runContract(adapter, opening)
}
