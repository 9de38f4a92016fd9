/**
 * Sites and limits of a prepared store, written straight into its tables: servers note at most 250 sites a second.
 * Every purchase is on one site and half of them on a second one; an item has no limit, one, or one for each licence.
 */
import { Database } from "bun:sqlite"
import { codeOf, type Marketplace } from "./marketplace.ts"
import type { PostgresServer } from "./postgres.ts"
import { pathOfStore, type Store } from "./stores.ts"

export type Limits = "none" | "one" | "by licence"

const kinds: readonly Limits[] = ["none", "one", "by licence"]

/** Every author has items of each kind. */
export const limitsOfItem = ({ accounts }: Marketplace, item: number) =>
  kinds[Math.floor(item / accounts) % kinds.length]

export const siteOf = (market: Marketplace, purchase: number) =>
  `shop-${codeOf(market, purchase).slice(0, 8)}.com`

const setLimits = ({ accounts }: Marketplace) => `UPDATE items SET site_limits =
  CASE (id - 1) / ${accounts} % ${kinds.length}
    WHEN 1 THEN '{"sites":3,"byLicense":{}}' WHEN 2 THEN '{"sites":3,"byLicense":{"Extended":5}}' END`

/** In the order of the purchases. */
const addSites = (
  id: "place" | "code",
  day: string,
) => `INSERT INTO purchase_sites (${id}, site, item_id, first_day, last_day, nth)
  SELECT p.${id}, s.name || substr(p.code, 1, 8) || '.com', p.item_id, '${day}', '${day}', s.nth
  FROM purchases p CROSS JOIN (SELECT 'shop-' AS name, 1 AS nth UNION ALL SELECT 'store-', 2) s
  WHERE s.nth = 1 OR p.code < '8'`

const selectDay = "SELECT last_day AS day FROM purchase_sites LIMIT 1"

/** A site is noted when it was last seen before today, and gives its place up after 30 days. */
const dayBefore = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const isFresh = (day: string | undefined) => day !== undefined && day >= dayBefore(20)

export function addSqliteSites(store: Store): void {
  using db = new Database(pathOfStore(store))
  if (isFresh(db.query<{ day: string }, []>(selectDay).get()?.day)) return
  db.run("PRAGMA cache_size = -1000000")
  db.transaction(() => {
    db.run("DELETE FROM purchase_sites")
    db.run(setLimits(store.market))
    db.run(addSites("place", dayBefore(1)))
  })()
  db.run("PRAGMA wal_checkpoint(TRUNCATE)")
}

export async function addPostgresSites(server: PostgresServer, store: Store): Promise<void> {
  const [row] = await server.query<{ day: string }>(store, selectDay)
  if (isFresh(row?.day)) return
  await server.query(
    store,
    // The purchases are there, so no foreign key is checked.
    `SET session_replication_role = replica; TRUNCATE purchase_sites;
     ${setLimits(store.market)}; ${addSites("code", dayBefore(1))}`,
  )
  await server.query(store, "VACUUM ANALYZE")
}
