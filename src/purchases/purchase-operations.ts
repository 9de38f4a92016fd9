import { requireRight } from "../access/actor.ts"
import type { AuditAction, Recording } from "../access/audit-event.ts"
import { createEvent } from "../access/audit-operations.ts"
import type { Account } from "../accounts/account.ts"
import type { ApiKey, KeyOperation } from "../contract/operation.ts"
import { type ItemSearch, type ItemStore, itemBodyOf } from "../items/item.ts"
import { isItemInScope } from "../keys/key.ts"
import type { RateLimits } from "../keys/rate-limits.ts"
import { DomainError, UserError } from "../platform/error.ts"
import { formatTimestamp } from "../platform/time.ts"
import { CodeRejected } from "../usage/usage.ts"
import {
  type DownloadGrant,
  type DownloadLinks,
  type FoundPurchase,
  listCodeCandidates,
  normalizePurchaseCode,
  type Purchase,
  type PurchaseOnSite,
  type PurchaseStore,
  purchaseBodyOf,
  resolveSiteLimit,
  stateOfPurchase,
} from "./purchase.ts"
import {
  type PurchaseFilter,
  type PurchasePage,
  type SaleFilter,
  type SaleId,
  type SalePage,
  type SaleStore,
  saleIdOf,
  toSoldFields,
} from "./sale.ts"
import { countSlots, type PurchaseSite, type ReleaserIds, type SiteStore } from "./site.ts"
import { type Catalog, isTestCode } from "./test-catalog.ts"

/** Both in normal form. Without a site, no site limit applies. */
export type CodeOnSite = Readonly<{ code: string; site: string | null }>

export const validatePurchase: KeyOperation<Catalog, CodeOnSite, PurchaseOnSite> = async (
  catalog,
  key,
  { code, site },
  caller,
) => {
  if (key.isSiteRequired && site === null) throw new DomainError("missing_parameter")
  const purchase = await findValid(catalog, key, code, site)
  if (site === null || (await catalog.sites.activate(purchase, site, caller))) return purchase
  const rejected = describeRejected(purchase, key)
  if (!rejected.isOwn) throw new CodeRejected("site_limit", rejected)
  const rejectedSite = { site, limit: resolveSiteLimit(purchase) ?? 0 }
  throw new CodeRejected("site_limit", { ...rejected, rejectedSite })
}

/** Throws CodeRejected unless the purchase is valid. Ignores its site limit. */
export async function findValid(
  { purchases, now }: Pick<Catalog, "purchases" | "now">,
  key: ApiKey,
  code: string,
  site: string | null = null,
): Promise<PurchaseOnSite> {
  const matching = await purchases.listByCode(key.accountId, code, site, key.id)
  const purchase = findBestMatch(matching, key, code)
  if (purchase === null) {
    // The code may belong to an item outside the key's scope.
    const isOwn = matching.some((each) => each.code === code)
    // Products read an unknown code as invalid, and this purchase is not.
    if (!isOwn && (await purchases.hasMovedFrom(key, code)))
      throw new DomainError("key_not_allowed")
    throw new CodeRejected("unknown_code", { code, isOwn })
  }
  if (purchase.isRevoked) {
    throw new CodeRejected("revoked_code", describeRejected(purchase, key), purchase)
  }
  // Few purchases expire, so the time is not formatted for the others.
  if (purchase.validUntil !== null && purchase.validUntil <= formatTimestamp(now())) {
    throw new CodeRejected("expired_code", describeRejected(purchase, key), purchase)
  }
  return purchase
}

/** The log of a previous author does not show the codes of the new one. */
const describeRejected = ({ code, accountId }: Purchase, key: ApiKey) => ({
  code,
  isOwn: accountId === key.accountId || key.kind === "tk",
})

/**
 * The exact code, or else the only one that differs in ASCII case. Codes outside the key's scope are excluded first:
 * if they made another code ambiguous, their existence would show.
 */
function findBestMatch<Found extends Purchase>(
  matching: readonly Found[],
  key: Pick<ApiKey, "itemIds">,
  code: string,
): Found | null {
  let candidates = 0
  let last: Found | null = null
  for (const purchase of matching) {
    if (!isItemInScope(key, purchase.itemId)) continue
    if (purchase.code === code) return purchase
    candidates += 1
    last = purchase
  }
  return candidates === 1 ? last : null
}

const everyItem: Pick<ApiKey, "itemIds"> = { itemIds: null }

type CheckedCode<Found extends Purchase = Purchase> =
  | Readonly<{
      kind: "sold"
      purchase: Found
      isInText: boolean
      others: readonly string[]
    }>
  | Readonly<{ kind: "test" | "unknown" | "invalid" | "empty" }>

/** Finds an author's sale by a pasted code, refunded or not. Another author's code is unknown. */
export const checkPurchase = (
  purchases: Pick<PurchaseStore, "listByCode">,
  accountId: number,
  pasted: string,
) =>
  checkPasted(pasted, async (code) =>
    findBestMatch(await purchases.listByCode(accountId, code), everyItem, code),
  )

/** Like `checkPurchase`, for operators: sales of all authors. `matching` codes differ only in case from the text. */
export async function checkPurchaseOfAny(
  reads: Pick<SaleStore, "listByCode">,
  pasted: string,
): Promise<CheckedCode<FoundPurchase> | Readonly<{ kind: "matching"; codes: readonly string[] }>> {
  const matching = new Set<string>()
  const checked = await checkPasted(pasted, async (code) => {
    const found = await reads.listByCode(code)
    const best = findBestMatch(found, everyItem, code)
    if (best === null) for (const each of found) matching.add(each.code)
    return best
  })
  const isAmbiguous = checked.kind === "unknown" && matching.size > 0
  return isAmbiguous ? { kind: "matching", codes: [...matching].toSorted() } : checked
}

/** Tries the whole text first, then its words. */
async function checkPasted<Found extends Purchase>(
  pasted: string,
  find: (code: string) => Promise<Found | null>,
): Promise<CheckedCode<Found>> {
  const code = normalizePurchaseCode(pasted)
  if (code === "") return { kind: "empty" }
  const whole = code === null ? null : await find(code)
  if (whole !== null) return { kind: "sold", purchase: whole, isInText: false, others: [] }
  if (code !== null && isTestCode(code)) return { kind: "test" }

  const words = listCodeCandidates(pasted)
  const found = await Promise.all(words.map((readings) => Promise.all(readings.map(find))))
  const sold = new Map<string, Found>()
  for (const readings of found) {
    const first = readings.find((purchase) => purchase !== null)
    if (first) sold.set(first.code, first)
  }
  const [purchase, ...others] = sold.values()
  if (purchase !== undefined) {
    return { kind: "sold", purchase, isInText: true, others: others.map(({ code }) => code) }
  }
  return { kind: code === null && words.length === 0 ? "invalid" : "unknown" }
}

/** For buyers: a purchase of any author, refunded or not. Null also if several codes match. */
export async function findPurchaseOfAny(
  reads: Pick<SaleStore, "listByCode">,
  pasted: string,
): Promise<FoundPurchase | null> {
  const code = normalizePurchaseCode(pasted)
  return code ? findBestMatch(await reads.listByCode(code), everyItem, code) : null
}

/** For operators: a purchase of any author. Throws UserError with the cause. */
export async function findPurchase(
  reads: Pick<SaleStore, "listByCode">,
  pasted: string,
): Promise<FoundPurchase> {
  const code = normalizePurchaseCode(pasted)
  if (!code) throw new UserError("not a purchase code; enter 1 to 255 characters of text")
  const matching = await reads.listByCode(code)
  const found = findBestMatch(matching, everyItem, code)
  if (found !== null) return found
  if (matching.length > 0) {
    const codes = matching.map((each) => each.code).toSorted()
    throw new UserError(`several codes differ only in case; enter one of ${codes.join(", ")}`)
  }
  if (isTestCode(code)) throw new UserError(`${code} is a test code; only test keys validate it`)
  throw new UserError(`purchase ${code} does not exist`)
}

/**
 * Sets or removes the operator override. Returns false if the purchase was deleted. Recorded in the audit log if it
 * changed.
 */
export async function setRefunded(
  services: Recording & Readonly<{ purchases: Pick<PurchaseStore, "setRevokedByOperator"> }>,
  purchase: FoundPurchase,
  isRefunded: boolean,
  note: string,
): Promise<boolean> {
  requireRight(services.actor, "operate")
  // Another operator was faster: the note is recorded all the same.
  const isDone = purchase.isRevokedByOperator === isRefunded
  if (isDone && note === "") return true
  const isThere =
    isDone ||
    (await services.purchases.setRevokedByOperator(purchase.code, isRefunded, services.now()))
  const action = isRefunded ? "refunded" : "refund_taken_back"
  if (isThere) await recordPurchaseEvent(services, purchase, action, { note })
  return isThere
}

/** `isRevokedByFeed` is unknown on an author's own page. */
export type AuthoredPurchase = Pick<FoundPurchase, "code" | "accountId" | "username"> &
  Partial<Pick<FoundPurchase, "isRevokedByFeed">>

export function recordPurchaseEvent(
  recording: Recording,
  { code, accountId, username, isRevokedByFeed: isByFeed }: AuthoredPurchase,
  action: AuditAction<"purchase">,
  { subjectName = "", note }: Readonly<{ subjectName?: string; note?: string }>,
): Promise<void> {
  const account = { id: accountId, username }
  const event = createEvent(recording, { kind: "purchase", action })
  return recording.audit.insert({ ...event, account, subjectId: code, subjectName, isByFeed, note })
}

export type Download = DownloadGrant & Readonly<{ version: string; purchase: PurchaseOnSite }>

/** Admits the site like a validation. */
export const createDownload =
  ({ isEnabled }: Pick<DownloadLinks, "isEnabled">): KeyOperation<Catalog, CodeOnSite, Download> =>
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

export type PurchaseServices = Readonly<{
  items: ItemStore
  itemSearch: ItemSearch
  purchases: PurchaseStore
  sales: SaleStore
  sites: SiteStore
  limits: RateLimits
  releaserOf: ReleaserIds
  now: () => Date
}>

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
  services: Pick<PurchaseServices, "sales" | "purchases" | "sites" | "now">,
  account: Seller | null,
  filter: SaleFilter,
  { text, ...rows }: Readonly<{ text: string; after: SaleId | null; rowsMax: number }>,
): Promise<SalePage> {
  const { sales, purchases, sites, now } = services
  const page = { ...rows, at: formatTimestamp(now()) }
  const accountId = account?.id ?? null
  if (text === "") return sales.list(accountId, filter, page)
  const checked = account && (await checkPurchase(purchases, account.id, text))
  if (account === null || checked?.kind !== "sold")
    return sales.search(accountId, filter, text, page)
  const { code, itemId, buyer, isRevoked, validUntil } = checked.purchase
  const body = purchaseBodyOf(checked.purchase)
  const sale = {
    ...{ code, accountId: account.id, itemId, buyer, isRevoked, validUntil },
    itemName: body.item.name,
    username: account.username,
    ...toSoldFields(body),
    sites: countSlots(await sites.list(code), page.at),
  }
  return { sales: [sale], next: null }
}

export const saleIdOfPurchase = (purchase: Purchase) =>
  saleIdOf({ ...purchase, soldAt: purchaseBodyOf(purchase).date })

export type PurchaseListOptions = Readonly<{
  filter: PurchaseFilter
  after: SaleId | null
  offset: number
  rowsMax: number
}>

/** Refunded purchases are left out, as in Envato's list of sales. */
export const listPurchases: KeyOperation<Catalog, PurchaseListOptions, PurchasePage> = (
  { sales },
  { accountId },
  { filter, ...page },
) => sales.listPurchases(accountId, { ...filter, itemIds: null, state: "valid", range: null }, page)

export const listSites: KeyOperation<Catalog, string, readonly PurchaseSite[]> = async (
  catalog,
  key,
  code,
) => catalog.sites.list((await findValid(catalog, key, code)).code)

const downloadSeconds = 900
