import type { ApiKey } from "../domain/api-key.ts"
import { listCodeReadings } from "../domain/codes-in-text.ts"
import type { Purchase, PurchaseStore } from "../domain/purchase.ts"
import { judgePastedCode } from "../domain/purchase-code.ts"
import { isTestCode } from "../domain/sample-world.ts"
import { findBestMatch } from "./validate-purchase.ts"

export type CheckedCode =
  | Readonly<{
      kind: "sold"
      purchase: Purchase
      /** Whether the pasted text holds more than the code. */
      isInText: boolean
      /** Further codes of the account in the text. */
      others: readonly string[]
    }>
  | Readonly<{ kind: "test" | "unknown" | "invalid" | "blank" }>

/**
 * Finds what an author sold under a pasted code, refunded sales included. The whole text comes first;
 * if it is no code of the account, its words are tried. Another author's code is unknown.
 */
export async function checkPurchase(
  purchases: PurchaseStore,
  accountId: number,
  pasted: string,
): Promise<CheckedCode> {
  const key = everythingOf(accountId)
  const find = async (code: string) =>
    findBestMatch(await purchases.listByCode(accountId, code), key, code)

  const judged = judgePastedCode(pasted)
  if (judged.kind === "blank") return judged
  const whole = judged.kind === "code" ? await find(judged.code) : null
  if (whole !== null) return { kind: "sold", purchase: whole, isInText: false, others: [] }
  if (judged.kind === "code" && isTestCode(judged.code)) return { kind: "test" }

  const words = listCodeReadings(pasted)
  const found = await Promise.all(words.map((readings) => findFirst(readings, find)))
  const sold = new Map(found.flatMap((each) => (each === null ? [] : [[each.code, each]])))
  const [purchase, ...others] = sold.values()
  if (purchase !== undefined) {
    return { kind: "sold", purchase, isInText: true, others: others.map(({ code }) => code) }
  }
  return { kind: judged.kind === "invalid" && words.length === 0 ? "invalid" : "unknown" }
}

async function findFirst(
  readings: readonly string[],
  find: (code: string) => Promise<Purchase | null>,
): Promise<Purchase | null> {
  const found = await Promise.all(readings.map(find))
  return found.find((purchase) => purchase !== null) ?? null
}

/** All items of the account count, as for a secret key. */
const everythingOf = (accountId: number): ApiKey => ({
  ...{ id: "", accountId, kind: "sk" },
  ...{ itemIds: null, expiresAt: null, revokedAt: null },
})
