import { itemBodyOf } from "../items/item.ts"
import { DomainError } from "../platform/error.ts"
import { formatTimestamp } from "../platform/time.ts"
import type { KeyOperation } from "../store/needs.ts"
import {
  type DownloadGrant,
  type DownloadLinks,
  downloadSeconds,
  type PurchaseOnSite,
  stateOfPurchase,
} from "./purchase.ts"
import { type CodeOnSite, validatePurchase } from "./purchase-operations.ts"
import type { Catalog } from "./test-catalog.ts"

export type Download = DownloadGrant & Readonly<{ version: string; purchase: PurchaseOnSite }>

/** Admits the site like a validation. */
export const createDownload =
  ({ isEnabled }: Pick<DownloadLinks, "isEnabled">): KeyOperation<CodeOnSite, Download> =>
  async (catalog, key, input, caller) => {
    const purchase = await validatePurchase(catalog, key, input, caller)
    const { accountId, code, itemId } = purchase
    const item = await catalog.items.find(accountId, itemId)
    const hasDownload = item !== null && item.downloadUrl !== null
    if (!hasDownload || !(isEnabled || key.kind === "tk")) throw new DomainError("no_download")
    const expiresAt = formatTimestamp(new Date(catalog.now().getTime() + downloadSeconds * 1000))
    return { accountId, code, itemId, expiresAt, version: itemBodyOf(item).version, purchase }
  }

/** Returns the signed URL of the file, or null if the grant has expired or the purchase is no longer valid. */
export async function findDownload(
  { accounts, items, purchases, now }: Pick<Catalog, "accounts" | "items" | "purchases" | "now">,
  links: DownloadLinks,
  { accountId, code, itemId, expiresAt }: DownloadGrant,
): Promise<string | null> {
  const at = formatTimestamp(now())
  if (expiresAt <= at) return null
  const account = await accounts.find(accountId)
  if (account === null || account.isSuspended) return null
  const matching = await purchases.listByCode(accountId, code)
  const purchase = matching.find((each) => each.code === code && each.itemId === itemId)
  if (purchase === undefined || stateOfPurchase(purchase, at) !== "valid") return null
  const item = await items.find(accountId, itemId)
  const url = item?.downloadUrl ?? null
  return url === null ? null : links.signUrl(url, { itemId, expiresAt })
}
