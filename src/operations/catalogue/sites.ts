import { purchaseBodyOf } from "../../domain/catalogue/purchase.ts"
import { isTestSite } from "../../domain/catalogue/site.ts"
import {
  isPlaceHeld,
  limitFor,
  limitsOf,
  placeDays,
  type Release,
  releasesMax,
  type SitePlaces,
  type SiteStore,
} from "../../domain/catalogue/sites.ts"
import { RateLimited } from "../../domain/running/rate-limits.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { DomainError } from "../../domain/values/error.ts"
import { daySeconds, formatTimestamp } from "../../domain/values/time/timestamp.ts"
import type { KeyOperation } from "../operation.ts"
import { validatePurchase } from "./purchases.ts"

type Places = Readonly<{ sites: Pick<SiteStore, "claim" | "release">; now: () => Date }>

/** The places of the purchases in a store. */
export const createSitePlaces = ({ sites, now }: Places): SitePlaces => ({
  letIn(purchase, site) {
    const { code, siteLimits, siteLastDay } = purchase
    if (siteLimits === null || isTestSite(site)) return true
    const at = formatTimestamp(now())
    if (siteLastDay !== null && isPlaceHeld(siteLastDay, at)) return true
    const limit = limitFor(limitsOf(siteLimits), purchaseBodyOf(purchase).license_type)
    return limit === null ? true : claimOrPass(sites.claim(code, site, limit, at))
  },
  release: (code, site) => sites.release(code, site, releasesMax, formatTimestamp(now())),
})

/** A store that cannot be written says nothing about the code. */
async function claimOrPass(claiming: Promise<boolean>): Promise<boolean> {
  try {
    return await claiming
  } catch (error) {
    if (error instanceof StoreUnavailable) return true
    throw error
  }
}

export type SiteOfCode = Readonly<{ code: string; site: string }>

/** Frees the place of a site at once. */
export const releaseSite: KeyOperation<SiteOfCode, Release, null> = {
  async find(catalogue, key, { code, site }) {
    const alike = await catalogue.purchases.listByCode(key.accountId, code)
    const purchase = validatePurchase.decide(alike, key, { code, site })
    return catalogue.sites.release(purchase.code, site)
  },
  decide(release) {
    if (release.kind === "absent") throw new DomainError("unknown_code")
    if (release.kind === "too_many") throw new RateLimited(quotaOf(release.retryAfterSeconds))
    return null
  },
}

const releaseRate = {
  burst: releasesMax,
  intervalMs: (placeDays * daySeconds * 1000) / releasesMax,
}

const quotaOf = (retryAfterSeconds: number) => ({
  limit: "releases" as const,
  rate: releaseRate,
  remaining: 0,
  resetSeconds: placeDays * daySeconds,
  retryAfterSeconds,
})
