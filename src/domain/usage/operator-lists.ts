/** Keys and items of all authors, newest first, for the console only. */
import type { Item } from "../catalog/item.ts"
import type { KeyKind } from "../keys/api-key.ts"
import type { Timestamp } from "../values/time/timestamp.ts"

export type KeyFilter = Readonly<{
  accountId: number | null
  kind: KeyKind | null
  isLive: boolean | null
  at: Timestamp
  /** Part of the name, or the id; an empty text matches all. */
  text: string
}>

export type ItemFilter = Readonly<{
  accountId: number | null
  isHidden: boolean | null
  text: string
}>

export type ListedItem = Pick<Item, "id" | "accountId" | "isHidden"> &
  Readonly<{
    name: string | null
    author: string
  }>

export interface OperatorLists {
  /** Key ids, newest first. `after` is the last id of the previous page. */
  listKeys(filter: KeyFilter, after: string | null, rowsMax: number): Promise<readonly string[]>
  /** Highest id first. `before` is the last id of the previous page. */
  listItems(
    filter: ItemFilter,
    before: number | null,
    rowsMax: number,
  ): Promise<readonly ListedItem[]>
}
