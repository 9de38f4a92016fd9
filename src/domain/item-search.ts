/** An author's own items, hidden ones included, as a person looks through them. */
import { foldLetters } from "./fold-letters.ts"
import type { Item } from "./item.ts"

export const itemSorts = ["newest", "oldest", "name", "price"] as const
export type ItemSort = (typeof itemSorts)[number]

export type ItemQuery = Readonly<{ text: string; sort: ItemSort; offset: number; limit: number }>
export type FoundItems = Readonly<{ items: readonly Item[]; total: number }>

export interface ItemSearch {
  /** Items whose name holds the text, or whose id it is; all of them for an empty text. */
  search(accountId: number, query: ItemQuery): Promise<FoundItems>
  count(accountId: number): Promise<Readonly<{ visible: number; hidden: number }>>
}

/** The fields of an item that a search compares. */
export type ItemTitle = Readonly<{ id: number; name: string; price: number; publishedAt: string }>

/**
 * The ids of one page, in order, and how many match. Not in SQL: no database folds letters as Turkish
 * searches on any keyboard need.
 */
export function pickItems(
  titles: readonly ItemTitle[],
  { text, sort, offset, limit }: ItemQuery,
): Readonly<{ ids: readonly number[]; total: number }> {
  const wanted = foldLetters(text)
  const matching = titles
    .map((title) => ({ ...title, folded: foldLetters(title.name) }))
    .filter(({ id, folded }) => folded.includes(wanted) || String(id) === text)
    .sort((a, b) => compare[sort](a, b) || a.id - b.id)
  const page = matching.slice(offset, offset + limit)
  return { ids: page.map(({ id }) => id), total: matching.length }
}

type Folded = ItemTitle & Readonly<{ folded: string }>

const compare: Readonly<Record<ItemSort, (a: Folded, b: Folded) => number>> = {
  newest: (a, b) => compareText(b.publishedAt, a.publishedAt) || b.id - a.id,
  oldest: (a, b) => compareText(a.publishedAt, b.publishedAt),
  name: (a, b) => compareText(a.folded, b.folded),
  price: (a, b) => a.price - b.price,
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
