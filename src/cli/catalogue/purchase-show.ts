import { purchaseBodyOf } from "../../domain/catalogue/purchase.ts"
import type { FoundPurchase } from "../../domain/usage/operator-reads.ts"
import { findPurchase } from "../../operations/catalogue/find-purchase.ts"
import { createCommand, type Terminal } from "../frame/command.ts"
import { renderTable } from "../frame/table.ts"
import { withApp } from "../frame/with-app.ts"
import { describeAuthor } from "./describe-author.ts"

export const purchaseShow = createCommand({
  name: "purchase show",
  positionals: ["CODE"],
  options: { json: { type: "boolean" } },
  summary: "show one purchase: whose, of which item, its state, when it was last asked for",
  help: `The code is read as the API reads it: blanks, invisible characters and odd dashes do not matter, and
the case of letters only where two codes differ in it alone.`,
  async run({ positionals: [code], values }, context) {
    await withApp(context, async ({ store }) => {
      const found = await findPurchase(store.operatorReads, code)
      return context.write(
        values.json
          ? `${JSON.stringify(purchaseObject(found))}\n`
          : renderPurchase(context.terminal, found),
      )
    })
    return 0
  },
})

/** The members of a feed, the author and the item's name. */
function purchaseObject(found: FoundPurchase) {
  const { item, ...members } = purchaseBodyOf(found)
  const { author, isAuthorSuspended, itemId, isRevoked, isRevokedByFeed, isRevokedByOperator } =
    found
  const { buyer, lastAskedOn } = found
  return {
    ...members,
    ...{ author, author_suspended: isAuthorSuspended },
    ...{ item_id: itemId, item_name: item.name, revoked: isRevoked },
    ...{ revoked_by_feed: isRevokedByFeed, revoked_by_operator: isRevokedByOperator },
    ...(buyer === null ? {} : { buyer }),
    ...(lastAskedOn === null ? {} : { last_asked_on: lastAskedOn }),
  }
}

function renderPurchase(terminal: Terminal, found: FoundPurchase): string {
  const { item, license_type, price, currency, date, ...rest } = purchaseBodyOf(found)
  const rows = [
    ["State", found.isRevoked ? "revoked" : "valid"],
    ["Feed says", found.isRevokedByFeed ? "revoked" : "valid"],
    ["Operator says", found.isRevokedByOperator ? "revoked" : "nothing"],
    ["Author", describeAuthor(found)],
    ["Item", `${found.itemId} ${item.name}`],
    ["License", license_type],
    ["Price", `${price} ${currency}`],
    ["Sold", date],
    ["Supported until", rest.supported_until ?? "no support"],
    ["Downloaded", rest.downloaded ? "yes" : "no"],
    ["Buyer", found.buyer ?? "not known"],
    ["Last asked for", found.lastAskedOn ?? "no call noted yet"],
  ]
  return renderTable(terminal, ["Code", found.code], rows)
}
