import type { Account, AccountStore } from "../domain/account.ts"
import { recordAccountEvent, type Trace } from "./record-event.ts"

export type Suspending = Trace & Readonly<{ accounts: Pick<AccountStore, "setSuspended"> }>

/** The audit records it unless an operator had suspended the account before. */
export async function suspendAccount(services: Suspending, account: Account): Promise<void> {
  const isNew = await services.accounts.setSuspended(account.id, true)
  if (isNew) await recordAccountEvent(services, account, "suspended")
}

/** The audit records it if the account was suspended. */
export async function resumeAccount(services: Suspending, account: Account): Promise<void> {
  const isNew = await services.accounts.setSuspended(account.id, false)
  if (isNew) await recordAccountEvent(services, account, "resumed")
}
