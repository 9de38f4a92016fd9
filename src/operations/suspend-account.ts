import type { Account, AccountStore } from "../domain/account.ts"
import { recordAccountEvent, type Trace } from "./record-event.ts"

/** Suspends an account or resumes it. The audit records only a change. */
export async function suspendAccount(
  services: Trace & Readonly<{ accounts: Pick<AccountStore, "setSuspended"> }>,
  account: Account,
  isSuspended: boolean,
): Promise<void> {
  await services.accounts.setSuspended(account.id, isSuspended)
  if (account.isSuspended === isSuspended) return
  await recordAccountEvent(services, account, isSuspended ? "suspended" : "resumed")
}
