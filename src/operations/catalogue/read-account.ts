import type { Account } from "../../domain/catalogue/account.ts"
import { DomainError } from "../../domain/values/error.ts"
import type { KeyOperation } from "../operation.ts"

/** The account that owns the key. */
export const readAccount: KeyOperation<null, Account | null, Account> = {
  find: ({ accounts }, key) => accounts.find(key.accountId),
  decide(account) {
    // The account was deleted after the key was found; its keys are deleted with it.
    if (account === null) throw new DomainError("unknown_key")
    return account
  },
}
