import type { Database } from "bun:sqlite"
import type { Item } from "../../domain/item.ts"
import type { Purchase, PurchaseStore } from "../../domain/purchase.ts"
import { lowerAscii } from "../../domain/purchase-code.ts"
import { together } from "./database.ts"
import { placesOf } from "./places.ts"

type Row = Readonly<{
  code: string
  itemId: number
  isRevoked: number
  beforeItem: string
  afterItem: string
}>

/** The item comes from those that were read before: joined to its purchase, it costs 2 µs each time. */
export function sqlitePurchases(
  db: Database,
  findItem: (accountId: number, id: number) => Item | null,
): PurchaseStore {
  const listByPlace = db.query<Row, [number, number]>(
    `SELECT code, item_id AS "itemId", revoked AS "isRevoked",
       before_item AS "beforeItem", after_item AS "afterItem"
     FROM purchases WHERE place BETWEEN ? AND ?`,
  )
  return {
    listByCode: together(db, (accountId: number, code: string) => {
      const { first, last } = placesOf(code)
      const purchases: Purchase[] = []
      for (const row of listByPlace.all(first, last)) {
        if (!isAlike(row.code, code)) continue
        const item = findItem(accountId, row.itemId)
        if (item !== null) purchases.push(toPurchase(row, item))
      }
      return purchases
    }),
  }
}

/** Equal but for the case of ASCII letters; other codes may have the same checksum. */
const isAlike = (one: string, other: string) =>
  one === other || lowerAscii(one) === lowerAscii(other)

const toPurchase = (
  { code, itemId, isRevoked, beforeItem, afterItem }: Row,
  { accountId, body }: Item,
): Purchase => ({
  code,
  accountId,
  itemId,
  isRevoked: isRevoked === 1,
  body: `${beforeItem}${body}${afterItem}`,
})
