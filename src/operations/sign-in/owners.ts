import type { Account, AccountStore } from "../../domain/catalogue/account.ts"
import type { Operator, OperatorStore } from "../../domain/sign-in/operator.ts"
import { namesOfAccount } from "../../domain/sign-in/password.ts"
import type { Awaitable } from "../../domain/values/awaitable.ts"
import { DomainError } from "../../domain/values/error.ts"

/** Those who sign in: the authors, or the operators. */
export type Owners<Owner extends { id: number }> = Readonly<{
  /** Null for one who is gone. Throws `account_suspended`. */
  find(id: number): Awaitable<Owner | null>
  /** The names that make no password of this owner. */
  namesOf(owner: Owner): readonly string[]
}>

export const authorsIn = (accounts: Pick<AccountStore, "find">): Owners<Account> => ({
  async find(id) {
    const account = await accounts.find(id)
    if (account?.isSuspended) throw new DomainError("account_suspended")
    return account
  },
  namesOf: namesOfAccount,
})

export const operatorsIn = ({ find }: Pick<OperatorStore, "find">): Owners<Operator> => ({
  find,
  namesOf: ({ name }) => [name],
})
