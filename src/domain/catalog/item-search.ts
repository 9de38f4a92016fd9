import { foldLetters } from "../values/text.ts"
import type { Item, ItemBody } from "./item.ts"

/** A minus reverses the order. */
export const itemSorts = ["published", "-published", "name", "-name", "price", "-price"] as const
export type ItemSort = (typeof itemSorts)[number]

export type ItemQuery = Readonly<{ text: string; sort: ItemSort; offset: number; rowsMax: number }>
export type FoundItems = Readonly<{ items: readonly ItemSummary[]; total: number }>

/** The fields that lists show. A whole item may take a megabyte. */
export type ItemSummary = Pick<Item, "id" | "isHidden"> &
  Pick<ItemBody, "name" | "category" | "currency"> &
  Readonly<{
    thumbnail: string
    price: number
    publishedAt: string
  }>

export interface ItemSearch {
  /** Matches names and the exact id. Throws `unavailable` if too many searches run concurrently. */
  search(accountId: number, query: ItemQuery): Promise<FoundItems>
  /** In the order of the ids; omits items of other accounts. */
  listByIds(accountId: number, ids: readonly number[]): Promise<readonly ItemSummary[]>
  /** All items with this name. Without one, all items whose name contains the text. */
  listIdsByName(accountId: number, text: string): Promise<readonly number[]>
  count(accountId: number): Promise<Readonly<{ visible: number; hidden: number }>>
}

export type ItemTitle = Readonly<{
  id: number
  name: string | null
  price: number
  publishedAt: string
}>

/** In batches: sorting 100,000 titles would block the thread. Not in SQL, which does not fold Turkish letters. */
export function pickItems({ text, sort, offset, rowsMax }: ItemQuery) {
  const wanted = foldLetters(text)
  const inOrder = (a: Folded, b: Folded) => compare[sort](a, b) || a.id - b.id
  let first: readonly Folded[] = []
  let total = 0
  return {
    add(titles: readonly ItemTitle[]): void {
      const matching = titles
        .map(({ id, name, price, publishedAt }) => ({
          id,
          price,
          publishedAt,
          folded: foldLetters(name ?? ""),
        }))
        .filter(({ id, folded }) => folded.includes(wanted) || String(id) === text)
      total += matching.length
      first = merge(first, matching.sort(inOrder), inOrder, offset + rowsMax)
    },
    result: () => ({ ids: first.slice(offset).map(({ id }) => id), total }),
  }
}

/** In batches, like `pickItems`. */
export function matchNames(text: string) {
  const wanted = foldLetters(text)
  const whole: number[] = []
  const part: number[] = []
  return {
    add(titles: readonly ItemTitle[]): void {
      for (const { id, name } of titles) {
        const folded = foldLetters(name ?? "")
        if (folded === wanted) whole.push(id)
        else if (folded.includes(wanted)) part.push(id)
      }
    },
    result: (): readonly number[] => (whole.length > 0 ? whole : part),
  }
}

type Folded = Omit<ItemTitle, "name"> & Readonly<{ folded: string }>

function merge<T>(
  one: readonly T[],
  other: readonly T[],
  inOrder: (a: T, b: T) => number,
  max: number,
): readonly T[] {
  const merged: T[] = []
  let [at, otherAt] = [0, 0]
  while (merged.length < max) {
    const [a, b] = [one[at], other[otherAt]]
    if (a !== undefined && (b === undefined || inOrder(a, b) <= 0)) {
      merged.push(a)
      at += 1
    } else if (b !== undefined) {
      merged.push(b)
      otherAt += 1
    } else break
  }
  return merged
}

const compare: Readonly<Record<ItemSort, (a: Folded, b: Folded) => number>> = {
  published: (a, b) => compareText(a.publishedAt, b.publishedAt),
  "-published": (a, b) => compareText(b.publishedAt, a.publishedAt) || b.id - a.id,
  name: (a, b) => compareText(a.folded, b.folded),
  "-name": (a, b) => compareText(b.folded, a.folded),
  price: (a, b) => a.price - b.price,
  "-price": (a, b) => b.price - a.price,
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
