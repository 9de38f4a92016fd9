/** An author's own items, hidden ones included, as a person looks through them. */
import type { Item } from "./item.ts"

export const itemSorts = ["newest", "oldest", "name", "price"] as const
export type ItemSort = (typeof itemSorts)[number]

export type ItemQuery = Readonly<{ text: string; sort: ItemSort; offset: number; limit: number }>
export type ItemPage = Readonly<{ items: readonly Item[]; total: number }>

export interface ItemSearch {
  /** Items whose name holds the text, or whose id it is; all of them for an empty text. */
  search(accountId: number, query: ItemQuery): Promise<ItemPage>
  count(accountId: number): Promise<Readonly<{ visible: number; hidden: number }>>
}
