import type { PurchaseOnSite, PurchaseStore } from "../../../domain/catalogue/purchase.ts"
import { lowerAscii } from "../../../domain/catalogue/purchase-code.ts"
import { changeOperatorsWord } from "../../sql/catalogue/purchases.ts"
import type { Database } from "../connection/database.ts"
import { rowidsOf } from "../migrations/purchase-rowids.ts"

type Row = Omit<PurchaseOnSite, "isRevoked" | "site" | "siteLastDay"> & {
  isRevoked: number
  place: number
}

export function sqlitePurchases(db: Database): PurchaseStore {
  // CROSS: otherwise the planner begins with all items of the account.
  const select = db.prepare<Row, [number, number, number]>(
    `SELECT p.code, i.account_id AS "accountId", p.item_id AS "itemId", p.revoked AS "isRevoked",
       p.before_item || i.body || p.after_item AS body, p.buyer, i.site_limits AS "siteLimits", p.place
     FROM purchases p CROSS JOIN items i ON i.id = p.item_id
     WHERE p.place BETWEEN $1 AND $2 AND i.account_id = $3`,
  )
  const selectDay = db.prepare<{ lastDay: string }, [number, string]>(
    'SELECT last_day AS "lastDay" FROM purchase_sites WHERE place = $1 AND site = $2',
  )
  function toPurchase(row: Row, site: string | null): PurchaseOnSite {
    const { code, accountId, itemId, isRevoked, body, buyer, siteLimits, place } = row
    const isAsked = site !== null && siteLimits !== null
    return {
      code,
      accountId,
      itemId,
      isRevoked: isRevoked === 1,
      body,
      buyer,
      siteLimits,
      site,
      siteLastDay: isAsked ? (selectDay.get(place, site)?.lastDay ?? null) : null,
    }
  }
  return {
    listByCode: db.shareRead((accountId: number, code: string, site: string | null = null) => {
      const { first, last } = rowidsOf(code)
      const alike: PurchaseOnSite[] = []
      for (const row of select.all(first, last, accountId)) {
        if (isAlike(row.code, code)) alike.push(toPurchase(row, site))
      }
      return alike
    }),
    setRevokedByOperator(code, isRevoked) {
      const { first, last } = rowidsOf(code)
      const exactly = "p.place BETWEEN $1 AND $2 AND p.code = $3"
      return changeOperatorsWord(db, [exactly, [first, last, code]], isRevoked)
    },
  }
}

/** Equal but for the case of ASCII letters; other codes may have the same checksum. */
const isAlike = (one: string, other: string) =>
  one === other || lowerAscii(one) === lowerAscii(other)
