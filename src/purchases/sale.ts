/** A sale is a purchase in the lists of its author (workspace) and of operators (console). */
import type { DayRange, Timestamp } from "../platform/time.ts"
import type { FoundPurchase, Purchase, PurchaseFields } from "./purchase.ts"

export const saleStates = ["valid", "refunded"] as const
type SaleState = (typeof saleStates)[number]

/** What a request of the list of purchases can choose. */
export type PurchaseFilter = Readonly<{ since?: Timestamp | null }>

export type SaleFilter = PurchaseFilter &
  Readonly<{
    itemIds: readonly number[] | null
    state: SaleState | null
    range: DayRange | null
  }>

/** Such as `1229.2026-06-01T10:00:00Z.0123456789abcdef`: codes must not appear in URLs, so it has a digest. */
export type SaleId = string
type SaleIdParts = Readonly<{ itemId: number; soldAt: Timestamp; digest: string }>

export const digestCode = (code: string) =>
  new Bun.CryptoHasher("sha256").update(code).digest("hex").slice(0, 16)

export const saleIdOf = ({
  itemId,
  soldAt,
  code,
}: Pick<Sale, "itemId" | "soldAt" | "code">): SaleId => `${itemId}.${soldAt}.${digestCode(code)}`

export function parseSaleId(text: string): SaleIdParts | null {
  const form = /^(\d{1,15})\.(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\.([0-9a-f]{16})$/
  const [, itemId = "", soldAt = "", digest = ""] = form.exec(text) ?? []
  return itemId === "" ? null : { itemId: Number(itemId), soldAt, digest }
}

/** What a list shows of the contract's fields. */
export const toSoldFields = (fields: PurchaseFields) => ({
  licenseType: fields.license_type,
  price: fields.price,
  currency: fields.currency,
  soldAt: fields.date,
  supportedUntil: fields.supported_until ?? null,
})

/** `sites` use a slot; test sites do not. */
export type Sale = Pick<Purchase, "code" | "accountId" | "itemId" | "buyer" | "validUntil"> &
  Readonly<ReturnType<typeof toSoldFields>> &
  Readonly<{
    itemName: string
    username: string
    isRevoked: boolean
    sites: number
  }>

/** `next` is the last sale of the page; null on the last page. */
export type SalePage = Readonly<{ sales: readonly Sale[]; next: SaleId | null }>
type ListedPurchase = Pick<Purchase, "code" | "body" | "buyer">
export type PurchasePage = Readonly<{ purchases: readonly ListedPurchase[]; next: SaleId | null }>

export const searchedSalesMax = 1_000

export type SalesOfDay = Readonly<{
  day: string
  currency: string
  isRefunded: boolean
  sales: number
  amount: number
}>

export interface SaleStore {
  /**
   * Newest first, of all accounts if `accountId` is null, whose filter has no items. `at` decides which sites use a
   * slot. A page may be short although more sales follow.
   */
  list(
    accountId: number | null,
    filter: SaleFilter,
    page: Readonly<{ after: SaleId | null; rowsMax: number; at: Timestamp }>,
  ): Promise<SalePage>
  /**
   * Like `list`, for buyers whose name contains the text. Examines `searchedSalesMax` sales; the next page continues
   * there. Of all accounts: for buyers whose name begins with the text, at most `searchedSalesMax` sales.
   */
  search(
    accountId: number | null,
    filter: SaleFilter,
    text: string,
    page: Readonly<{ after: SaleId | null; rowsMax: number; at: Timestamp }>,
  ): Promise<SalePage>
  /** For operators and buyers: purchases of any author. ASCII case-insensitive; usually none or one. */
  listByCode(code: string): Promise<readonly FoundPurchase[]>
  /** Newest first, after skipping `offset`. A page ends at about `pageBytesMax`, although more sales may follow. */
  listPurchases(
    accountId: number,
    filter: SaleFilter,
    page: Readonly<{ after: SaleId | null; offset: number; rowsMax: number }>,
  ): Promise<PurchasePage>
  /** Oldest day first. Of all accounts like `list`. */
  sumByDay(
    accountId: number | null,
    filter: Omit<SaleFilter, "since">,
  ): Promise<readonly SalesOfDay[]>
  /** Returns null if the account, or any account, has no such sale. */
  findCode(accountId: number | null, id: SaleId): Promise<string | null>
}

/** Adds the days of each period, which `periodOf` names, never different currencies. Sorted by period and currency. */
export function sumSales(
  sums: readonly SalesOfDay[],
  periodOf: (day: string) => string,
): readonly SalesOfDay[] {
  const found = new Map<string, { -readonly [Field in keyof SalesOfDay]: SalesOfDay[Field] }>()
  for (const { day, currency, isRefunded, sales, amount } of sums) {
    const period = periodOf(day)
    const key = `${period} ${currency} ${Number(isRefunded)}`
    const sum = found.get(key)
    if (sum === undefined) {
      found.set(key, { day: period, currency, isRefunded, sales, amount })
    } else {
      sum.sales += sales
      sum.amount += amount
    }
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum)
}
