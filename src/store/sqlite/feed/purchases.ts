import type { DatedPurchase } from "../../../domain/feed/batch.ts"
import { feedRevoked } from "../../sql/catalogue/purchases.ts"
import type { FedPurchases } from "../../sql/feed/found.ts"
import { tellReleases } from "../catalogue/released-sites.ts"
import type { Prepare } from "../connection/statements.ts"
import { rowidsOf } from "../migrations/purchase-rowids.ts"

/** The steps run their statements themselves: they are prepared, because a feed has mostly purchases. */
export function prepareFedPurchases(prepare: Prepare): FedPurchases {
  const listByRowid = prepare<DatedPurchase & { place: number }, [number, number]>(
    `SELECT place, code, item_id AS "itemId", ${feedRevoked}, buyer,
       before_item AS "beforeItem", after_item AS "afterItem", as_of AS "asOf"
     FROM purchases WHERE place BETWEEN $1 AND $2`,
  )
  const insert = prepare(
    `INSERT INTO purchases
       (place, code, item_id, revoked, feed_revoked, buyer, before_item, after_item, as_of)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  )
  const update = prepare(
    `UPDATE purchases SET item_id = $2, revoked = $3, feed_revoked = $4, buyer = $5,
       before_item = $6, after_item = $7, as_of = $8
     WHERE place = $1`,
  )
  const touch = prepare("UPDATE purchases SET as_of = $1 WHERE place = $2")
  const remove = prepare("DELETE FROM purchases WHERE place = $1")
  /** The rowid of each purchase that was read last, also of those that are new. */
  const rowids = new Map<string, number>()

  function rowidOf({ code }: Pick<DatedPurchase, "code">): number {
    const rowid = rowids.get(code)
    if (rowid === undefined) throw new Error("a purchase was taken that has no rowid")
    return rowid
  }
  return {
    async read(codes) {
      const purchases = new Map<string, DatedPurchase>()
      const codesWithoutRoom = new Set<string>()
      /** The next free rowid of each checksum: new codes of one batch must not share one. */
      const nextFree = new Map<number, number>()
      rowids.clear()
      for (const code of codes) {
        const { first, last } = rowidsOf(code)
        const rows = listByRowid.all(first, last)
        const kept = rows.find((row) => row.code === code)
        if (kept !== undefined) {
          // SQLite has no booleans: they come as 1 and 0.
          purchases.set(code, {
            ...kept,
            isRevoked: Boolean(kept.isRevoked),
            isRevokedByOperator: Boolean(kept.isRevokedByOperator),
          })
          rowids.set(code, kept.place)
          continue
        }
        const free = nextFree.get(first) ?? (rows.at(-1)?.place ?? first - 1) + 1
        nextFree.set(first, free + 1)
        if (free > last) codesWithoutRoom.add(code)
        else rowids.set(code, free)
      }
      return { purchases, codesWithoutRoom }
    },
    async remove(removed) {
      for (const purchase of removed) remove.run(rowidOf(purchase))
    },
    async write({ inserted, updated, touched }) {
      for (const purchase of inserted) {
        const { code, itemId, buyer, beforeItem, afterItem, asOf } = purchase
        const words = wordsOf(purchase)
        insert.run(rowidOf(purchase), code, itemId, ...words, buyer, beforeItem, afterItem, asOf)
      }
      for (const purchase of updated) {
        const { itemId, buyer, beforeItem, afterItem, asOf } = purchase
        const words = wordsOf(purchase)
        update.run(rowidOf(purchase), itemId, ...words, buyer, beforeItem, afterItem, asOf)
      }
      for (const purchase of touched) touch.run(purchase.asOf, rowidOf(purchase))
    },
    tellReturned: tellReleases,
    filterByCode: (code) => ["p.place = $3", rowids.get(code) ?? null],
  }
}

/** The columns of what counts and of what the feed says, which is null where no operator says more. */
const wordsOf = ({
  isRevoked,
  isRevokedByOperator = false,
}: DatedPurchase): readonly [number, number | null] => [
  isRevoked || isRevokedByOperator ? 1 : 0,
  isRevokedByOperator ? Number(isRevoked) : null,
]
