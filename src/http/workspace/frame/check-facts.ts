import type { PurchaseBody } from "../../../domain/catalogue/purchase.ts"
import type { Cleaning } from "../../../domain/catalogue/purchase-code.ts"
import type { Timestamp } from "../../../domain/values/time/timestamp.ts"

type Sold = Readonly<{
  purchase: PurchaseBody
  /** Null when the marketplace did not tell it. Shown to the author, never under /api. */
  buyer: string | null
  /** Whether the code was found among other words. */
  isInText: boolean
  /** Further codes of the author in the same text. */
  others: readonly string[]
}>

/** `json` is the answer of the API to a key that is not a test key. */
export type Finding = Readonly<{ json: string }> &
  (
    | (Sold & Readonly<{ kind: "valid"; supportEndedAt: Timestamp | null }>)
    | (Sold & Readonly<{ kind: "refunded" }>)
    | Readonly<{ kind: "test" | "unknown" }>
  )

/** The pasted text cannot be checked. */
type Problem = Readonly<{ kind: "invalid" | "blank" }>

export type CheckResult = Finding | Problem

export const isFinding = (result: CheckResult): result is Finding =>
  result.kind !== "invalid" && result.kind !== "blank"

/** A check of this session, as the page shows it. */
export type CheckFacts = Readonly<{
  id: string
  at: Timestamp
  pasted: string
  cleanings: readonly Cleaning[]
  result: CheckResult
}>
