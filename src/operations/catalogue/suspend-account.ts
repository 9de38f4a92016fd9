import type { Account, AccountStore } from "../../domain/catalogue/account.ts"
import type { OperatorReads } from "../../domain/usage/operator-reads.ts"
import { recordAccountEvent, type Trace } from "../record-event.ts"

export type Suspending = Trace &
  Readonly<{
    accounts: Pick<AccountStore, "setSuspended">
    operatorReads: Pick<OperatorReads, "findSuspension">
  }>

/** The audit records it unless an operator had suspended the account before. */
export const suspendAccount = (services: Suspending, account: Account) =>
  setSuspended(services, account, true)

/** The audit records it if the account was suspended. */
export const resumeAccount = (services: Suspending, account: Account) =>
  setSuspended(services, account, false)

async function setSuspended(
  services: Suspending,
  account: Account,
  isSuspended: boolean,
): Promise<void> {
  // Resuming also ends a suspension by the feed, so its word is read before.
  const { isByFeed } = await services.operatorReads.findSuspension(account.id)
  const isNew = await services.accounts.setSuspended(account.id, isSuspended)
  const action = isSuspended ? "suspended" : "resumed"
  if (isNew) await recordAccountEvent(services, account, action, isByFeed)
}
