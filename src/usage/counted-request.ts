import { DomainError } from "../platform/error.ts"
import type { Timestamp } from "../platform/time.ts"

export type RejectedCode = Readonly<{
  code: string
  /** Whether the author sold it. */
  isOwn: boolean
  /** The site beyond the site limit; absent for other error codes. */
  rejectedSite?: RejectedSite
}>

export type RejectedSite = Readonly<{ site: string; limit: number }>

/** NFKC replaces the ellipsis by three dots, so a masked code never equals a code. */
const ellipsis = "…"
const endCharacters = 4

/** Masks codes that the author did not sell. A typo and another author's code must look the same. */
export function shownCode({ code, isOwn }: RejectedCode): string {
  if (isOwn) return code
  const characters = [...code]
  const shown = Math.min(endCharacters, Math.floor(characters.length / 4))
  const end = characters.length < 4 * endCharacters ? [] : characters.slice(-shown)
  return [...characters.slice(0, shown), ellipsis, ...end].join("")
}

export type ValidatedSite = Readonly<{ code: string; site: string }>

/** `lastDay` is the day of the previous valid response; null for a new site. */
export type SeenSite = ValidatedSite & Readonly<{ lastDay: string | null }>

export type RequestedPurchase = Readonly<{
  code: string
  itemId: number
  /** Only for a valid purchase and a request with a site. */
  seenSite?: SeenSite
  validUntil?: Timestamp | null
}>

/** The response is `invalid`; `reason` is the error code. */
export class CodeRejected extends DomainError {
  readonly rejected: RejectedCode
  /** Only for revoked and expired codes. */
  readonly purchase: RequestedPurchase | null

  constructor(
    reason: "unknown_code" | "revoked_code" | "expired_code" | "site_limit",
    rejected: RejectedCode,
    purchase: RequestedPurchase | null = null,
  ) {
    super(reason)
    this.rejected = rejected
    this.purchase = purchase
  }
}
