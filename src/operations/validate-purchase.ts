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
  return chain(purchases.listByCode(key.accountId, code), choose, { key, code })
}

type Wish = Readonly<{ key: ApiKey; code: string }>

function choose(alike: readonly Purchase[], wish: Wish): Purchase {
  const purchase = findBest(alike, wish)
  if (purchase === null) throw new DomainError("unknown_code")
  if (purchase.isRevoked) throw new DomainError("revoked_code")
  return purchase
}

function findBest(alike: readonly Purchase[], { key, code }: Wish): Purchase | null {
  let candidates = 0
  let last: Purchase | null = null
  for (const purchase of alike) {
    if (!mayAnswerFor(key, purchase.itemId)) continue
    if (purchase.code === code) return purchase
    candidates += 1
    last = purchase
  }
  return candidates === 1 ? last : null
}
