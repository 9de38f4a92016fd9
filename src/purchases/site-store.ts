import { parseLimits, renderLimits } from "../items/item.ts"
import { countSalesOfItem } from "../items/item-store.ts"
import {
  allOf,
  type Query,
  type Sql,
  type SqlDatabase,
  sql,
  type Transaction,
  tuples,
} from "../platform/database/sql.ts"
import { lowerAscii } from "../platform/text.ts"
import { daySeconds, daysBefore, type Timestamp } from "../platform/time.ts"
import type { ValidatedSite } from "../usage/usage.ts"
import { type PurchaseText, purchaseFieldsOf } from "./purchase.ts"
import { isOfPurchase } from "./purchase-store.ts"
import {
  findNewerSite,
  findRoom,
  isTestSite,
  type KnownSite,
  oldestSlotDay,
  type PurchaseSite,
  type Release,
  type ReleaseQuota,
  type SiteStore,
  sitesMaxFor,
  slotDays,
  testSitesMax,
  type WidelyUsedCode,
} from "./site.ts"

/** `ordinal` numbers the sites of a purchase. It is 0 for a test site. */
type Row = Omit<PurchaseSite, "isTest"> & Readonly<{ ordinal: number }>
type Found = Readonly<{ folded: string; code: string; itemId: number }>

/** Rows that are searched for the codes on the most sites: an item may have a million codes on two sites. */
const candidatesMax = 10_000

/** Per purchase and day, unless a site limit is lower: somebody who knows a code cannot fill its list in one day. */
const newSitesEachDay = 20

const formatDay = (at: Timestamp) => at.slice(0, 10)
const selectSites = (code: string) => sql`
  SELECT site, first_day, last_day, ordinal FROM purchase_sites WHERE ${isOfPurchase(code)}`

export const createSiteStore = (db: SqlDatabase): SiteStore => ({
  listKnown: (code) => listKnown(db, code),
  countReleases: (code, releaser, at) =>
    db.count`SELECT count(*) ${recentReleases(code, releaser, at)}`,
  list: async (code) => (await listKnown(db, code)).map(({ order: _, ...site }) => site),
  async claim(code, site, limit, at) {
    const usedMax = isTestSite(site) ? testSitesMax(limit) : limit
    const isFull = ({ used, hasSlot }: Slots) => !hasSlot && used >= usedMax
    // The first check takes no lock, so that a rejected site does not block other requests.
    if (isFull(await readSlots(db.read, code, site, at))) return false
    return db.transaction(async (tx) => {
      const found = await lockPurchase(tx, code)
      if (found === undefined) return true
      const slots = await readSlots(tx.query, code, site, at)
      if (isFull(slots)) return false
      const hasRoom = slots.isKnown || slots.known < sitesMaxFor(limit)
      const evicted = hasRoom ? [] : findRoom(await readSites(tx, found), site, limit, at)
      const { lastOrder } = slots
      if (evicted !== null) await putSite(tx, found, { site, evicted, lastOrder }, at)
      return true
    })
  },
  recordSeen: (at, seen) => recordSeen(db, at, seen),
  release: (code, site, quota, at) =>
    releaseChosen(db, code, { quota, at }, (known) => known.find((each) => each.site === site)),
  reclaim: (code, site, quota, at) =>
    releaseChosen(db, code, { quota, at }, (known) => findNewerSite(known, site, at)),
  findLimits: async (itemId) =>
    parseLimits(await db.findValue`SELECT site_limits FROM items WHERE id = ${itemId}`),
  putLimits: (itemId, limits) =>
    db.hasWritten`
      UPDATE items SET site_limits = ${renderLimits(limits)} WHERE id = ${itemId} RETURNING id`,
  async listWidelyUsed(scope, sites, at, rowsMax) {
    const isMore = sql`> ${Math.max(1, sites)}`
    // Constants, so that a partial index on `ordinal` can be used.
    const isIndexed = "accountId" in scope && sites >= 10 ? sql`w.ordinal > 10` : sql`w.ordinal > 1`
    const isInScope =
      "itemId" in scope ? sql`i.id = ${scope.itemId}` : sql`i.account_id = ${scope.accountId}`
    const found = await db.read<Omit<WidelyUsedCode, "licenseType" | "soldAt"> & PurchaseText>`
      WITH candidates AS MATERIALIZED (
        SELECT w.folded, w.code FROM items i CROSS JOIN purchase_sites w
        WHERE ${isInScope} AND ${isIndexed} AND w.item_id = i.id AND w.ordinal ${isMore}
        ORDER BY w.ordinal DESC LIMIT ${candidatesMax}
      ), used (folded, code, sites) AS MATERIALIZED (
        SELECT folded, code, (
          SELECT count(*) FROM purchase_sites s
          WHERE s.folded = c.folded AND s.code = c.code AND s.ordinal > 0
            AND s.last_day >= ${oldestSlotDay(at)}
        ) FROM (SELECT DISTINCT folded, code FROM candidates) c
      )
      SELECT p.code, p.item_id, p.before_item, p.after_item, p.site_limit, c.sites
      FROM (SELECT * FROM used WHERE sites ${isMore}
        ORDER BY sites DESC, folded, code LIMIT ${rowsMax}) c
      JOIN purchases p ON p.folded = c.folded AND p.code = c.code ORDER BY c.sites DESC, p.code`
    return found.map(({ code, itemId, sites, siteLimit, ...text }) => {
      const { license_type: licenseType, date: soldAt } = purchaseFieldsOf(text)
      return { code, itemId, licenseType, soldAt, sites, siteLimit }
    })
  },
  countPurchases: (itemId) => db.count(countSalesOfItem(itemId)),
  async deleteExpired(at, after, rowsMax) {
    const isLater = sql`folded > ${after ?? ""}`
    const end = await db.findValue<string>`SELECT folded FROM purchase_sites
      WHERE ${isLater} ORDER BY folded LIMIT 1 OFFSET ${rowsMax}`
    const within = allOf([isLater, end === null ? null : sql`folded <= ${end}`])
    for (const expired of [
      sql`purchase_sites WHERE last_day < ${formatDay(daysBefore(at, siteDays))} AND ${within}`,
      sql`site_releases WHERE released_at < ${daysBefore(at, slotDays)} AND ${within}`,
    ]) {
      if (await db.hasRow`SELECT 1 FROM ${expired} LIMIT 1`) await db.write`DELETE FROM ${expired}`
    }
    return end
  },
})

async function listKnown(db: SqlDatabase, code: string): Promise<readonly KnownSite[]> {
  const found = await db.read<Row>`${selectSites(code)} ORDER BY last_day DESC, site`
  return found.map(toSite)
}

async function releaseChosen(
  db: SqlDatabase,
  code: string,
  { quota, at }: Readonly<{ quota: ReleaseQuota | null; at: Timestamp }>,
  choose: (known: readonly KnownSite[]) => KnownSite | null | undefined,
): Promise<Release> {
  // The first look takes no lock: made-up sites do not block other requests.
  if (!choose(await listKnown(db, code))) return { kind: "absent" }
  return db.transaction(async (tx) => {
    const found = await lockPurchase(tx, code)
    const chosen = found && choose(await readSites(tx, found))
    if (!found || !chosen) return { kind: "absent" }
    if (quota !== null) {
      if (chosen.isTest) return { kind: "released" }
      const waitSeconds = await takeRelease(tx, found, quota, at)
      if (waitSeconds > 0) return { kind: "too_many", retryAfterSeconds: waitSeconds }
    }
    await removeSite(tx, found, chosen.site)
    return { kind: "released" }
  })
}

async function recordSeen(
  db: SqlDatabase,
  at: Timestamp,
  seenSites: readonly ValidatedSite[],
): Promise<void> {
  if (seenSites.length === 0) return
  const day = formatDay(at)
  // Sorted, so that two nodes that record the same sites do not deadlock.
  const seen = seenSites
    .map(({ code, site }) => ({ folded: lowerAscii(code), code, site }))
    .toSorted((one, other) => (siteName(one) < siteName(other) ? -1 : 1))
  const isNamed = sql`s.folded = new.folded AND s.code = new.code AND s.site = new.site`
  await db.transaction(async (tx) => {
    const named = (sites: readonly object[]) =>
      tx.rowsFor("purchase_sites", "folded, code, site", sites)
    // CROSS makes SQLite start with the given sites.
    const found = await tx.query<ValidatedSite & Readonly<{ lastDay: string }>>`
      SELECT s.code, s.site, s.last_day FROM ${named(seen)} CROSS JOIN purchase_sites s
      WHERE ${isNamed}`
    const known = new Map(found.map((each) => [siteName(each), each.lastDay]))
    const older = seen.filter((each) => (known.get(siteName(each)) ?? day) < day)
    if (older.length > 0) {
      await tx.query`
        UPDATE purchase_sites AS s SET last_day = ${day} FROM ${named(older)}
        WHERE ${isNamed} AND s.last_day < ${day}`
    }
    const added = seen.filter((each) => !known.has(siteName(each)))
    for (const [code, sites] of Map.groupBy(added, (each) => each.code)) {
      await addSites(tx, code, sites, at)
    }
  })
}

/** Until the transaction ends, no other transaction can add or remove sites of the purchase. */
async function lockPurchase(tx: Transaction, code: string): Promise<Found | undefined> {
  const [found] = await tx.query<Found>`SELECT folded, code, item_id FROM purchases
    WHERE ${isOfPurchase(code)} ${tx.lock("FOR NO KEY UPDATE")}`
  return found
}

const readSites = async ({ query }: Transaction, { code }: Found) =>
  (await query<Row>(selectSites(code))).map(toSite)

const removeSite = ({ query }: Transaction, { code }: Found, site: string) =>
  query`DELETE FROM purchase_sites WHERE ${isOfPurchase(code)} AND site = ${site}`

const recentReleases = (code: string, releaser: string, at: Timestamp): Sql =>
  sql`FROM site_releases WHERE ${isOfPurchase(code)} AND released_by = ${releaser}
    AND released_at > ${daysBefore(at, slotDays)}`

/** Counts a release. Returns the seconds until the next one if the quota is used up, else 0. */
async function takeRelease(
  tx: Transaction,
  { folded, code }: Found,
  { releaser, max }: ReleaseQuota,
  at: Timestamp,
): Promise<number> {
  const recent = await tx.query<{ releasedAt: Timestamp }>`
    SELECT released_at ${recentReleases(code, releaser, at)}
    ORDER BY released_at DESC LIMIT ${max}`
  const oldest = recent.at(-1)
  if (recent.length >= max && oldest !== undefined) {
    const sinceMs = Date.parse(at) - Date.parse(oldest.releasedAt)
    return Math.max(1, slotDays * daySeconds - sinceMs / 1000)
  }
  await tx.query`INSERT INTO site_releases (folded, code, released_by, released_at)
    VALUES (${folded}, ${code}, ${releaser}, ${at})`
  return 0
}

type Slots = Readonly<{
  known: number
  lastOrder: number
  used: number
  isKnown: boolean
  hasSlot: boolean
}>

/** Counted by the database: a purchase can have thousands of sites. Only sites of the same kind, test or not, count as used. */
async function readSlots(query: Query, code: string, site: string, at: Timestamp): Promise<Slots> {
  const isOfKind = isTestSite(site) ? sql`ordinal = 0` : sql`ordinal > 0`
  const usesSlot = sql`${isOfKind} AND last_day >= ${oldestSlotDay(at)}`
  const [[known, lastOrder, used, own] = [0, 0, 0, null]] = await query<
    [known: number, lastOrder: number, used: number, own: number | null]
  >(
    tuples`SELECT count(*), coalesce(max(ordinal), 0), count(CASE WHEN ${usesSlot} THEN 1 END),
        max(CASE WHEN site <> ${site} THEN NULL WHEN ${usesSlot} THEN 1 ELSE 0 END)
      FROM purchase_sites WHERE ${isOfPurchase(code)}`,
  )
  return { known, lastOrder, used, isKnown: own !== null, hasSlot: own === 1 }
}

type NewSite = Readonly<{ site: string; evicted: readonly string[]; lastOrder: number }>

async function putSite(
  tx: Transaction,
  purchase: Found,
  { site, evicted, lastOrder }: NewSite,
  at: Timestamp,
): Promise<void> {
  for (const old of evicted) await removeSite(tx, purchase, old)
  const order = isTestSite(site) ? 0 : 1 + lastOrder
  const { folded, code, itemId } = purchase
  await tx.query`
    INSERT INTO purchase_sites (folded, code, site, item_id, first_day, last_day, ordinal)
    VALUES (${folded}, ${code}, ${site}, ${itemId}, ${formatDay(at)}, ${formatDay(at)}, ${order})
    ON CONFLICT (folded, code, site) DO UPDATE SET last_day = excluded.last_day
      WHERE purchase_sites.last_day < excluded.last_day`
}

async function addSites(
  tx: Transaction,
  code: string,
  added: readonly ValidatedSite[],
  at: Timestamp,
): Promise<void> {
  const found = await lockPurchase(tx, code)
  if (found === undefined) return
  for (const { site } of added) {
    const known = await readSites(tx, found)
    const isNew = ({ firstDay }: KnownSite) => firstDay === formatDay(at)
    if (known.filter(isNew).length >= newSitesEachDay) return
    const evicted = findRoom(known, site, 0, at)
    const lastOrder = Math.max(0, ...known.map((each) => each.order))
    if (evicted !== null) await putSite(tx, found, { site, evicted, lastOrder }, at)
  }
}

/** Codes contain no line feed. */
const siteName = ({ code, site }: ValidatedSite) => `${code}\n${site}`

const toSite = ({ ordinal, ...site }: Row): KnownSite => ({
  ...site,
  isTest: ordinal === 0,
  order: ordinal,
})

/** A site is deleted if it is not seen for this long. */
const siteDays = 400
