import {
  type ItemSearch,
  type ItemSort,
  type ItemSummary,
  type ItemTitle,
  pickItems,
} from "../../../domain/catalog/item-search.ts"
import { chunk } from "../../../domain/values/chunk.ts"
import { DomainError } from "../../../domain/values/error.ts"
import type { SqlDatabase } from "../sql-database.ts"

export type ItemReads = Readonly<{
  /** One page of an account's items, in an order that is written in SQL. */
  readPage(
    accountId: number,
    order: string,
    rowsMax: number,
    offset: number,
  ): Promise<readonly ItemSummary[]>
  /** Above this many items `readPage` would stop the thread for too long. */
  sortedMax: number
  /** The titles after `last`, or the first ones for null; fewer than `rowsMax` at the end. */
  readTitles(
    accountId: number,
    last: ItemTitle | null,
    rowsMax: number,
  ): Promise<readonly ItemTitle[]>
  /** The items with these ids, in the order of the ids. */
  readItems(accountId: number, ids: readonly number[]): Promise<readonly ItemSummary[]>
}>

/** The orders that the database sorts by. `pickItems` sorts by name: no collation folds as it does. */
const orders: Readonly<Record<Exclude<ItemSort, "name">, string>> = {
  newest: "published_at DESC, id DESC",
  oldest: "published_at, id",
  price: "price, id",
}

export const titleColumns = `id, name, coalesce(price, 0) AS price, published_at AS "publishedAt"`

/** Reading and comparing them takes about 3 ms, which other requests wait at the most. */
const titlesAtOnce = 500

/** On one thread. A person waits for one search; a page that searches while they type has a few open. */
const searchesMax = { account: 4, all: 32 }

export function createItemSearch(db: SqlDatabase, reads: ItemReads): ItemSearch {
  const searching = new Map<number, number>()
  let searches = 0

  async function count(accountId: number) {
    const rows = await db.read<{ isHidden: boolean; total: number }>(
      `SELECT hidden AS "isHidden", count(*) AS total FROM items WHERE account_id = $1 GROUP BY hidden`,
      [accountId],
    )
    const totals = new Map(rows.map(({ isHidden, total }) => [isHidden, total]))
    return { visible: totals.get(false) ?? 0, hidden: totals.get(true) ?? 0 }
  }
  async function limitSearches<T>(accountId: number, work: () => Promise<T>): Promise<T> {
    const own = searching.get(accountId) ?? 0
    if (own >= searchesMax.account || searches >= searchesMax.all) {
      throw new DomainError("unavailable")
    }
    searching.set(accountId, own + 1)
    searches += 1
    try {
      return await work()
    } finally {
      searches -= 1
      const left = (searching.get(accountId) ?? 1) - 1
      if (left === 0) searching.delete(accountId)
      else searching.set(accountId, left)
    }
  }
  const search: ItemSearch["search"] = async (accountId, query) => {
    const { text, sort, offset, rowsMax } = query
    if (text === "" && sort !== "name") {
      const { visible, hidden } = await count(accountId)
      const total = visible + hidden
      if (total <= reads.sortedMax) {
        return { items: await reads.readPage(accountId, orders[sort], rowsMax, offset), total }
      }
    }
    const pick = pickItems(query)
    let last: ItemTitle | null = null
    for (;;) {
      const titles: readonly ItemTitle[] = await reads.readTitles(accountId, last, titlesAtOnce)
      pick.add(titles)
      if (titles.length < titlesAtOnce) break
      last = titles.at(-1) ?? null
    }
    const { ids, total } = pick.result()
    return { items: await reads.readItems(accountId, ids), total }
  }
  return {
    search: (accountId, query) => limitSearches(accountId, () => search(accountId, query)),
    async listByIds(accountId, ids) {
      const found: ItemSummary[] = []
      for (const some of chunk(ids, titlesAtOnce)) {
        found.push(...(await reads.readItems(accountId, some)))
      }
      return found
    },
    count,
  }
}
