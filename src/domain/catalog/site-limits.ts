/** On which sites a purchase is used, how many an item allows for each purchase, and the port that keeps both. */
import { UserError } from "../values/error.ts"
import { daysBefore, type Timestamp } from "../values/time/timestamp.ts"

/** A site that was let in, in normal form. */
export type PurchaseSite = Readonly<{
  site: string
  /** `2026-06-22`. */
  firstDay: string
  lastDay: string
  isTest: boolean
}>

/**
 * A site as it is kept. A released one is kept, too, so that a site that was first can take its slot back. `order` counts
 * the sites of a purchase; it is 0 for test sites.
 */
export type KnownSite = PurchaseSite & Readonly<{ order: number; isReleased: boolean }>

/** A valid response to a code and a site. */
export type ValidatedSite = Readonly<{ code: string; site: string }>

/** `lastDay` is the day of the last response before this one; null for a new site. */
export type SeenSite = ValidatedSite & Readonly<{ lastDay: string | null }>

/** How many sites each purchase of an item may be used on. Null is any number. */
export type SiteLimits = Readonly<{
  sites: number | null
  /** Other numbers for some licence types, as purchases name them. */
  byLicense: Readonly<Record<string, number>>
}>

export const noLimits: SiteLimits = { sites: null, byLicense: {} }

/** Of a purchase. No limit can be higher. */
export const sitesMax = 200
/** Of a purchase in a day, where no limit says less: a stranger who knows a code cannot fill its list at once. */
export const newSitesEachDay = 20
/** A site that was not seen for so long gives its place up. */
export const slotDays = 30
/** A site that was not seen for so long is deleted. */
export const siteDays = 400
/** Of a purchase within `placeDays`, by those who hold a key. */
export const releasesMax = 5

/** A licence that a shop writes in other case is the same, unless its own spelling has a number too. */
export function limitFor({ sites, byLicense }: SiteLimits, licenseType: string): number | null {
  if (Object.hasOwn(byLicense, licenseType)) return byLicense[licenseType] ?? null
  const folded = licenseType.toLowerCase()
  const same = Object.entries(byLicense).find(([name]) => name.toLowerCase() === folded)
  return same === undefined ? sites : same[1]
}

export const hasLimit = ({ sites, byLicense }: SiteLimits) =>
  sites !== null || Object.keys(byLicense).length > 0

/** The form in which an item keeps them; null without a limit. */
export const renderLimits = (limits: SiteLimits) =>
  hasLimit(limits) ? JSON.stringify(limits) : null

/** The text was made by `renderLimits`. */
export const limitsOf = (text: string | null): SiteLimits =>
  text === null ? noLimits : JSON.parse(text)

/** A number of sites as a person typed it. Throws RefusedError. */
export function parseSiteLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= sitesMax) return limit
  throw new UserError(`a limit is a number of sites from 1 to ${sitesMax}`)
}

/** Whether a place may be used on without asking for it again. */
export const isSlotHeld = (lastDay: string, at: Timestamp) => lastDay >= oldestSlotDay(at)

/** The first day of those on which a site must have been seen to keep its place. */
export const oldestSlotDay = (at: Timestamp) => daysBefore(at, slotDays).slice(0, 10)

type Known = readonly KnownSite[]

const usesSlot = ({ isTest, lastDay }: PurchaseSite, at: Timestamp) =>
  !isTest && isSlotHeld(lastDay, at)

export const hasSlot = (active: readonly PurchaseSite[], site: string, at: Timestamp) =>
  active.some((each) => each.site === site && usesSlot(each, at))

export const countSlots = (active: readonly PurchaseSite[], at: Timestamp) =>
  active.filter((each) => usesSlot(each, at)).length

export const isActive = ({ isReleased }: KnownSite) => !isReleased

/** The youngest of the sites that use a slot and were first seen after `site`; null if there is none. */
export function findNewerSite(known: Known, site: string, at: Timestamp): KnownSite | null {
  const own = known.find((each) => each.site === site)
  if (own === undefined || own.isTest) return null
  return (
    known
      .filter((each) => isActive(each) && usesSlot(each, at) && compareAge(each, own) > 0)
      .toSorted(compareAge)
      .at(-1) ?? null
  )
}

const compareAge = (one: KnownSite, other: KnownSite) =>
  one.firstDay === other.firstDay
    ? one.order - other.order
    : Number(one.firstDay > other.firstDay) * 2 - 1

export const mayAddToday = (known: Known, today: string) =>
  known.filter(({ firstDay }) => firstDay === today).length < newSitesEachDay

/** Null if a purchase has no room for this site. A site that uses no place may make room for another. */
export function findRoom(
  known: Known,
  site: string,
  at: Timestamp,
): Readonly<{ evicted: readonly string[] }> | null {
  if (known.length < sitesMax || known.some((each) => each.site === site)) return { evicted: [] }
  const [oldest] = known
    .filter((each) => each.isReleased || !usesSlot(each, at))
    .toSorted((one, other) => (one.lastDay < other.lastDay ? -1 : 1))
  return oldest === undefined ? null : { evicted: [oldest.site] }
}

export type Release =
  | Readonly<{ kind: "released" | "absent" }>
  | Readonly<{ kind: "too_many"; retryAfterSeconds: number }>

/** A purchase that is on more than one site. Test sites, and those not seen for 30 days, are left out. */
export type WidelyUsedCode = Readonly<{
  code: string
  itemId: number
  licenseType: string
  sites: number
}>

export interface SiteStore {
  /** By last day, the latest first; test sites and those that gave their place up are among them. */
  list(code: string): Promise<readonly PurchaseSite[]>
  /**
   * A place for a new site, if one of `limit` is free. True if it has one now or had one before. Never lets two
   * into the last place, on whatever threads and nodes they are. What it says outlives a power cut.
   */
  claim(code: string, site: string, limit: number, at: Timestamp): Promise<boolean>
  /** Notes those whose purchase is there, at most `sitesMax` of a purchase and `newSitesEachDay` new ones. */
  recordSeen(at: Timestamp, sightings: readonly ValidatedSite[]): Promise<void>
  /** At most `releasesMax` of a purchase within `placeDays` are counted; null counts nothing and has no limit. */
  release(code: string, site: string, releasesMax: number | null, at: Timestamp): Promise<Release>
  /** Releases the site that `findYounger` names, without counting it. */
  reclaim(code: string, site: string, at: Timestamp): Promise<Release>
  findLimits(itemId: number): Promise<SiteLimits>
  /** False if there is no such item. */
  putLimits(itemId: number, limits: SiteLimits): Promise<boolean>
  /** Purchases of an item on more than `sites` sites, those on the most first, at most `rowsMax`. */
  listWidelyUsed(
    of: Readonly<{ itemId: number } | { accountId: number }>,
    sites: number,
    at: Timestamp,
    rowsMax: number,
  ): Promise<readonly WidelyUsedCode[]>
  /** How many of the item were sold, revoked ones included. */
  countPurchases(itemId: number): Promise<number>
  /** One batch behind `after` (null begins) of what is too old. Says where the next one begins, null at the end. */
  deleteExpired(at: Timestamp, after: string | null, rowsMax: number): Promise<string | null>
}

/** How the API asks about sites. The sample world has one of its own. */
export interface SiteSlots {
  /** Whether a valid purchase may be used on this site. */
  activate(purchase: LimitedPurchase, site: string): Promise<boolean>
  release(code: string, site: string): Promise<Release>
  /** Releases the youngest site that was first seen after this one. */
  reclaim(code: string, site: string): Promise<Release>
}

/** What of a purchase decides whether a site is let in. */
export type LimitedPurchase = Readonly<{
  code: string
  body: string
  /** As `renderLimits` made it. */
  siteLimits: string | null
  /** The site of the request; null if it has none. */
  site: string | null
  /** The last day of that site; null if it is not there. */
  siteLastDay: string | null
}>
