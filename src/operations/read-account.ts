import type { Account } from "../domain/account.ts"
import { DomainError } from "../domain/error.ts"
import type { KeyOperation } from "./operation.ts"

/** The account that owns the key. */
export const readAccount: KeyOperation<null, Account | null, Account> = {
  find: ({ accounts }, key) => accounts.find(key.accountId),
  decide(account) {
    // A key is deleted with its account: this request came between the two.
    if (account === null) throw new DomainError("unknown_key")
    return account
  },
}
