import { listCodeReadings } from "../../domain/catalogue/codes-in-text.ts"
import type { Purchase, PurchaseStore } from "../../domain/catalogue/purchase.ts"
import { judgePastedCode } from "../../domain/catalogue/purchase-code.ts"
import { isTestCode } from "../../domain/catalogue/sample-world.ts"
import type { FoundPurchase, OperatorReads } from "../../domain/usage/operator-reads.ts"
import { everyItem, findBestMatch } from "./validate-purchase.ts"

export type CheckedCode<Found extends Purchase = Purchase> =
  | Readonly<{
      kind: "sold"
      purchase: Found
      /** Whether the pasted text holds more than the code. */
      isInText: boolean
      /** Further codes in the text that are known. */
      others: readonly string[]
    }>
  | Readonly<{ kind: "test" | "unknown" | "invalid" | "blank" }>

/** Finds what an author sold under a pasted code, refunded sales included. Another author's code is unknown. */
export const checkPurchase = (
  purchases: Pick<PurchaseStore, "listByCode">,
  accountId: number,
  pasted: string,
): Promise<CheckedCode> =>
  checkPasted(pasted, async (code) =>
    findBestMatch(await purchases.listByCode(accountId, code), everyItem, code),
  )

/** Codes that differ only in case, none of which was asked for exactly. */
export type AlikeCodes = Readonly<{ kind: "alike"; codes: readonly string[] }>

/** The same for the operator: the sales of every author. */
export async function checkPurchaseOfAny(
  reads: Pick<OperatorReads, "listPurchases">,
  pasted: string,
): Promise<CheckedCode<FoundPurchase> | AlikeCodes> {
  const alike = new Set<string>()
  const checked = await checkPasted(pasted, async (code) => {
    const found = await reads.listPurchases(code)
    const best = findBestMatch(found, everyItem, code)
    if (best === null) for (const each of found) alike.add(each.code)
    return best
  })
  const isAlike = checked.kind === "unknown" && alike.size > 0
  return isAlike ? { kind: "alike", codes: [...alike].toSorted() } : checked
}

/** The whole text comes first; if it is no known code, its words are tried. */
async function checkPasted<Found extends Purchase>(
  pasted: string,
  find: (code: string) => Promise<Found | null>,
): Promise<CheckedCode<Found>> {
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

async function findFirst<Found>(
  readings: readonly string[],
  find: (code: string) => Promise<Found | null>,
): Promise<Found | null> {
  const found = await Promise.all(readings.map(find))
  return found.find((purchase) => purchase !== null) ?? null
}
