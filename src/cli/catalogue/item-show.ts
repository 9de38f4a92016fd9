import { itemBodyOf } from "../../domain/catalogue/item.ts"
import type { FoundItem } from "../../domain/usage/operator-reads.ts"
import { RefusedError } from "../../domain/values/error.ts"
import { createCommand, type Terminal, UsageError } from "../frame/command.ts"
import { renderTable } from "../frame/table.ts"
import { withApp } from "../frame/with-app.ts"
import { describeAuthor } from "./describe-author.ts"

export const itemShow = createCommand({
  name: "item show",
  positionals: ["ID"],
  options: { json: { type: "boolean" } },
  summary: "show one item: whose, whether it is hidden, and how often it was sold",
  async run({ positionals: [text], values }, context) {
    const id = parseItemId(text)
    await withApp(context, async ({ store }) => {
      const found = await store.operatorReads.findItem(id)
      if (found === null) throw new RefusedError(`there is no item ${id}`)
      return context.write(
        values.json
          ? `${JSON.stringify(itemObject(found))}\n`
          : renderItem(context.terminal, found),
      )
    })
    return 0
  },
})

function parseItemId(text: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(id)) return id
  throw new UsageError(`ID must be the number of an item, not ${JSON.stringify(text)}`)
}

/** The members of a feed, and how often it was sold. */
function itemObject(found: FoundItem) {
  const { author, isAuthorSuspended, isHidden, purchases } = found
  const members = { author, ...itemBodyOf(found), hidden: isHidden }
  return { ...members, author_suspended: isAuthorSuspended, purchases }
}

function renderItem(terminal: Terminal, found: FoundItem): string {
  const { name, category, sub_category, version, price, currency, published_at } = itemBodyOf(found)
  const rows = [
    ["Name", name],
    ["Author", describeAuthor(found)],
    ["State", found.isHidden ? "hidden" : "visible"],
    ["Category", `${category} / ${sub_category}`],
    ["Version", version],
    ["Price", `${price.regular} ${currency}, extended ${price.extended} ${currency}`],
    ["Published", published_at],
    ["Purchases", String(found.purchases)],
  ]
  return renderTable(terminal, ["Item", String(found.id)], rows)
}
