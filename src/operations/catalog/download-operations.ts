import type { Catalog } from "../../domain/catalog/catalog.ts"
import { itemBodyOf } from "../../domain/catalog/item.ts"
import {
  CodeRejected,
  type DownloadGrant,
  type DownloadLinks,
  downloadSeconds,
  type PurchaseOnSite,
} from "../../domain/catalog/purchase.ts"
import { DomainError } from "../../domain/values/error.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import type { KeyOperation } from "../operation.ts"
import { type CodeOnSite, findValid, validatePurchase } from "./purchase-operations.ts"

export type Download = DownloadGrant & Readonly<{ version: string; purchase: PurchaseOnSite }>

/** Admits the site like a validation. */
export const createDownload =
  ({ isEnabled }: Pick<DownloadLinks, "isEnabled">): KeyOperation<CodeOnSite, Download> =>
  async (catalog, key, input, caller) => {
    const purchase = await validatePurchase(catalog, key, input, caller)
    const { accountId, code, itemId } = purchase
    const item = await catalog.items.find(key.kind === "tk" ? 0 : key.accountId, itemId)
    const hasDownload = item !== null && item.downloadUrl !== null
    if (!hasDownload || !(isEnabled || key.kind === "tk")) throw new DomainError("no_download")
    const expiresAt = formatTimestamp(new Date(catalog.now().getTime() + downloadSeconds * 1000))
    return { accountId, code, itemId, expiresAt, version: itemBodyOf(item).version, purchase }
  }

/** Returns the signed URL of the file, or null if the grant has expired or the purchase is no longer valid. */
export async function findDownload(
  { accounts, items, ...catalog }: Pick<Catalog, "accounts" | "items" | "purchases" | "now">,
  links: DownloadLinks,
  { accountId, code, itemId, expiresAt }: DownloadGrant,
): Promise<string | null> {
  if (expiresAt <= formatTimestamp(catalog.now())) return null
  const account = await accounts.find(accountId)
  if (account === null || account.isSuspended) return null
  const key = { accountId, itemIds: [itemId] }
  const purchase = await findValid(catalog, key, code).catch((error) => {
    if (error instanceof CodeRejected) return null
    throw error
  })
  if (purchase?.code !== code) return null
  const item = await items.find(accountId, itemId)
  const url = item?.downloadUrl ?? null
  return url === null ? null : links.signUrl(url, { itemId, expiresAt })
}
