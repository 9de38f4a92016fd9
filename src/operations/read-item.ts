import type { ApiKey } from "../domain/api-key.ts"
import { type Awaitable, chain } from "../domain/awaitable.ts"
import { DomainError } from "../domain/error.ts"
import type { Item } from "../domain/item.ts"
import type { Catalogue } from "../domain/store.ts"

/** Another author's item, a hidden one and one that never was are the same answer. */
export function readItem({ items }: Catalogue, key: ApiKey, id: number): Awaitable<Item> {
  return chain(items.find(key.accountId, id), visible)
}

function visible(item: Item | null): Item {
  if (item === null || item.isHidden) throw new DomainError("unknown_item")
  return item
}
