import { purchaseMembersOf } from "../../../domain/catalogue/purchase.ts"
import { isTestSite } from "../../../domain/catalogue/site.ts"
import {
  countPlaces,
  findRoom,
  hasPlace,
  limitsOf,
  mayAddToday,
  oldestDayOfPlaces,
  type PurchaseSite,
  placeDays,
  type Release,
  renderLimits,
  type SiteStore,
  siteDays,
  type WidelyUsedCode,
} from "../../../domain/catalogue/sites.ts"
import { daySeconds, daysBefore, type Timestamp } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase, Transaction, Value } from "../database.ts"
import type { CodeFilter } from "./purchases.ts"

export type SiteRows = Readonly<{
  /** The column that names a purchase, in `purchases` and in the tables of sites. */
  id: "place" | "code"
  /** Sorts before every id. */
  first: number | string
  filterByCode: CodeFilter
  /** The entries of the list in $1, which is JSON, as rows with the column `value`. */
  each: string
  /** Joins such an entry with its purchase `p`; `name` are the members of the entry that it needs. */
  isOf: string
  name(code: string): object
  /** To add sites to. One where locks are waited for: two nodes that want each other's would never end. */
  purchasesEachChange: number
  /** Tells every thread and node that notes sites. Part of the transaction of the release. */
  tellReleases(tx: Transaction, codes: readonly string[], at: Timestamp): Promise<void>
  /** Removes the codes of earlier days: sites are noted anew each day. */
  forgetReleases(tx: Transaction, at: Timestamp): Promise<void>
  takeReleases: SiteStore["takeReleases"]
}>

type Row = Omit<PurchaseSite, "isTest"> & Readonly<{ nth: number }>
type Found = Readonly<{ id: number | string; itemId: number }>
/** `lastDay` is null where the site is not there. */
type Sighted = Pick<Found, "id"> & Readonly<{ code: string; site: string; lastDay: string | null }>

/** No code has a line feed. */
const nameOf = ({ code, site }: Readonly<{ code: string; site: string }>) => `${code}\n${site}`

/** Sites from which the codes on the most sites are found. An item may have a million codes on two. */
const candidatesMax = 10_000

const dayOf = (at: Timestamp) => at.slice(0, 10)

export function createSites(db: SqlDatabase, rows: SiteRows): SiteStore {
  const { id, first, filterByCode, each, isOf, name, purchasesEachChange, tellReleases } = rows

  function exactly(code: string): readonly [condition: string, values: readonly Value[]] {
    const { condition, values } = filterByCode(code)
    return [`${condition} AND p.code = $${values.length + 1}`, [...values, code]]
  }
  async function list(code: string): Promise<readonly PurchaseSite[]> {
    const [condition, values] = exactly(code)
    const found = await db.read<Row>(
      `SELECT ${columns} FROM purchases p JOIN purchase_sites s ON s.${id} = p.${id}
       WHERE ${condition} ORDER BY s.last_day DESC, s.site`,
      values,
    )
    return found.map(toSite)
  }
  /** Until the transaction ends, nobody else adds a site to the purchase or removes one. */
  async function lockPurchase(tx: Transaction, code: string): Promise<Found | undefined> {
    const [condition, values] = exactly(code)
    const lock = db.lock("FOR NO KEY UPDATE")
    const [found] = await tx.query<Found>(
      `SELECT p.${id} AS id, p.item_id AS "itemId" FROM purchases p WHERE ${condition} ${lock}`,
      values,
    )
    return found
  }
  async function readSites(
    tx: Transaction,
    { id: purchase }: Found,
  ): Promise<readonly PurchaseSite[]> {
    const found = await tx.query<Row>(
      `SELECT ${columns} FROM purchase_sites s WHERE s.${id} = $1`,
      [purchase],
    )
    return found.map(toSite)
  }
  const removeSite = (tx: Transaction, of: Found, site: string) =>
    tx.query(`DELETE FROM purchase_sites WHERE ${id} = $1 AND site = $2`, [of.id, site])

  /** Nothing, if the purchase has no room for it. */
  async function addSite(
    tx: Transaction,
    of: Found,
    known: readonly PurchaseSite[],
    site: string,
    at: Timestamp,
  ): Promise<void> {
    const room = findRoom(known, site, at)
    if (room === null) return
    for (const old of room.evicted) await removeSite(tx, of, old)
    const others = known.filter((each) => !each.isTest && each.site !== site)
    await tx.query(
      `INSERT INTO purchase_sites (${id}, site, item_id, first_day, last_day, nth)
       VALUES ($1, $2, $3, $4, $4, $5) ON CONFLICT (${id}, site) DO UPDATE SET last_day = excluded.last_day`,
      [of.id, site, of.itemId, dayOf(at), isTestSite(site) ? 0 : others.length + 1],
    )
  }
  async function addSites(
    tx: Transaction,
    code: string,
    news: readonly Sighted[],
    at: Timestamp,
  ): Promise<void> {
    const found = await lockPurchase(tx, code)
    if (found === undefined) return
    for (const { site } of news) {
      const known = await readSites(tx, found)
      if (!mayAddToday(known, dayOf(at))) return
      await addSite(tx, found, known, site, at)
    }
  }
  return {
    list,
    async claim(code, site, limit, at) {
      // Look without a lock first, so that a refused site blocks no other request.
      const before = await list(code)
      if (hasPlace(before, site, at)) return true
      if (countPlaces(before, at) >= limit) return false
      return db.transaction(async (tx) => {
        const found = await lockPurchase(tx, code)
        if (found === undefined) return true
        const known = await readSites(tx, found)
        if (hasPlace(known, site, at)) return true
        if (countPlaces(known, at) >= limit) return false
        await addSite(tx, found, known, site, at)
        return true
      })
    },
    async note(at, sightings) {
      if (sightings.length === 0) return
      const day = dayOf(at)
      const seen = JSON.stringify(sightings.map((each) => ({ ...name(each.code), ...each })))
      const found = await db.read<Sighted>(
        `SELECT p.${id} AS id, p.code, value->>'site' AS site, s.last_day AS "lastDay"
         FROM ${each} CROSS JOIN purchases p
         LEFT JOIN purchase_sites s ON s.${id} = p.${id} AND s.site = value->>'site' WHERE ${isOf}`,
        [seen],
      )
      const older = found.filter(({ lastDay }) => lastDay !== null && lastDay < day)
      if (older.length > 0) {
        await db.transaction((tx) =>
          tx.query(
            `UPDATE purchase_sites SET last_day = $2 WHERE (${id}, site) IN (
               SELECT s.${id}, s.site FROM ${each} CROSS JOIN purchase_sites s
               WHERE s.${id} = value->>'id' AND s.site = value->>'site' AND s.last_day < $2
               ORDER BY s.${id}, s.site ${db.lock("FOR UPDATE OF s")})`,
            [JSON.stringify(older.map(({ id, site }) => ({ id, site }))), day],
          ),
        )
      }
      const limited = new Set(sightings.filter(({ isLimited }) => isLimited).map(nameOf))
      const missing = found.filter(
        (each) => each.lastDay === null && (!limited.has(nameOf(each)) || isTestSite(each.site)),
      )
      const byCode = [...Map.groupBy(missing, (each) => each.code)]
      for (let next = 0; next < byCode.length; next += purchasesEachChange) {
        const some = byCode.slice(next, next + purchasesEachChange)
        await db.transaction(async (tx) => {
          for (const [code, news] of some) await addSites(tx, code, news, at)
        })
        // Requests get a turn before the next batch.
        await Bun.sleep(0)
      }
    },
    async release(code, site, releasesMax, at) {
      if (!(await list(code)).some((each) => each.site === site)) return { kind: "absent" }
      return db.transaction(async (tx): Promise<Release> => {
        const found = await lockPurchase(tx, code)
        const known = found === undefined ? [] : await readSites(tx, found)
        const released = known.find((each) => each.site === site)
        if (found === undefined || released === undefined) return { kind: "absent" }
        if (releasesMax !== null && !released.isTest) {
          const recent = await tx.query<{ at: Timestamp }>(
            `SELECT released_at AS at FROM site_releases
             WHERE ${id} = $1 AND released_at > $2 ORDER BY released_at DESC LIMIT $3`,
            [found.id, daysBefore(at, placeDays), releasesMax],
          )
          const oldest = recent.at(-1)
          if (recent.length >= releasesMax && oldest !== undefined) {
            const sinceMs = Date.parse(at) - Date.parse(oldest.at)
            const retryAfterSeconds = Math.max(1, placeDays * daySeconds - sinceMs / 1000)
            return { kind: "too_many", retryAfterSeconds }
          }
          await tx.query(`INSERT INTO site_releases (${id}, released_at) VALUES ($1, $2)`, [
            found.id,
            at,
          ])
        }
        await removeSite(tx, found, site)
        await tellReleases(tx, [code], at)
        return { kind: "released" }
      })
    },
    takeReleases: rows.takeReleases,
    async findLimits(itemId) {
      const select = "SELECT site_limits AS value FROM items WHERE id = $1"
      return limitsOf(await db.findValue(select, [itemId]))
    },
    putLimits: (itemId, limits) =>
      db.hasWritten("UPDATE items SET site_limits = $2 WHERE id = $1 RETURNING id", [
        itemId,
        renderLimits(limits),
      ]),
    async listWidelyUsed(of, sites, at, rowsMax) {
      const [owner, condition] =
        "itemId" in of
          ? [of.itemId, "i.id = $1 AND w.nth > 1"]
          : // In these words, because each index of `nth` holds the rows above a number.
            [of.accountId, `i.account_id = $1 AND w.nth > ${sites < 10 ? 1 : 10}`]
      const found = await db.read<WidelyUsedRow>(
        `WITH candidates AS MATERIALIZED (
           SELECT w.${id} AS id FROM items i CROSS JOIN purchase_sites w
           WHERE ${condition} AND w.item_id = i.id AND w.nth > $2 ORDER BY w.nth DESC LIMIT ${candidatesMax}
         ), used AS MATERIALIZED (
           SELECT id, (
             SELECT count(*) FROM purchase_sites s WHERE s.${id} = c.id AND s.nth > 0 AND s.last_day >= $3
           ) AS sites FROM (SELECT DISTINCT id FROM candidates) c
         )
         SELECT p.code, p.item_id AS "itemId", p.before_item AS "beforeItem", p.after_item AS "afterItem",
           c.sites
         FROM (SELECT * FROM used WHERE sites > $2 ORDER BY sites DESC, id LIMIT $4) c
         JOIN purchases p ON p.${id} = c.id ORDER BY c.sites DESC, p.code`,
        [owner, Math.max(1, sites), oldestDayOfPlaces(at), rowsMax],
      )
      return found.map(({ code, itemId, sites, ...text }) => {
        const { license_type: licenseType } = purchaseMembersOf(text)
        return { code, itemId, licenseType, sites }
      })
    },
    async countPurchases(itemId) {
      const select = "SELECT count(*) AS value FROM purchases WHERE item_id = $1"
      return (await db.findValue<number>(select, [itemId])) ?? 0
    },
    async forget(at, after, rowsMax) {
      if (after === null) await db.transaction((tx) => rows.forgetReleases(tx, at))
      const begin = after ?? first
      const [end] = await db.read<{ id: string | number }>(
        `SELECT ${id} AS id FROM purchase_sites WHERE ${id} > $1 ORDER BY ${id} LIMIT 1 OFFSET $2`,
        [begin, rowsMax],
      )
      const within = end === undefined ? `${id} > $2` : `${id} > $2 AND ${id} <= $3`
      for (const [rows, before] of [
        ["purchase_sites WHERE last_day < $1", dayOf(daysBefore(at, siteDays))],
        ["site_releases WHERE released_at < $1", daysBefore(at, placeDays)],
      ] as const) {
        const values = end === undefined ? [before, begin] : [before, begin, end.id]
        const [old] = await db.read(`SELECT 1 FROM ${rows} AND ${within} LIMIT 1`, values)
        if (old === undefined) continue
        await db.transaction((tx) => tx.query(`DELETE FROM ${rows} AND ${within}`, values))
      }
      return end?.id ?? null
    },
  }
}

type WidelyUsedRow = Omit<WidelyUsedCode, "licenseType"> &
  Readonly<{ beforeItem: string; afterItem: string }>

const columns = `s.site, s.first_day AS "firstDay", s.last_day AS "lastDay", s.nth`

const toSite = ({ nth, ...site }: Row): PurchaseSite => ({ ...site, isTest: nth === 0 })
