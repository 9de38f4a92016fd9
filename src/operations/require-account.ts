import type { Account, AccountStore } from "../domain/account.ts"
import { RefusedError } from "../domain/error.ts"

/** For people at a prompt: an unknown name is a refusal with the name in it. */
export async function requireAccount(
  accounts: Pick<AccountStore, "findByUsername">,
  username: string,
): Promise<Account> {
  const account = await accounts.findByUsername(username)
  if (account === null) throw new RefusedError(`there is no account ${username}`)
  return account
}
