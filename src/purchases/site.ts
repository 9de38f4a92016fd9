/** Sites: the hosts where purchase codes are used. */
import type { SiteLimits } from "../items/item.ts"
import {
  deriveId,
  keysOf,
  type MasterKey,
  type MasterKeys,
  subKey,
} from "../platform/crypto/cipher.ts"
import type { Caller } from "../platform/ip-range.ts"
import { hasAtMost } from "../platform/schema.ts"
import { trimWhitespace } from "../platform/text.ts"
import { daysBefore, type Timestamp } from "../platform/time.ts"
import type { ValidatedSite } from "../usage/usage.ts"

const siteCharactersMax = 255

/** A URL or host name; the group captures the host. The scheme of a URL never counts as a host. */
const urlOrHost = new RegExp(
  "^(?:(?:https?:/{1,2}|(?:[a-z][a-z0-9+.-]*:)?//)(?:[^/?#\\\\]*@)?|(?![a-z][a-z0-9+.-]*:/))" +
    "(\\[[0-9a-f:.]+\\]|[^\\s:/?#@\\\\[\\]]+)(?::\\d*)?(?:[/?#].*)?$",
  "is",
)
const bareIpv6 = /^[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*$/i
const ipv4 = /^\d+\.\d+\.\d+\.\d+$/
/** Fast path for most sites, with the same result as the full parser. */
const plain = /^(?:https?:\/\/)?((?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*)(?:\/[!-~]*)?$/

/** Returns the host of a URL in lower-case ASCII, without `www.`. Keeps other text. Null for what cannot be a site. */
export function parseSite(value: unknown): string | null {
  if (typeof value !== "string") return null
  const host = value.length > siteCharactersMax ? undefined : plain.exec(value)?.[1]
  if (host !== undefined && !host.includes("xn--")) return withoutWww(host)
  const text = trimWhitespace(value)
  if (text === "" || !isStorable(text)) return null
  // Products that run by cron send a URL without a host, which is not a name.
  const isName = /[\p{L}\p{N}]/u.test(text) && !/^https?:\/|[<>]/i.test(text)
  const site = findHost(text) ?? (isName ? text : null)
  return site !== null && isStorable(site) ? site : null
}

const isStorable = (text: string) =>
  hasAtMost(text, siteCharactersMax) && text.isWellFormed() && !/\p{Cc}/u.test(text)

function findHost(text: string): string | null {
  const written = bareIpv6.test(text) ? `[${text}]` : urlOrHost.exec(text)?.[1]?.replace(/\.+$/, "")
  if (written === undefined || written === "") return null
  try {
    const host = new URL(`http://${written}`).hostname.replace(/\.+$/, "")
    // A number is not an IP address, although a URL reads `http://2130706433` as 127.0.0.1.
    return host === "" || (ipv4.test(host) && !ipv4.test(written)) ? null : withoutWww(host)
  } catch {
    return null
  }
}

/** `www.com` keeps its `www.`. */
const withoutWww = (host: string) =>
  host.startsWith("www.") ? host.replace(/^(?:www\.)+(?=[^.]+\.[^.])/, "") : host

/**
 * A site below one of these domains is a test site: tunnels, names that resolve to private IP addresses, WordPress
 * sandboxes, default host names of hosting providers, and editors in browsers. Domains that also serve finished sites
 * are left out.
 */
export const temporaryHosts = `
  ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev trycloudflare.com loca.lt
  localtunnel.me localhost.run lhr.life serveo.net pagekite.me expose.dev sharedwithexpose.com
  devtunnels.ms tunnelmole.net pinggy.link localsite.io live-website.com
  nip.io sslip.io xip.io lvh.me localtest.me vcap.me dev.cc lndo.site ddev.site docksal.site
  devilbox.site
  tastewp.com instawp.xyz instawp.co instawp.link wpsandbox.pro s1.wpsandbox.org
  playground.wordpress.net wpdemos.co jurassic.ninja
  wpengine.com wpenginepowered.com kinsta.cloud kinsta.com wpcomstaging.com myftpupload.com
  flywheelsites.com flywheelstaging.com getflywheel.com cloudwaysapps.com sg-host.com
  siteground.biz onrocket.site pantheonsite.io mystagingwebsite.com pressdns.com rapydapps.cloud
  wpstaq.com hostingersite.com bluehoststaging.com nxcli.io nexcesscdn.net closte.com easywp.com
  dreamhosters.com
  gitpod.io app.github.dev csb.app codesandbox.io stackblitz.io webcontainer.io cloudshell.dev
  repl.co replit.dev idx.dev`
  .trim()
  .split(/\s+/)

const testEndings: ReadonlySet<string> = new Set([
  ...["test", "example", "invalid", "localhost", "local", "internal", "lan", "home.arpa"],
  ...temporaryHosts,
])
const testLabels =
  /^(?:dev|develop|development|local|localhost|staging|stage|test|testing|tests|demo|beta|sandbox|preview|qa|uat)\d*\./
const oneLabel = /^[a-z0-9_-]+$/
const privateIpv4 =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/
const privateIpv6 = /^\[(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/
const mappedIpv4 = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/

/** Whether a site is only for development and testing. Such a site never uses a slot. Expects the normal form. */
export function isTestSite(site: string): boolean {
  // Text with a space is not a host name, even if it ends like one: `machine Ada.local`.
  if (site.includes(" ")) return false
  if (oneLabel.test(site) || testLabels.test(site)) return true
  if (site.split(".").some((_, at, labels) => testEndings.has(labels.slice(at).join("."))))
    return true
  const [, ...groups] = mappedIpv4.exec(site) ?? []
  const bytes = groups.map((group) => Number.parseInt(group, 16)).flatMap((n) => [n >> 8, n & 255])
  const plain = groups.length === 0 ? site : bytes.join(".")
  return (ipv4.test(plain) && privateIpv4.test(plain)) || privateIpv6.test(plain)
}

export type PurchaseSite = Readonly<{
  site: string
  /** `YYYY-MM-DD`, like `lastDay`. */
  firstDay: string
  lastDay: string
  isTest: boolean
}>

export type KnownSite = PurchaseSite & Readonly<{ order: number }>

/** Returns an opaque id. It is valid for this purchase only. */
export type SiteIds = (of: ValidatedSite) => string
/** Test sites of a purchase with a site limit, within `slotDays`. */
export const testSitesMax = (limit: number) => Math.max(10, 5 * limit)
/** Recorded sites of a purchase, unless its site limit is higher. */
export const sitesMax = 200
export const sitesMaxFor = (limit: number) => Math.max(sitesMax, limit + testSitesMax(limit))
/** A site loses its slot if it is not seen for this long. */
export const slotDays = 30
/** Per purchase and IP range within `slotDays`, for everybody who knows the code. */
export const releasesMax = 5

export const isSlotHeld = (lastDay: string, at: Timestamp) => lastDay >= oldestSlotDay(at)

/** The earliest last day with which a site keeps its slot. */
export const oldestSlotDay = (at: Timestamp) => daysBefore(at, slotDays).slice(0, 10)

const usesSlot = ({ isTest, lastDay }: PurchaseSite, at: Timestamp) =>
  !isTest && isSlotHeld(lastDay, at)

export const countSlots = (active: readonly PurchaseSite[], at: Timestamp) =>
  active.filter((each) => usesSlot(each, at)).length

/** The newest site with a slot that was first seen after `site`. */
export function findNewerSite(
  known: readonly KnownSite[],
  site: string,
  at: Timestamp,
): KnownSite | null {
  const own = known.find((each) => each.site === site)
  if (own === undefined || own.isTest) return null
  return (
    known
      .filter((each) => usesSlot(each, at) && compareAge(each, own) > 0)
      .toSorted(compareAge)
      .at(-1) ?? null
  )
}

const compareAge = (one: KnownSite, other: KnownSite) =>
  one.firstDay === other.firstDay
    ? one.order - other.order
    : Number(one.firstDay > other.firstDay) * 2 - 1

/** Returns the sites to evict for this one, which have no slot; null if the purchase is full. */
export function findRoom(
  known: readonly KnownSite[],
  site: string,
  limit: number,
  at: Timestamp,
): readonly string[] | null {
  if (known.length < sitesMaxFor(limit) || known.some((each) => each.site === site)) return []
  const [oldest] = known
    .filter((each) => !usesSlot(each, at))
    .toSorted((one, other) => (one.lastDay < other.lastDay ? -1 : 1))
  return oldest === undefined ? null : [oldest.site]
}

export type Release =
  | Readonly<{ kind: "released" | "absent" }>
  | Readonly<{ kind: "too_many"; retryAfterSeconds: number }>

/** At most `max` releases of a purchase within `slotDays` by the same `releaser`. */
export type ReleaseQuota = Readonly<{ releaser: string; max: number }>

/** Returns a digest of an IP range or a site. It reveals neither, and differs between purchases. */
export type ReleaserIds = (code: string, text: string) => string

/** A purchase in use on several sites. Only sites that use a slot count. */
export type WidelyUsedCode = Readonly<{
  code: string
  itemId: number
  licenseType: string
  soldAt: Timestamp
  sites: number
  siteLimit: number | null
}>

export interface SiteStore {
  /** Latest first. Includes test sites and sites not seen for `slotDays`. */
  list(code: string): Promise<readonly PurchaseSite[]>
  listKnown(code: string): Promise<readonly KnownSite[]>
  countReleases(code: string, releaser: string, at: Timestamp): Promise<number>
  /**
   * Whether the site may be used now: it has a slot, or is one of `testSitesMax` test sites. Concurrent calls on all
   * nodes never exceed `limit`; the result is durable.
   */
  claim(code: string, site: string, limit: number, at: Timestamp): Promise<boolean>
  /** Records existing purchases only: at most `sitesMax` sites each, and `newSitesEachDay` new ones. */
  recordSeen(at: Timestamp, validated: readonly ValidatedSite[]): Promise<void>
  /**
   * Forgets the site and its age. A null quota neither counts nor limits. With a quota a test site stays: it has no slot,
   * and must count among the test sites of the purchase.
   */
  release(code: string, site: string, quota: ReleaseQuota | null, at: Timestamp): Promise<Release>
  /** Releases the site that `findNewerSite` returns. */
  reclaim(code: string, site: string, quota: ReleaseQuota, at: Timestamp): Promise<Release>
  findLimits(itemId: number): Promise<SiteLimits>
  /** Returns false if the item does not exist. */
  putLimits(itemId: number, limits: SiteLimits): Promise<boolean>
  listWidelyUsed(
    of: Readonly<{ itemId: number } | { accountId: number }>,
    sites: number,
    at: Timestamp,
    rowsMax: number,
  ): Promise<readonly WidelyUsedCode[]>
  countPurchases(itemId: number): Promise<number>
  /** One batch after the cursor `after`; null starts. Returns the next cursor, null at the end. */
  deleteExpired(at: Timestamp, after: string | null, rowsMax: number): Promise<string | null>
}

/** Site slots for everybody who knows a code; test data has its own implementation. Every method may throw RateLimited. */
export interface SiteSlots {
  /** Returns whether a valid purchase may be used on this site. */
  activate(purchase: LimitedPurchase, site: string, caller: Caller): Promise<boolean>
  release(code: string, site: string, caller: Caller): Promise<Release>
  /** Releases the newest site that was first seen after this one. */
  reclaim(code: string, site: string, caller: Caller): Promise<Release>
  list(code: string): Promise<readonly PurchaseSite[]>
}

export type LimitedPurchase = Readonly<{
  code: string
  body: string
  siteLimit: number | null
  /** The limits of the item, as `renderLimits` returns them. */
  siteLimits: string | null
  site: string | null
  siteLastDay: string | null
}>

/** Names a site to a buyer who must not read it: without the master key, no guess can be compared with the id. */
export function createSiteIds(master: MasterKey | MasterKeys): SiteIds {
  const idKey = subKey(keysOf(master).current, "site id")
  return ({ code, site }) => deriveId(idKey, `${code}\n${site}`)
}

export function createReleaserIds(master: MasterKey | MasterKeys): ReleaserIds {
  const idKey = subKey(keysOf(master).current, "site release")
  return (code, text) => deriveId(idKey, `${code}\n${text}`)
}
