/** An author's sales, newest first, in pages. */
import { foldLetters } from "../values/text.ts"
import type { DayRange, Timestamp } from "../values/time/timestamp.ts"

export const saleStates = ["valid", "refunded"] as const
export type SaleState = (typeof saleStates)[number]

export type SaleFilter = Readonly<{
  itemId: number | null
  state: SaleState | null
  range: DayRange | null
}>

/**
 * Identifies a sale in a URL, such as `1229.2026-06-01T10:00:00Z.0123456789abcdef`. Contains a digest because codes
 * must not appear in URLs.
 */
export type SaleId = string

type SaleIdParts = Readonly<{ itemId: number; soldAt: Timestamp; digest: string }>

export const digestOfCode = (code: string) =>
  new Bun.CryptoHasher("sha256").update(code).digest("hex").slice(0, 16)

export const saleIdOf = ({
  itemId,
  soldAt,
  code,
}: Pick<Sale, "itemId" | "soldAt" | "code">): SaleId => `${itemId}.${soldAt}.${digestOfCode(code)}`

/** Returns null for a text that is not a sale id. */
export function parseSaleId(text: string): SaleIdParts | null {
  const form = /^(\d{1,15})\.(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\.([0-9a-f]{16})$/
  const [, itemId = "", soldAt = "", digest = ""] = form.exec(text) ?? []
  return itemId === "" ? null : { itemId: Number(itemId), soldAt, digest }
}

export type Sale = Readonly<{
  code: string
  itemId: number
  itemName: string | null
  buyer: string | null
  licenseType: string
  soldAt: Timestamp
  supportedUntil: Timestamp | null
  isRefunded: boolean
  /** Sites that use a slot; test sites do not. */
  sites: number
}>

/** `next` is the last sale of the page; null on the last page. */
export type SalePage = Readonly<{ sales: readonly Sale[]; next: SaleId | null }>

/** `searched` is the number of sales that were examined. */
export type SearchedPage = SalePage & Readonly<{ searched: number }>

/** Sales that one search examines, so that the page stays fast. */
export const searchedSalesMax = 1_000

export type SalesOfDay = Readonly<{ day: string } & Record<SaleState, number>>

export interface SaleStore {
  /**
   * Sales of the account's items, newest first. `after` is the last sale of the previous page. `at` decides which
   * sites use a slot. A page may have fewer than `rowsMax` sales although more follow.
   */
  list(
    accountId: number,
    filter: SaleFilter,
    after: SaleId | null,
    rowsMax: number,
    at: Timestamp,
  ): Promise<SalePage>
  /**
   * Like `list`, for sales whose buyer matches. Examines at most `searchedSalesMax` sales; the next page continues
   * there.
   */
  search(
    accountId: number,
    filter: SaleFilter,
    isWanted: (buyer: string) => boolean,
    after: SaleId | null,
    rowsMax: number,
    at: Timestamp,
  ): Promise<SearchedPage>
  /** Days with sales, oldest first. Returns null if there are more than `salesMax` sales. */
  countByDay(
    accountId: number,
    filter: SaleFilter,
    salesMax: number,
  ): Promise<readonly SalesOfDay[] | null>
  /** Returns null if the account has no such sale. */
  findCode(accountId: number, address: SaleId): Promise<string | null>
}

/** Matches part of the buyer's name, ignoring case and accents. */
export function matchBuyer(text: string): (buyer: string) => boolean {
  const wanted = foldLetters(text)
  return (buyer) => foldLetters(buyer).includes(wanted)
}
