import { DomainError } from "../domain/error.ts"
import type { ListPage, ListPages } from "../domain/item.ts"
import type { KeyOperation } from "./operation.ts"

/**
 * `version` changes with the list, so a client that has it need not be sent the rest: the pages are
 * read only when somebody walks through them.
 */
export type ItemList = Readonly<{ version: string; pages: AsyncIterable<ListPage> }>

/**
 * Large enough to make queries few; small enough that a page is read in a fraction of a
 * millisecond, and that a reader who stalls holds little of the list.
 */
export const pageItems = 100

/** Every visible item of the account, newest id first. An account without any has no list. */
export const listItems: KeyOperation<null, ListPages | null, ItemList> = {
  find: ({ items }, key) => items.findList(key.accountId),
  decide(list) {
    if (list === null) throw new DomainError("no_items")
    return { version: list.version, pages: walk(list) }
  },
}

/** Walks by id, so an item that is there throughout is listed exactly once, whatever is written. */
async function* walk(list: ListPages) {
  let idMax = Number.MAX_SAFE_INTEGER
  let isFirst = true
  for (;;) {
    const page = await list.read(idMax, pageItems)
    if (page === null || (isFirst && page.count === 0)) throw new DomainError("no_items")
    if (page.count > 0) yield page
    if (page.count < pageItems) return
    idMax = page.lastId - 1
    isFirst = false
  }
}
