/** A buyer sees and changes these with a purchase code, without an API key. */
import { type Caller, ipRangeOf } from "../platform/ip-range.ts"
import type { Timestamp } from "../platform/time.ts"
import { type FoundPurchase, type PurchaseState, stateOfPurchase } from "../purchases/purchase.ts"
import { findPurchaseOfAny, type PurchaseServices } from "../purchases/purchase-operations.ts"
import {
  countSlots,
  findNewerSite,
  isSlotHeld,
  type PurchaseSite,
  type Release,
  releasesMax,
  type SiteIds,
  type SiteSlots,
} from "../purchases/site.ts"
import { readUsedSites } from "../purchases/site-operations.ts"

export type BuyerServices = Pick<
  PurchaseServices,
  "sales" | "sites" | "limits" | "releaserOf" | "now"
> &
  Readonly<{ slots: SiteSlots; siteIdOf: SiteIds }>

/** Returns null for an unknown code. Unknown codes count against the IP range; throws RateLimited. */
export async function findBoughtPurchase(
  { sales, limits }: BuyerServices,
  caller: Caller,
  pasted: string,
): Promise<FoundPurchase | null> {
  limits.admitBuyer(caller)
  const purchase = await findPurchaseOfAny(sales, pasted)
  // Also checked for a known code: concurrent guesses reveal no more than sequential ones.
  if (purchase === null) limits.countBuyer(caller)
  else limits.admitBuyer(caller)
  return purchase
}

/** While an author is suspended, keys of the author cannot validate. */
export type BoughtState = PurchaseState | "suspended"

export function boughtStateOf(purchase: FoundPurchase, at: Timestamp): BoughtState {
  const state = stateOfPurchase(purchase, at)
  return state === "valid" && purchase.isSuspended ? "suspended" : state
}

/** A displaced site reclaims its slot, which releases a newer one; see `SiteSlots`. */
export const siteChanges = ["reclaim", "release"] as const
export type SiteChange = (typeof siteChanges)[number]

export type BoughtSite = PurchaseSite &
  Readonly<{
    id: string
    state: "active" | "unused" | "test"
    changes: readonly SiteChange[]
    /** The site that loses its slot if this one reclaims its own. */
    losing: string
  }>

export type BoughtSites = Readonly<{
  sites: readonly BoughtSite[]
  count: number
  used: number
  limit: number | null
  releasesLeft: number
}>

const sitesShownMax = 200

/** Not by name: somebody who uses the code on made-up sites could find out between which of them a masked one is. */
const renderSortKey = ({ isTest, lastDay, id }: BoughtSite) => `${isTest ? 0 : 1}${lastDay}${id}`

/** Latest first, test sites last. While all slots are used, a displaced site can reclaim its slot. */
export async function readBoughtSites(
  { sites: store, siteIdOf, releaserOf, now }: BuyerServices,
  purchase: FoundPurchase,
  caller: Caller,
): Promise<BoughtSites> {
  const { code } = purchase
  const { sites, limit, at } = await readUsedSites({ sites: store, now }, purchase)
  const used = countSlots(sites, at)
  const isFull = limit !== null && used >= limit
  const known = isFull ? await store.listKnown(code) : []
  const bought = sites.map((each): BoughtSite => {
    const state = each.isTest ? "test" : isSlotHeld(each.lastDay, at) ? "active" : "unused"
    const newer = state === "unused" ? findNewerSite(known, each.site, at) : null
    const changes = siteChanges.filter((change) =>
      change === "release" ? state !== "test" : newer !== null,
    )
    const id = siteIdOf({ code, site: each.site })
    return { ...each, id, state, changes, losing: newer?.site ?? each.site }
  })
  const releaser = releaserOf(code, ipRangeOf(caller.address()))
  const releases = await store.countReleases(code, releaser, at)
  return {
    sites: bought
      .toSorted((one, other) => (renderSortKey(one) > renderSortKey(other) ? -1 : 1))
      .slice(0, sitesShownMax),
    count: sites.length,
    used,
    limit,
    releasesLeft: Math.max(0, releasesMax - releases),
  }
}

/** Counts against the IP range, and like a release by the product. Throws RateLimited for the IP range. */
export async function changeBoughtSite(
  { slots, limits }: BuyerServices,
  caller: Caller,
  { code }: FoundPurchase,
  { site, change }: Readonly<{ site: BoughtSite; change: SiteChange }>,
): Promise<Release> {
  limits.countBuyer(caller)
  return slots[change](code, site.site, caller)
}
