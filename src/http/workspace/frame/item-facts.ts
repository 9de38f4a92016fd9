import { type Item, type ItemBody, itemBodyOf } from "../../../domain/catalogue/item.ts"

/** An item as the pages show it. */
export type ItemFacts = ItemBody & Pick<Item, "isHidden">

export const itemFactsOf = (item: Item): ItemFacts => ({
  ...itemBodyOf(item),
  isHidden: item.isHidden,
})
