import { type ApiKey, mayAnswerFor } from "../domain/api-key.ts"
import { type Awaitable, chain } from "../domain/awaitable.ts"
import { DomainError } from "../domain/error.ts"
import type { Purchase } from "../domain/purchase.ts"
import type { Catalogue } from "../domain/store.ts"

/**
 * `code` in normal form. The exact code wins; else the only one that differs in the case of ASCII
 * letters. A code the key may not answer for counts as absent from the start, so it cannot be told
 * from one that never was, not even by making another one ambiguous.
 */
export function validatePurchase(
  { purchases }: Catalogue,
  key: ApiKey,
  code: string,
): Awaitable<Purchase> {
  return chain(purchases.listByCode(key.accountId, code), (alike) => choose(alike, key, code))
}

function choose(alike: readonly Purchase[], key: ApiKey, code: string): Purchase {
  const candidates = alike.filter(({ itemId }) => mayAnswerFor(key, itemId))
  const only = candidates.length === 1 ? candidates[0] : undefined
  const purchase = candidates.find((candidate) => candidate.code === code) ?? only
  if (purchase === undefined) throw new DomainError("unknown_code")
  if (purchase.isRevoked) throw new DomainError("revoked_code")
  return purchase
}
