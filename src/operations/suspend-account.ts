import type { Account, AccountStore } from "../domain/account.ts"
import { recordAccountEvent, type Trace } from "./record-event.ts"

export type Suspending = Trace & Readonly<{ accounts: Pick<AccountStore, "setSuspended"> }>

/** The audit records it unless the account was suspended before. */
export async function suspendAccount(services: Suspending, account: Account): Promise<void> {
  await services.accounts.setSuspended(account.id, true)
  if (!account.isSuspended) await recordAccountEvent(services, account, "suspended")
}

/** The audit records it if the account was suspended. */
export async function resumeAccount(services: Suspending, account: Account): Promise<void> {
  await services.accounts.setSuspended(account.id, false)
  if (account.isSuspended) await recordAccountEvent(services, account, "resumed")
}
