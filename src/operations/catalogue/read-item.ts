import type { Item } from "../../domain/catalogue/item.ts"
import { DomainError } from "../../domain/values/error.ts"
import type { KeyOperation } from "../operation.ts"

/** Another author's item, a hidden one and one that never existed give the same answer. */
export const readItem: KeyOperation<number, Item | null, Item> = {
  find: ({ items }, key, id) => items.find(key.accountId, id),
  decide(item) {
    if (item === null || item.isHidden) throw new DomainError("unknown_item")
    return item
  },
}
