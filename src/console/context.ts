import type { Account, AccountStore } from "../accounts/account.ts"

/** PostgreSQL rejects larger numbers as an ID. */
const idMax = 2 ** 31 - 1

export const parseAccountId = (text: string): number | null =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= idMax ? Number(text) : null

export async function findAuthor(
  { accounts }: Readonly<{ accounts: Pick<AccountStore, "find"> }>,
  id: string | undefined,
): Promise<Account | null> {
  const parsed = parseAccountId(id ?? "")
  return parsed === null ? null : accounts.find(parsed)
}
