/** The codes and sites of one thread that are noted with the next write, each once a day. */
import type { AskedPurchase } from "../domain/catalogue/purchase.ts"
import type { SiteSighting, SiteStore } from "../domain/catalogue/sites.ts"
import type { Counts } from "../domain/usage/usage.ts"

/** Codes of one write. Others are noted at a later call. */
const codesMax = 500
/** The same for sites. A thread notes eight million in a day. */
const sitesMax = 200
/** Of one code in one write: a stranger's made-up sites must not keep those of others out. */
const sitesOfCodeMax = 20
/** Codes and sites of today that are known to be noted: two megabytes. Noting one again costs a look-up. */
const notedMax = 20_000

const dayMs = 86_400_000

export type PurchaseNotes = Readonly<{
  add(purchase: AskedPurchase, nowMs: number): void
  /** Whether the site was noted today. */
  has(code: string, site: string): boolean
  /** The notes that wait to be written; they wait no longer. */
  take(): Pick<Counts, "codes" | "sites">
}>

/**
 * A site that was released is noted again, and so are the others of its code: there may have been no room for them. A
 * code that a feed removed and brought back is told in the same way, and is noted again with all its sites.
 */
export function createPurchaseNotes(takeReleases: SiteStore["takeReleases"]): PurchaseNotes {
  const noted = new Set<string>()
  /** How often each code was told as released. The number is part of the names in `noted`: earlier ones match no more. */
  const releases = new Map<string, number>()
  let notedOnDay = 0
  let codes: string[] = []
  let sites: SiteSighting[] = []
  let sitesOfCode = new Map<string, number>()

  function forget(): void {
    noted.clear()
    releases.clear()
  }
  function forgetReleased(): void {
    const released = takeReleases()
    if (released === "all") forget()
    else {
      for (const code of released) {
        releases.set(code, (releases.get(code) ?? 0) + 1)
        noted.delete(code)
      }
    }
  }
  // No code has a line feed.
  const nameOf = (code: string, site: string) => `${code}\n${releases.get(code) ?? ""}\n${site}`

  function addSite(sighting: SiteSighting): void {
    // First: making the name and looking for it takes 0.2 µs.
    if (sites.length >= sitesMax) return
    const { code, site } = sighting
    const name = nameOf(code, site)
    if (noted.has(name)) return
    const others = sitesOfCode.get(code) ?? 0
    if (others >= sitesOfCodeMax) return
    sitesOfCode.set(code, others + 1)
    noted.add(name)
    sites.push(sighting)
  }
  return {
    add({ code, sighting }, nowMs) {
      const day = Math.floor(nowMs / dayMs)
      if (day !== notedOnDay || noted.size + releases.size >= notedMax) forget()
      notedOnDay = day
      forgetReleased()
      if (codes.length < codesMax && !noted.has(code)) {
        noted.add(code)
        codes.push(code)
      }
      if (sighting !== undefined) addSite(sighting)
    },
    has: (code, site) => noted.has(nameOf(code, site)),
    take() {
      const taken = { codes, sites }
      codes = []
      sites = []
      sitesOfCode = new Map()
      return taken
    },
  }
}
