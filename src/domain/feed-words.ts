import type { Changes, DatedPurchase, DecidedAccount, Found } from "./feed-rules.ts"

/** Records that an operator has a word about, and the feed another one than before. */
export type ChangedWords = Readonly<{
  accounts: readonly DecidedAccount[]
  purchases: readonly DatedPurchase[]
}>

export const listChangedWords = (found: Found, { accounts, purchases }: Changes): ChangedWords => ({
  accounts: accounts.updated.filter((account) => {
    if (!account.isSuspendedByOperator) return false
    // It may have had another name.
    const known = found.accounts.values().find(({ id }) => id === account.id)
    return known?.isSuspendedByOperator && known.isSuspended !== account.isSuspended
  }),
  purchases: purchases.updated.filter(({ code, isRevoked, isRevokedByOperator }) => {
    const known = isRevokedByOperator ? found.purchases.get(code) : null
    return known?.isRevokedByOperator && known.isRevoked !== isRevoked
  }),
})
