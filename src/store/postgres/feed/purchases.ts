import type { DatedPurchase } from "../../../domain/feed/batch.ts"
import { feedRevoked } from "../../sql/catalogue/purchases.ts"
import type { Transaction } from "../../sql/database.ts"
import { run, touch } from "../../sql/feed/changes.ts"
import { askFor, type FedPurchases } from "../../sql/feed/found.ts"
import { tellReleases } from "../catalogue/released-sites.ts"
import { dialect } from "../connection/database.ts"

const { among, rows } = dialect
const isNamed = `code ${among("$1", "text")}`
const state = `"isRevoked" boolean, "isRevokedByOperator" boolean, buyer text, "beforeItem" text,
  "afterItem" text, "asOf" bigint`

export const fedPurchases = (tx: Transaction): FedPurchases => ({
  async read(codes, isLocking) {
    const found = await askFor<DatedPurchase>(
      tx,
      [codes],
      `SELECT code, item_id AS "itemId", ${feedRevoked}, buyer,
         before_item AS "beforeItem", after_item AS "afterItem", as_of AS "asOf"
       FROM purchases WHERE ${isNamed} ${isLocking ? "FOR NO KEY UPDATE" : ""}`,
    )
    return {
      purchases: new Map(found.map((purchase) => [purchase.code, purchase])),
      codesWithoutRoom: new Set(),
    }
  },
  async remove(removed) {
    const codes = removed.map(({ code }) => code)
    await askFor(tx, [codes], `DELETE FROM purchases WHERE ${isNamed}`)
    // In the order in which codes are noted (../counts.ts), so that both cannot deadlock.
    await askFor(
      tx,
      [codes],
      `DELETE FROM asked_codes WHERE code IN (
         SELECT code FROM asked_codes WHERE ${isNamed} ORDER BY code FOR UPDATE)`,
    )
  },
  async write({ inserted, updated, touched }) {
    await run(
      tx,
      inserted,
      `INSERT INTO purchases
         (code, item_id, revoked, feed_revoked, buyer, before_item, after_item, as_of)
       SELECT code, "itemId", "isRevoked" OR "isRevokedByOperator",
         CASE WHEN "isRevokedByOperator" THEN "isRevoked" END, buyer, "beforeItem", "afterItem", "asOf"
       FROM ${rows(`code text, "itemId" bigint, ${state}`)}`,
    )
    await run(
      tx,
      updated,
      `UPDATE purchases SET item_id = "itemId", revoked = "isRevoked" OR "isRevokedByOperator",
         feed_revoked = CASE WHEN "isRevokedByOperator" THEN "isRevoked" END, buyer = new.buyer,
         before_item = "beforeItem", after_item = "afterItem", as_of = "asOf"
       FROM ${rows(`code text, "itemId" bigint, ${state}`)} WHERE purchases.code = new.code`,
    )
    await touch(tx, ["purchases", "code", "text"], touched)
  },
  tellReturned: tellReleases,
  filterByCode: (code) => ["p.code = $3", code],
})
