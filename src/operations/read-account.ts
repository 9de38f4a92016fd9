import type { Account } from "../domain/account.ts"
import type { ApiKey } from "../domain/api-key.ts"
import { type Awaitable, chain } from "../domain/awaitable.ts"
import { DomainError } from "../domain/error.ts"
import type { Catalogue } from "../domain/store.ts"

/** The account that owns the key. */
export function readAccount({ accounts }: Catalogue, key: ApiKey): Awaitable<Account> {
  return chain(accounts.find(key.accountId), existing)
}

function existing(account: Account | null): Account {
  // A key is deleted with its account, so this is the instant between the two.
  if (account === null) throw new DomainError("unknown_key")
  return account
}
