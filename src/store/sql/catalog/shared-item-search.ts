import {
  type ItemSearch,
  type ItemSort,
  type ItemSummary,
  type ItemTitle,
  matchNames,
  pickItems,
} from "../../../domain/catalog/item.ts"
import { chunk } from "../../../domain/values/chunk.ts"
import { DomainError } from "../../../domain/values/error.ts"
import type { SqlDatabase } from "../sql-database.ts"

export type ItemReads = Readonly<{
  readPage(
    accountId: number,
    order: string,
    rowsMax: number,
    offset: number,
  ): Promise<readonly ItemSummary[]>
  /** Returns the titles after `last`, or the first ones for null. Fewer than `rowsMax` are the last page. */
  readTitles(
    accountId: number,
    last: ItemTitle | null,
    rowsMax: number,
  ): Promise<readonly ItemTitle[]>
  /** Returns the items in the order of `ids`. */
  readItems(accountId: number, ids: readonly number[]): Promise<readonly ItemSummary[]>
}>

/** Names are sorted by `pickItems`, because no collation folds them the same way. */
const orders: Readonly<Record<Exclude<ItemSort, "name" | "-name">, string>> = {
  published: "published_at, id",
  "-published": "published_at DESC, id DESC",
  price: "price, id",
  "-price": "price DESC, id",
}

export const titleColumns = `id, name, coalesce(price, 0) AS price, published_at`

/** Limits how long a search blocks the thread: about 3 ms. */
const titlesPerBatch = 500

/** Concurrent searches per thread. A page that searches while somebody types sends a few. */
const searchesMax = { account: 4, all: 32 }

export function createItemSearch(db: SqlDatabase, reads: ItemReads): ItemSearch {
  // On SQLite, sorting more items would block the thread for more than 4 ms.
  const sortedMax = db.isBlocking ? 10_000 : Number.POSITIVE_INFINITY
  const searchesByAccount = new Map<number, number>()
  let searches = 0

  async function count(accountId: number) {
    const rows = await db.read<{ isHidden: boolean; total: number }>(
      `SELECT is_hidden, count(*) AS total FROM items WHERE account_id = $1 GROUP BY is_hidden`,
      [accountId],
    )
    const totals = new Map(rows.map(({ isHidden, total }) => [isHidden, total]))
    return { visible: totals.get(false) ?? 0, hidden: totals.get(true) ?? 0 }
  }
  async function limitSearches<T>(accountId: number, work: () => Promise<T>): Promise<T> {
    const running = searchesByAccount.get(accountId) ?? 0
    if (running >= searchesMax.account || searches >= searchesMax.all) {
      throw new DomainError("unavailable")
    }
    searchesByAccount.set(accountId, running + 1)
    searches += 1
    try {
      return await work()
    } finally {
      searches -= 1
      const left = (searchesByAccount.get(accountId) ?? 1) - 1
      if (left === 0) searchesByAccount.delete(accountId)
      else searchesByAccount.set(accountId, left)
    }
  }
  async function* listTitles(accountId: number): AsyncGenerator<readonly ItemTitle[]> {
    let titles: readonly ItemTitle[] = []
    do {
      titles = await reads.readTitles(accountId, titles.at(-1) ?? null, titlesPerBatch)
      yield titles
    } while (titles.length === titlesPerBatch)
  }
  const search: ItemSearch["search"] = async (accountId, query) => {
    const { text, sort, offset, rowsMax } = query
    if (text === "" && sort !== "name" && sort !== "-name") {
      const { visible, hidden } = await count(accountId)
      const total = visible + hidden
      if (total <= sortedMax) {
        return { items: await reads.readPage(accountId, orders[sort], rowsMax, offset), total }
      }
    }
    const pick = pickItems(query)
    for await (const titles of listTitles(accountId)) pick.add(titles)
    const { ids, total } = pick.result()
    return { items: await reads.readItems(accountId, ids), total }
  }
  return {
    search: (accountId, query) => limitSearches(accountId, () => search(accountId, query)),
    listIdsByName: (accountId, text) =>
      limitSearches(accountId, async () => {
        const match = matchNames(text)
        for await (const titles of listTitles(accountId)) match.add(titles)
        return match.result()
      }),
    async listByIds(accountId, ids) {
      const found: ItemSummary[] = []
      for (const some of chunk(ids, titlesPerBatch)) {
        found.push(...(await reads.readItems(accountId, some)))
      }
      return found
    },
    count,
  }
}
