import { lowerAscii } from "../../../domain/catalog/purchase-code.ts"
import type { Changed, DatedPurchase } from "../../../domain/feed/batch.ts"
import { feedRevoked } from "../catalog/purchase-queries.ts"
import type { Transaction } from "../sql-database.ts"
import { writeRows } from "./row-queries.ts"

const codeColumns = "folded text, code text"
const isSameCode = "p.folded = new.folded AND p.code = new.code"
const stateColumns = `"itemId" bigint, "isRevoked" boolean, "isRevokedByOperator" boolean, buyer text,
  "validUntil" text, "siteLimit" integer, "beforeItem" text, "afterItem" text, "asOf" bigint`

const codeRowOf = (code: string) => ({ folded: lowerAscii(code), code })
const toRow = (purchase: DatedPurchase) => ({ ...purchase, folded: lowerAscii(purchase.code) })

/** `isLocking` makes operator overrides wait until the transaction ends. */
export async function readPurchases(
  tx: Transaction,
  codes: ReadonlySet<string>,
  isLocking: boolean,
): Promise<ReadonlyMap<string, DatedPurchase>> {
  if (codes.size === 0) return new Map()
  // CROSS makes SQLite start with the codes.
  const found = await tx.query<DatedPurchase>(
    `SELECT p.code, p.item_id AS "itemId", ${feedRevoked}, p.buyer,
       p.valid_until AS "validUntil", p.site_limit AS "siteLimit", p.before_item AS "beforeItem", p.after_item AS "afterItem", p.as_of AS "asOf"
     FROM ${tx.rows(codeColumns)} CROSS JOIN purchases p WHERE ${isSameCode}
     ${isLocking ? tx.lock("FOR NO KEY UPDATE OF p") : ""}`,
    [JSON.stringify(Array.from(codes, codeRowOf))],
  )
  return new Map(found.map((purchase) => [purchase.code, purchase]))
}

export const removePurchases = (tx: Transaction, removed: readonly DatedPurchase[]) =>
  writeRows(
    tx,
    removed.map(({ code }) => codeRowOf(code)),
    `DELETE FROM purchases WHERE (folded, code) IN (SELECT folded, code FROM ${tx.rows(codeColumns)})`,
  )

export async function writePurchases(
  tx: Transaction,
  { inserted, updated, touched }: Changed<DatedPurchase>,
): Promise<void> {
  await writeRows(
    tx,
    inserted.map(toRow),
    `INSERT INTO purchases
       (folded, code, item_id, revoked, feed_revoked, buyer, valid_until, site_limit, before_item,
        after_item, as_of)
     SELECT folded, code, "itemId", "isRevoked" OR coalesce("isRevokedByOperator", false),
       CASE WHEN "isRevokedByOperator" THEN "isRevoked" END, buyer, "validUntil", "siteLimit",
       "beforeItem", "afterItem", "asOf"
     FROM ${tx.rows(`${codeColumns}, ${stateColumns}`)}`,
  )
  await writeRows(
    tx,
    updated.map(toRow),
    `UPDATE purchases AS p SET item_id = "itemId",
       revoked = "isRevoked" OR coalesce("isRevokedByOperator", false),
       feed_revoked = CASE WHEN "isRevokedByOperator" THEN "isRevoked" END, buyer = new.buyer,
       valid_until = "validUntil", site_limit = "siteLimit",
       before_item = "beforeItem", after_item = "afterItem", as_of = "asOf"
     FROM ${tx.rows(`${codeColumns}, ${stateColumns}`)} WHERE ${isSameCode}`,
  )
  await writeRows(
    tx,
    touched.map(({ code, asOf }) => ({ ...codeRowOf(code), asOf })),
    `UPDATE purchases AS p SET as_of = "asOf"
     FROM ${tx.rows(`${codeColumns}, "asOf" bigint`)} WHERE ${isSameCode}`,
  )
}
