import type { ItemSort } from "../../../domain/catalogue/item-search.ts"

/** A place in the list of items: a search, an order and a page. */
export type ListPlace = Readonly<{ text: string; sort: ItemSort; page: number }>

const itemsPath = "/workspace/items"

const queryOf = ({ text, sort, page }: ListPlace) =>
  new URLSearchParams({ q: text, sort, page: String(page) })

export const pathOfItems = (place: ListPlace) => `${itemsPath}?${queryOf(place)}`

/** The page of an item leads back to the place. The beginning of the list needs no parameters. */
export function pathOfItem(id: number, place: ListPlace): string {
  const isBeginning = place.text === "" && place.sort === "newest" && place.page === 1
  return isBeginning ? `${itemsPath}/${id}` : `${itemsPath}/${id}?${queryOf(place)}`
}
