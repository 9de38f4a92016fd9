import { judgePastedCode } from "../../domain/catalogue/purchase-code.ts"
import { isTestCode } from "../../domain/catalogue/sample-world.ts"
import type { FoundPurchase, OperatorReads } from "../../domain/usage/operator-reads.ts"
import { RefusedError } from "../../domain/values/error.ts"
import { everyItem, findBestMatch } from "./validate-purchase.ts"

/**
 * For the operator: the purchase of this code, of any author. The code is read as the API reads it.
 * Throws RefusedError, which says why there is none.
 */
export async function findPurchase(
  reads: Pick<OperatorReads, "listPurchases">,
  pasted: string,
): Promise<FoundPurchase> {
  const judged = judgePastedCode(pasted)
  if (judged.kind !== "code") {
    throw new RefusedError("this cannot be a purchase code: 1 to 255 characters of text are needed")
  }
  const { code } = judged
  const alike = await reads.listPurchases(code)
  const found = findBestMatch(alike, everyItem, code)
  if (found !== null) return found
  if (alike.length > 0) {
    const codes = alike.map((each) => each.code).toSorted()
    throw new RefusedError(`these codes differ only in case, name one of them: ${codes.join(", ")}`)
  }
  if (isTestCode(code)) throw new RefusedError(`${code} is a test code: only test keys know it`)
  throw new RefusedError(`there is no purchase ${code}`)
}
