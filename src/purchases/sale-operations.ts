import type { Account } from "../accounts/account.ts"
import type { KeyOperation } from "../contract/operation.ts"
import { formatTimestamp, type Timestamp } from "../platform/time.ts"
import { type Purchase, purchaseBodyOf } from "./purchase.ts"
import { checkPurchase, findValid } from "./purchase-operations.ts"
import { type PurchasePage, type SaleFilter, type SaleId, type SalePage, saleIdOf } from "./sale.ts"
import type { PurchaseServices } from "./services.ts"
import { countSlots, type PurchaseSite } from "./site.ts"
import type { Catalog } from "./test-catalog.ts"

type Selling = Pick<PurchaseServices, "sales" | "purchases" | "sites" | "now">

/** An item ID finds that item, other text all items of the account with this name. Null for all items. */
export async function findItemIds(
  { items, itemSearch }: Pick<PurchaseServices, "items" | "itemSearch">,
  accountId: number,
  text: string,
): Promise<SaleFilter["itemIds"]> {
  if (text === "") return null
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  const isOwn = id > 0 && (await items.find(accountId, id)) !== null
  return isOwn ? [id] : itemSearch.listIdsByName(accountId, text)
}

export type Seller = Pick<Account, "id" | "username">

/** A text that is a code of the account finds its sale, whatever the filter; other text searches buyers. */
export async function findSales(
  services: Selling,
  account: Seller | null,
  filter: SaleFilter,
  text: string,
  after: SaleId | null,
  rowsMax: number,
): Promise<SalePage> {
  const { sales, now } = services
  const at = formatTimestamp(now())
  const accountId = account?.id ?? null
  if (text === "") return sales.list(accountId, filter, after, rowsMax, at)
  const ofCode = account && (await findByCode(services, account, text))
  if (ofCode !== null) return { sales: [ofCode], next: null }
  return sales.search(accountId, filter, text, after, rowsMax, at)
}

export const saleIdOfPurchase = (purchase: Purchase) =>
  saleIdOf({ ...purchase, soldAt: purchaseBodyOf(purchase).date })

async function findByCode(services: Selling, { id, username }: Seller, text: string) {
  const { purchases, sites, now } = services
  const checked = await checkPurchase(purchases, id, text)
  if (checked.kind !== "sold") return null
  const { code, itemId, buyer, isRevoked, validUntil } = checked.purchase
  const body = purchaseBodyOf(checked.purchase)
  return {
    code,
    accountId: id,
    itemId,
    itemName: body.item.name,
    username,
    buyer,
    licenseType: body.license_type,
    price: body.price,
    currency: body.currency,
    soldAt: body.date,
    supportedUntil: body.supported_until ?? null,
    validUntil,
    isRevoked,
    sites: countSlots(await sites.list(code), formatTimestamp(now())),
  }
}

export type PurchaseListOptions = Readonly<{
  since: Timestamp | null
  after: SaleId | null
  /** Purchases to skip. */
  offset: number
  rowsMax: number
}>

/** Refunded purchases are left out, as in Envato's list of sales. */
export const listPurchases: KeyOperation<Catalog, PurchaseListOptions, PurchasePage> = (
  { sales },
  { accountId },
  { since, ...page },
) => {
  const filter: SaleFilter = { itemIds: null, state: "valid", range: null, since }
  return sales.listPurchases(accountId, filter, page)
}

/** The sites of a valid purchase, latest first. */
export const listSites: KeyOperation<Catalog, string, readonly PurchaseSite[]> = async (
  catalog,
  key,
  code,
) => catalog.sites.list((await findValid(catalog, key, code)).code)
