import type { Purchase } from "../../domain/catalogue/purchase.ts"
import { CodeRevoked } from "../../domain/catalogue/purchase.ts"
import { type ApiKey, mayAnswerFor } from "../../domain/keys/api-key.ts"
import { DomainError } from "../../domain/values/error.ts"
import type { KeyOperation } from "../operation.ts"

/** The input is a code in normal form. */
export const validatePurchase: KeyOperation<string, readonly Purchase[], Purchase> = {
  find: ({ purchases }, key, code) => purchases.listByCode(key.accountId, code),
  decide(alike, key, code) {
    const purchase = findBestMatch(alike, key, code)
    if (purchase === null) throw new DomainError("unknown_code")
    if (purchase.isRevoked) throw new CodeRevoked(purchase)
    return purchase
  },
}

/**
 * The exact code, else the only one that differs in the case of ASCII letters. Codes the key may not
 * answer for are left out first: if they made another code ambiguous, that would show that they exist.
 */
export function findBestMatch<Found extends Purchase>(
  alike: readonly Found[],
  key: Pick<ApiKey, "itemIds">,
  code: string,
): Found | null {
  let candidates = 0
  let last: Found | null = null
  for (const purchase of alike) {
    if (!mayAnswerFor(key, purchase.itemId)) continue
    if (purchase.code === code) return purchase
    candidates += 1
    last = purchase
  }
  return candidates === 1 ? last : null
}

/** In place of a key, for those who may see every item of the author or of all authors. */
export const everyItem: Pick<ApiKey, "itemIds"> = { itemIds: null }
