import type { ItemStore, ListPages } from "../domain/item.ts"
import type { Turns } from "../domain/turns.ts"

/** The same store; of many lists that are read at once, a page at a time is read. */
export function readListsInTurns(items: ItemStore, turns: Turns): ItemStore {
  const inTurns = (list: ListPages | null): ListPages | null =>
    list && {
      version: list.version,
      read: (idMax, limit) => turns(() => list.read(idMax, limit)),
    }
  return {
    find: items.find,
    findList(accountId) {
      const finding = items.findList(accountId)
      return finding instanceof Promise ? finding.then(inTurns) : inTurns(finding)
    },
  }
}
