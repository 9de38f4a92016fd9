import type { Account, AccountStore } from "../../domain/catalogue/account.ts"
import { RefusedError } from "../../domain/values/error.ts"

/** For the command line. Throws RefusedError with the name when there is no such account. */
export async function requireAccount(
  accounts: Pick<AccountStore, "findByUsername">,
  username: string,
): Promise<Account> {
  const account = await accounts.findByUsername(username)
  if (account === null) throw new RefusedError(`there is no account ${username}`)
  return account
}
