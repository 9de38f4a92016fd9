import type { ItemStore, ListPages } from "../domain/catalogue/item.ts"
import type { WorkQueue } from "../domain/values/work-queue.ts"

/** The same store, but it reads one page of all lists at a time. */
export function queueListReads(items: ItemStore, queue: WorkQueue): ItemStore {
  const queued = (list: ListPages | null): ListPages | null =>
    list && {
      version: list.version,
      read: (idMax, rowsMax) => queue(() => list.read(idMax, rowsMax)),
    }
  return {
    find: items.find,
    findList(accountId) {
      const finding = items.findList(accountId)
      return finding instanceof Promise ? finding.then(queued) : queued(finding)
    },
  }
}
