import type { AuditAction } from "../access/audit-event.ts"
import { createEvent, type Recording, tallyPerMinute } from "../access/audit-operations.ts"
import { DomainError } from "../platform/error.ts"
import { untilNextTurn } from "../platform/timers.ts"
import type { KeyOperation } from "../store/needs.ts"
import type { FoundItem, Item, ListPage, ListPages } from "./item.ts"

/** Another author's item, a hidden one and one that does not exist have the same response. */
export const readItem: KeyOperation<number, Item> = async ({ items }, key, id) => {
  const item = await items.find(key.accountId, id)
  if (item === null || item.isHidden) throw new DomainError("unknown_item")
  return item
}

/** A client that has this `version` does not receive the pages, which are read when they are iterated. */
export type ItemList = Readonly<{ version: string; pages: AsyncIterable<ListPage> }>

/** Few queries, and each takes a fraction of a millisecond. */
const pageItems = 100

/** Every visible item of the account, highest id first. */
export const listItems: KeyOperation<null, ItemList> = async ({ items }, key) => {
  const list = await items.findList(key.accountId)
  if (list === null) throw new DomainError("no_items")
  return { version: list.version, pages: { [Symbol.asyncIterator]: () => walk(list) } }
}

/** Reads by id: an item that exists all the time is listed exactly once, despite concurrent writes. */
async function* walk(list: ListPages) {
  let idMax = Number.MAX_SAFE_INTEGER
  let isFirst = true
  for (;;) {
    const page = await list.read(idMax, pageItems)
    if (page === null || (isFirst && page.count === 0)) throw new DomainError("no_items")
    if (page.count > 0) yield page
    if (page.isLast) return
    idMax = page.lastId - 1
    isFirst = false
    // SQLite reads without yielding: let other requests proceed between two pages.
    await untilNextTurn()
  }
}

export function recordItemEvent(
  recording: Recording,
  { id, accountId, username }: Pick<FoundItem, "id" | "accountId" | "username">,
  action: AuditAction<"item">,
  note?: string,
): Promise<void> {
  const account = { id: accountId, username }
  const event = {
    ...createEvent(recording, { kind: "item", action }),
    ...{ account, subjectId: String(id), note },
  }
  return note === undefined ? tallyPerMinute(recording, event) : recording.audit.insert(event)
}
