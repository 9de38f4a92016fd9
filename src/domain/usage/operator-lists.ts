/** Items of all authors, newest first, for the console only. */
import type { Item } from "../catalog/item.ts"

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
  /** Highest id first. `before` is the last id of the previous page. */
  listItems(
    filter: ItemFilter,
    before: number | null,
    rowsMax: number,
  ): Promise<readonly ListedItem[]>
}
