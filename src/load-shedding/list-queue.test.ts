import { expect, test } from "bun:test"
import type { ItemStore, ListPage } from "../domain/catalogue/item.ts"
import { createWorkQueue } from "../domain/values/work-queue.ts"
import { queueListReads } from "./list-queue.ts"

const page: ListPage = { count: 0, lastId: 0, isLast: true, bytes: new Uint8Array() }

test.each(["at once", "later"])("one page is read in a turn, whoever asks (%s)", async (when) => {
  const reads: number[] = []
  const listOf = (accountId: number) => ({
    version: `v${accountId}`,
    read(idMax: number) {
      reads.push(accountId * 100 + idMax)
      return page
    },
  })
  const find = (accountId: number) => (accountId === 0 ? null : listOf(accountId))
  const store: ItemStore = {
    find: () => null,
    findList: when === "at once" ? find : async (accountId) => find(accountId),
  }
  const rests: (() => void)[] = []
  const queue = createWorkQueue(1, () => new Promise((resolve) => rests.push(resolve)))
  const items = queueListReads(store, queue)
  expect(await items.findList(0)).toBeNull()
  const lists = await Promise.all([items.findList(1), items.findList(2)])
  expect(lists.map((list) => list?.version)).toEqual(["v1", "v2"])
  const reading = [1, 2].flatMap((idMax) => lists.map((list) => list?.read(idMax, 100)))
  const seen: number[][] = []
  for (let turn = 0; turn < 4; turn += 1) {
    await Bun.sleep(0)
    seen.push([...reads])
    rests.shift()?.()
  }
  expect(seen).toEqual([[101], [101, 201], [101, 201, 102], [101, 201, 102, 202]])
  expect(await Promise.all(reading)).toEqual([page, page, page, page])
})
