/**
 * Keys and items of all authors, as an operator looks through them, newest first. A page begins behind the last one of
 * the page before. For the console only.
 */
import type { Item } from "../catalog/item.ts"
import type { KeyKind } from "../keys/api-key.ts"
import type { Timestamp } from "../values/time/timestamp.ts"

export type KeyFilter = Readonly<{
  /** Null for all. */
  accountId: number | null
  kind: KeyKind | null
  /** Whether it works at `at`; null for both. */
  isLive: boolean | null
  at: Timestamp
  /** In its name, or its id; all for an empty text. */
  text: string
}>

export type ItemFilter = Readonly<{
  accountId: number | null
  isHidden: boolean | null
  /** In its name, or its id; all for an empty text. */
  text: string
}>

export type ListedItem = Pick<Item, "id" | "accountId" | "isHidden"> &
  Readonly<{
    /** Null for an item that came without one. */
    name: string | null
    author: string
  }>

export interface OperatorLists {
  /** The ids of keys, newest first, those behind the key `after`; null begins. */
  listKeys(filter: KeyFilter, after: string | null, rowsMax: number): Promise<readonly string[]>
  /** The highest id first, those below `before`; null begins. */
  listItems(
    filter: ItemFilter,
    before: number | null,
    rowsMax: number,
  ): Promise<readonly ListedItem[]>
}
