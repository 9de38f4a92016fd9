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
 * Where a sale stands in the list: its date, its state and a number that puts sales of the same second in an order. Later
 * texts come first. No code can be read from it, so that it may be in an address.
 */
export type SalePlace = string

export const isSalePlace = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ[01][0-9a-f]{16}$/.test(text)

/** Names a sale in an address of a page. Stays good after a refund, which moves the sale in the list. */
export const saleAddressOf = ({ itemId, place }: Pick<Sale, "itemId" | "place">) =>
  `${itemId}.${place}`

export function parseSaleAddress(text: string): Pick<Sale, "itemId" | "place"> | null {
  const [, itemId = "", place = ""] = /^(\d{1,15})\.(.*)$/.exec(text) ?? []
  return isSalePlace(place) ? { itemId: Number(itemId), place } : null
}

export type Sale = Readonly<{
  place: SalePlace
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

/** `next` is where the following page begins, null at the end. */
export type SalePage = Readonly<{ sales: readonly Sale[]; next: SalePlace | null }>

/** `searched` is how many sales were looked through. */
export type SearchedPage = SalePage & Readonly<{ searched: number }>

/** More would take longer than a page may. */
export const searchedMax = 1_000

export type SalesOfDay = Readonly<{ day: string } & Record<SaleState, number>>

export interface SaleStore {
  /**
   * Sales of the account's items behind `after`, newest first; `at` decides which sites hold a place. There may be
   * fewer than `rowsMax` although more follow.
   */
  list(
    accountId: number,
    filter: SaleFilter,
    after: SalePlace | null,
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
    after: SalePlace | null,
    rowsMax: number,
    at: Timestamp,
  ): Promise<SearchedPage>
  /** Days with sales, oldest first; null if there are more than `salesMax` sales. */
  countByDay(
    accountId: number,
    filter: SaleFilter,
    salesMax: number,
  ): Promise<readonly SalesOfDay[] | null>
  /** The place of a sale of the account; null where there is no such sale. */
  findPlace(
    accountId: number,
    sale: Pick<Sale, "itemId" | "soldAt" | "code">,
  ): Promise<SalePlace | null>
  /** The code of the sale that is or was at this place, refunded or not; null where there is none. */
  findCode(accountId: number, itemId: number, place: SalePlace): Promise<string | null>
}

/** Whether a part of the buyer's name is the text, whatever the case and the keyboard. */
export function matchBuyer(text: string): (buyer: string) => boolean {
  const wanted = foldLetters(text)
  return (buyer) => foldLetters(buyer).includes(wanted)
}
