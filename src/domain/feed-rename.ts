/** Renames an account in the middle of a batch: everything that names its owner follows. */
import type { ImportedKey, Rename } from "./feed.ts"
import type { States } from "./feed-states.ts"

/** An account that had the name `from` is now called `to`; null once it was removed. */
export type NameChange = Readonly<{ from: string; to: string | null }>

type Named = Readonly<{ username: string }>

type Batch<Account, Item, Password> = Readonly<{
  accounts: States<string, Account>
  items: States<number, Item>
  keys: States<string, ImportedKey>
  passwords: States<string, Password>
  /** Names of accounts that have items which the batch does not mention. */
  accountsInUse: Set<string>
  changedLists: Set<string>
}>

export function renameAccount<
  Account extends Named,
  Item extends Readonly<{ author: string }>,
  Password extends Named,
>(batch: Batch<Account, Item, Password>, { from, reseal }: Rename, to: string): void {
  const { accounts, items, keys, passwords, accountsInUse, changedLists } = batch
  accounts.move(from, to, (account) => ({ ...account, username: to }))
  passwords.move(from, to, (password) => ({ ...password, username: to }))
  items.revise((item) => (item.author === from ? { ...item, author: to } : item))
  // A sealed copy is bound to the name of the account, so each is written anew.
  for (const [id, key] of keys.list()) {
    if (key.username === from) keys.put(id, { ...key, username: to, sealed: reseal(key, to) })
  }
  if (accountsInUse.delete(from)) accountsInUse.add(to)
  if (changedLists.delete(from)) changedLists.add(to)
}
