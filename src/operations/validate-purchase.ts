import { type ApiKey, mayAnswerFor } from "../domain/api-key.ts"
import { DomainError } from "../domain/error.ts"
import type { Purchase } from "../domain/purchase.ts"
import type { Catalogue } from "../domain/store.ts"

/**
 * `code` in normal form. The exact code wins; else the only one that differs in the case of ASCII
 * letters. A code the key may not answer for counts as absent from the start, so it cannot be told
 * from one that never was, not even by making another one ambiguous.
 */
export async function validatePurchase(
  { purchases }: Catalogue,
  key: ApiKey,
  code: string,
): Promise<Purchase> {
  const alike = await purchases.listByCode(key.accountId, code)
  const candidates = alike.filter(({ itemId }) => mayAnswerFor(key, itemId))
  const only = candidates.length === 1 ? candidates[0] : undefined
  const purchase = candidates.find((candidate) => candidate.code === code) ?? only
  if (purchase === undefined) throw new DomainError("unknown_code")
  if (purchase.isRevoked) throw new DomainError("revoked_code")
  return purchase
}
