import { requireRight } from "../access/actor.ts"
import type { Recording } from "../access/audit-event.ts"
import type { KeyOperation } from "../contract/operation.ts"
import { limitFor, type SiteLimits, siteLimitMax } from "../items/item.ts"
import { recordItemEvent } from "../items/item-operations.ts"
import { RateLimited } from "../keys/rate-limits.ts"
import { DomainError, StoreUnavailable } from "../platform/error.ts"
import { type Caller, ipRangeOf } from "../platform/ip-range.ts"
import { formatTimestamp, type Timestamp } from "../platform/time.ts"
import { withTimeout } from "../platform/timers.ts"
import { type Purchase, purchaseBodyOf, resolveSiteLimit } from "./purchase.ts"
import {
  type AuthoredPurchase,
  findValid,
  type PurchaseServices,
  recordPurchaseEvent,
} from "./purchase-operations.ts"
import {
  type PurchaseSite,
  parseSite,
  type Release,
  releasesMax,
  type SiteSlots,
  sitesMax,
  type WidelyUsedCode,
} from "./site.ts"
import type { Catalog } from "./test-catalog.ts"

/** `writeSites` writes the sites that this thread has recorded. */
type SlotServices = Pick<PurchaseServices, "sites" | "limits" | "releaserOf" | "now"> &
  Readonly<{ writeSites(): Promise<void> }>

export function createSiteSlots(services: SlotServices): SiteSlots {
  const { sites, limits, releaserOf, writeSites, now } = services

  /** Sites are masked for strangers, so a wrong name counts, and whoever sent too many gets no response to a right one. */
  async function guard(
    code: string,
    site: string,
    caller: Caller,
    release: (at: Timestamp) => Promise<Release>,
  ): Promise<Release> {
    limits.admitSite(code, caller)
    // A recorded site that is written later would return.
    await writeSites()
    const result = await release(formatTimestamp(now()))
    if (result.kind === "absent") limits.countRejectedSite(code, site, caller)
    return result
  }

  return {
    async activate(purchase, site, caller) {
      const { code, siteLimit, siteLimits, siteLastDay } = purchase
      if (siteLimits === null && siteLimit === null) return true
      const limit = resolveSiteLimit(purchase)
      if (limit === null) return true
      const at = formatTimestamp(now())
      let isActive = siteLastDay === at.slice(0, 10)
      if (!isActive) {
        const claimed = sites.claim(code, site, limit, at).catch((error) => {
          // A database that cannot be written says nothing about the code.
          if (error instanceof StoreUnavailable) return true
          throw error
        })
        isActive = await withTimeout(claimed, claimMsMax, () => true)
      }
      if (isActive) limits.admitSite(code, caller)
      else limits.countRejectedSite(code, site, caller)
      return isActive
    },
    release: (code, site, caller) =>
      guard(code, site, caller, (at) => {
        const releaser = releaserOf(code, ipRangeOf(caller.address()))
        return sites.release(code, site, { releaser, max: releasesMax }, at)
      }),
    reclaim: (code, site, caller) =>
      guard(code, site, caller, (at) => {
        const releaser = releaserOf(code, `for ${site}`)
        return sites.reclaim(code, site, { releaser, max: reclaimsMax }, at)
      }),
    async list(code) {
      await writeSites()
      return sites.list(code)
    },
  }
}

const claimMsMax = 1_000

export type SiteToRelease = Readonly<{ code: string } & ({ site: string } | { forSite: string })>

export const releaseSite: KeyOperation<Catalog, SiteToRelease, null> = async (
  catalog,
  key,
  parameters,
  caller,
) => {
  const { code } = await findValid(catalog, key, parameters.code)
  const release = await ("forSite" in parameters
    ? catalog.sites.reclaim(code, parameters.forSite, caller)
    : catalog.sites.release(code, parameters.site, caller))
  if (release.kind === "absent") throw new DomainError("unknown_code")
  if (release.kind === "too_many") throw new RateLimited(release.retryAfterSeconds)
  return null
}

/** By the author or an operator: does not count as a release. Returns false if the site is unknown. */
export async function releaseSiteOf(
  services: Recording & Pick<PurchaseServices, "sites">,
  { code, accountId, username }: AuthoredPurchase,
  site: string,
): Promise<boolean> {
  requireRight(services.actor, "release_sites")
  const at = formatTimestamp(services.now())
  const { kind } = await services.sites.release(code, site, null, at)
  if (kind !== "released") return false
  const purchase = { code, accountId, username }
  await recordPurchaseEvent(services, purchase, "site_released", { subjectName: site })
  return true
}

type LimitOwner = Pick<Purchase, "itemId" | "body" | "siteLimit">

async function findLimit(
  { sites }: Pick<PurchaseServices, "sites">,
  { itemId, body, siteLimit }: LimitOwner,
) {
  const limits = await sites.findLimits(itemId)
  return siteLimit ?? limitFor(limits, purchaseBodyOf({ body }).license_type)
}

/**
 * Undoes `releaseSiteOf`: the site is active again, as one that was activated now. Returns false if another site has
 * taken the slot, and for what cannot be a site.
 */
export async function restoreSiteOf(
  services: Recording & Pick<PurchaseServices, "sites">,
  purchase: AuthoredPurchase & LimitOwner,
  entered: string,
): Promise<boolean> {
  requireRight(services.actor, "release_sites")
  const site = parseSite(entered)
  const limit = (await findLimit(services, purchase)) ?? sitesMax
  const at = formatTimestamp(services.now())
  if (site === null || !(await services.sites.claim(purchase.code, site, limit, at))) return false
  await recordPurchaseEvent(services, purchase, "site_restored", { subjectName: site })
  return true
}

export async function releaseAllSites(
  services: Recording & Pick<PurchaseServices, "sites">,
  purchase: AuthoredPurchase,
): Promise<void> {
  for (const { site } of await services.sites.list(purchase.code)) {
    await releaseSiteOf(services, purchase, site)
  }
}

export type UsedSites = Readonly<{
  sites: readonly PurchaseSite[]
  limit: number | null
  /** The limit of this purchase alone; null if the item's limit applies. */
  ownLimit: number | null
  at: Timestamp
}>

export async function readUsedSites(services: Counting, purchase: Purchase): Promise<UsedSites> {
  const [sites, limit] = await Promise.all([
    services.sites.list(purchase.code),
    findLimit(services, purchase),
  ])
  return { sites, limit, ownLimit: purchase.siteLimit, at: formatTimestamp(services.now()) }
}

/** Null removes the limit of this purchase. Returns false if it was deleted. */
export async function setPurchaseSiteLimit(
  services: Recording & Pick<PurchaseServices, "purchases">,
  purchase: AuthoredPurchase,
  limit: number | null,
): Promise<boolean> {
  requireRight(services.actor, "manage")
  const isThere = await services.purchases.setSiteLimit(purchase.code, limit)
  const subjectName = limit === null ? "" : String(limit)
  if (isThere) await recordPurchaseEvent(services, purchase, "site_limit", { subjectName })
  return isThere
}

/** Returns false if the item was deleted. */
export async function setSiteLimits(
  services: Recording & Pick<PurchaseServices, "sites">,
  item: Parameters<typeof recordItemEvent>[1],
  limits: SiteLimits,
): Promise<boolean> {
  requireRight(services.actor, "manage")
  const isThere = await services.sites.putLimits(item.id, limits)
  if (isThere) await recordItemEvent(services, item, "site_limit")
  return isThere
}

type Counting = Pick<PurchaseServices, "sites" | "now">

/** Authors see codes on more sites than this, unless far more are allowed. */
export const manySites = 10
const nearLimit = 0.8
const crowdedCandidatesMax = 20
const previewRowsMax = 10_000

/** How many purchases of the item would exceed the limits today. */
export async function previewLimits(
  { sites, now }: Counting,
  itemId: number,
  limits: SiteLimits,
): Promise<Readonly<{ over: number; purchases: number }>> {
  const lowest = Math.min(limits.sites ?? siteLimitMax, ...Object.values(limits.byLicense))
  const at = formatTimestamp(now())
  const used = await sites.listWidelyUsed({ itemId }, lowest, at, previewRowsMax)
  const isOver = (each: WidelyUsedCode) =>
    each.sites > (each.siteLimit ?? limitFor(limits, each.licenseType) ?? siteLimitMax)
  return { over: used.filter(isOver).length, purchases: await sites.countPurchases(itemId) }
}

/** The codes of an account on more than `manySites` sites, without those far below their limit. */
export async function listCrowdedCodes(
  { sites, now }: Counting,
  accountId: number,
  rowsMax: number,
): Promise<readonly (WidelyUsedCode & Readonly<{ limit: number | null }>)[]> {
  const at = formatTimestamp(now())
  const used = await sites.listWidelyUsed({ accountId }, manySites, at, crowdedCandidatesMax)
  const limited = used.map(async (each) => {
    const limit = each.siteLimit ?? limitFor(await sites.findLimits(each.itemId), each.licenseType)
    return { ...each, limit }
  })
  return (await Promise.all(limited))
    .filter((each) => each.limit === null || each.sites >= each.limit * nearLimit)
    .slice(0, rowsMax)
}

/** Per purchase and site within `slotDays`. */
const reclaimsMax = 2
