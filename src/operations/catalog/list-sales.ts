import { type Purchase, type PurchaseStore, purchaseBodyOf } from "../../domain/catalog/purchase.ts"
import {
  matchBuyer,
  type Sale,
  type SaleFilter,
  type SaleId,
  type SaleStore,
  type SearchedPage,
  saleIdOf,
} from "../../domain/catalog/sale.ts"
import { countSlots, type SiteStore } from "../../domain/catalog/site-limits.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { checkPurchase } from "./purchase-operations.ts"

type Selling = Readonly<{
  sales: SaleStore
  purchases: Pick<PurchaseStore, "listByCode">
  sites: Pick<SiteStore, "list">
  now: () => Date
}>

/** A text that is a code finds its sale, whatever the filter; other text matches part of the buyer's name. */
export async function findSales(
  services: Selling,
  accountId: number,
  filter: SaleFilter,
  text: string,
  after: SaleId | null,
  rowsMax: number,
): Promise<SearchedPage> {
  const { sales, now } = services
  const at = formatTimestamp(now())
  if (text === "") {
    return { ...(await sales.list(accountId, filter, after, rowsMax, at)), searched: 0 }
  }
  const ofCode = await findByCode(services, accountId, text)
  if (ofCode !== null) return { sales: [ofCode], next: null, searched: 0 }
  return sales.search(accountId, filter, matchBuyer(text), after, rowsMax, at)
}

export const saleIdOfPurchase = (purchase: Purchase): SaleId =>
  saleIdOf({ ...purchase, soldAt: purchaseBodyOf(purchase).date })

async function findByCode(
  services: Selling,
  accountId: number,
  text: string,
): Promise<Sale | null> {
  const { purchases, sites, now } = services
  const checked = await checkPurchase(purchases, accountId, text)
  if (checked.kind !== "sold") return null
  const { code, itemId, buyer, isRevoked } = checked.purchase
  const { item, license_type, date, supported_until } = purchaseBodyOf(checked.purchase)
  return {
    code,
    itemId,
    itemName: item.name,
    buyer,
    licenseType: license_type,
    soldAt: date,
    supportedUntil: supported_until ?? null,
    isRefunded: isRevoked,
    sites: countSlots(await sites.list(code), formatTimestamp(now())),
  }
}

export async function* listSales(
  services: Selling,
  accountId: number,
  filter: SaleFilter,
  text: string,
  rowsMax: () => number,
): AsyncGenerator<readonly Sale[]> {
  let next: SaleId | null = null
  do {
    const page: SearchedPage = await findSales(services, accountId, filter, text, next, rowsMax())
    yield page.sales
    next = page.next
  } while (next !== null)
}
