import { requireRight } from "../access/actor.ts"
import type { AuditAction, Recording } from "../access/audit-event.ts"
import { createEvent } from "../access/audit-operations.ts"
import type { ApiKey, KeyOperation } from "../contract/operation.ts"
import { itemBodyOf } from "../items/item.ts"
import { isItemInScope } from "../keys/key.ts"
import { DomainError, UserError } from "../platform/error.ts"
import { formatTimestamp } from "../platform/time.ts"
import { CodeRejected } from "../usage/counted-request.ts"
import {
  type DownloadGrant,
  type DownloadLinks,
  downloadSeconds,
  type FoundPurchase,
  isExpired,
  type Purchase,
  type PurchaseOnSite,
  type PurchaseStore,
  siteLimitOf,
  stateOfPurchase,
} from "./purchase.ts"
import { checkPastedCode, listCodeCandidates } from "./purchase-code.ts"
import type { SaleStore } from "./sale.ts"
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
  const rejected = rejectedCodeOf(purchase, key)
  if (!rejected.isOwn) throw new CodeRejected("site_limit", rejected)
  const rejectedSite = { site, limit: siteLimitOf(purchase) ?? 0 }
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
  if (purchase.isRevoked)
    throw new CodeRejected("revoked_code", rejectedCodeOf(purchase, key), purchase)
  // Few purchases expire, so the time is not formatted for the others.
  if (purchase.validUntil !== null && isExpired(purchase, formatTimestamp(now()))) {
    throw new CodeRejected("expired_code", rejectedCodeOf(purchase, key), purchase)
  }
  return purchase
}

/** The log of a previous author does not show the codes of the new one. */
const rejectedCodeOf = ({ code, accountId }: Purchase, key: ApiKey) => ({
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

/** In place of a key, for authors and operators. */
const everyItem: Pick<ApiKey, "itemIds"> = { itemIds: null }

export type CheckedCode<Found extends Purchase = Purchase> =
  | Readonly<{
      kind: "sold"
      purchase: Found
      /** Whether the pasted text contains more than the code. */
      isInText: boolean
      /** Further codes in the text. */
      others: readonly string[]
    }>
  | Readonly<{ kind: "test" | "unknown" | "invalid" | "empty" }>

/** Finds an author's sale by a pasted code, refunded or not. Another author's code is unknown. */
export const checkPurchase = (
  purchases: Pick<PurchaseStore, "listByCode">,
  accountId: number,
  pasted: string,
): Promise<CheckedCode> =>
  checkPasted(pasted, async (code) =>
    findBestMatch(await purchases.listByCode(accountId, code), everyItem, code),
  )

/** Codes that differ only in case, none of which was entered exactly. */
export type MatchingCodes = Readonly<{ kind: "matching"; codes: readonly string[] }>

/** Like `checkPurchase`, for operators: sales of all authors. */
export async function checkPurchaseOfAny(
  reads: Pick<SaleStore, "listByCode">,
  pasted: string,
): Promise<CheckedCode<FoundPurchase> | MatchingCodes> {
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
  const pastedCode = checkPastedCode(pasted)
  if (pastedCode.kind === "empty") return pastedCode
  const whole = pastedCode.kind === "code" ? await find(pastedCode.code) : null
  if (whole !== null) return { kind: "sold", purchase: whole, isInText: false, others: [] }
  if (pastedCode.kind === "code" && isTestCode(pastedCode.code)) return { kind: "test" }

  const words = listCodeCandidates(pasted)
  const found = await Promise.all(words.map((readings) => findFirst(readings, find)))
  const sold = new Map(found.flatMap((each) => (each === null ? [] : [[each.code, each]])))
  const [purchase, ...others] = sold.values()
  if (purchase !== undefined) {
    return { kind: "sold", purchase, isInText: true, others: others.map(({ code }) => code) }
  }
  return { kind: pastedCode.kind === "invalid" && words.length === 0 ? "invalid" : "unknown" }
}

async function findFirst<Found>(
  readings: readonly string[],
  find: (code: string) => Promise<Found | null>,
): Promise<Found | null> {
  const found = await Promise.all(readings.map(find))
  return found.find((purchase) => purchase !== null) ?? null
}

/** For buyers: a purchase of any author, refunded or not. Null also if several codes match. */
export async function findPurchaseOfAny(
  reads: Pick<SaleStore, "listByCode">,
  pasted: string,
): Promise<FoundPurchase | null> {
  const pastedCode = checkPastedCode(pasted)
  if (pastedCode.kind !== "code") return null
  const { code } = pastedCode
  return findBestMatch(await reads.listByCode(code), everyItem, code)
}

/** For operators: a purchase of any author. Throws UserError with the cause. */
export async function findPurchase(
  reads: Pick<SaleStore, "listByCode">,
  pasted: string,
): Promise<FoundPurchase> {
  const pastedCode = checkPastedCode(pasted)
  if (pastedCode.kind !== "code") {
    throw new UserError("not a purchase code; enter 1 to 255 characters of text")
  }
  const { code } = pastedCode
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

type Refunding = Recording & Readonly<{ purchases: Pick<PurchaseStore, "setRevokedByOperator"> }>

/**
 * Sets or removes the operator override. Returns false if the purchase was deleted. Recorded in the audit log if it
 * changed.
 */
export async function setRefunded(
  services: Refunding,
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
