import type { PurchasePage, SaleFilter, SaleId } from "../../domain/catalog/sale.ts"
import type { PurchaseSite } from "../../domain/catalog/site-limits.ts"
import type { Timestamp } from "../../domain/values/time/timestamp.ts"
import type { KeyOperation } from "../operation.ts"
import { findValid } from "./purchase-operations.ts"

export type PurchaseListOptions = Readonly<{
  since: Timestamp | null
  after: SaleId | null
  /** Purchases to skip. */
  offset: number
  rowsMax: number
}>

/** Refunded purchases are left out, as in Envato's list of sales. */
export const listPurchases: KeyOperation<PurchaseListOptions, PurchasePage, PurchasePage> = {
  find({ sales }, { accountId }, { since, ...page }) {
    const filter: SaleFilter = { itemIds: null, state: "valid", range: null, since }
    return sales.listPurchases(accountId, filter, page)
  },
  decide: (page) => page,
}

type Sites = readonly PurchaseSite[]

/** Of a valid purchase, latest first. */
export const listSites: KeyOperation<string, Sites, Sites> = {
  async find(catalog, key, code) {
    const purchase = await findValid(catalog, key, code)
    return catalog.sites.list(purchase.code)
  },
  decide: (sites) => sites,
}
