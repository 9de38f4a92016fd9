/** The sales of an author as lists and pictures show them: newest first, a page at a time. */
import { foldLetters } from "../values/text.ts"
import type { DayRange, Timestamp } from "../values/time/timestamp.ts"

export const saleStates = ["valid", "refunded"] as const
export type SaleState = (typeof saleStates)[number]

export type SaleFilter = Readonly<{
  /** Null for all items. */
  itemId: number | null
  state: SaleState | null
  /** Null for all days. */
  range: DayRange | null
}>

/**
 * Names a sale in a URL: `1229.2026-06-01T10:00:00Z.0123456789abcdef`. It has a digest of the code, because a code
 * must not be in a URL.
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

/** Null for a text that is no address. */
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
  /** Sites that hold a place; test sites do not. */
  sites: number
}>

/** `next` is the last sale of the page; null if no others follow. */
export type SalePage = Readonly<{ sales: readonly Sale[]; next: SaleId | null }>

/** `searched` is how many sales were looked through. */
export type SearchedPage = SalePage & Readonly<{ searched: number }>

/** More would take longer than a page may. */
export const searchedSalesMax = 1_000

export type SalesOfDay = Readonly<{ day: string } & Record<SaleState, number>>

export interface SaleStore {
  /**
   * Sales of the account's items, newest first. `after` is the last sale of the previous page. `at` decides which
   * sites use a slot. There may be fewer than `rowsMax` although more follow.
   */
  list(
    accountId: number,
    filter: SaleFilter,
    after: SaleId | null,
    rowsMax: number,
    at: Timestamp,
  ): Promise<SalePage>
  /**
   * The same for sales with a buyer's name that is wanted. Looks through at most `searchedMax` of them; the next page
   * goes on where this one ended.
   */
  search(
    accountId: number,
    filter: SaleFilter,
    isWanted: (buyer: string) => boolean,
    after: SaleId | null,
    rowsMax: number,
    at: Timestamp,
  ): Promise<SearchedPage>
  /** Days with sales, oldest first; null if there are more than `salesMax` sales. */
  countByDay(
    accountId: number,
    filter: SaleFilter,
    salesMax: number,
  ): Promise<readonly SalesOfDay[] | null>
  /** The code of a sale of the account; null where there is none. */
  findCode(accountId: number, address: SaleId): Promise<string | null>
}

/** Whether a part of the buyer's name is the text, whatever the case and the keyboard. */
export function matchBuyer(text: string): (buyer: string) => boolean {
  const wanted = foldLetters(text)
  return (buyer) => foldLetters(buyer).includes(wanted)
}
