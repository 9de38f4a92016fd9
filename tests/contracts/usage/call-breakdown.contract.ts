/** What is added together, and the calls of a key by network and by item. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Store } from "../../../src/domain/store.ts"
import type { ItemCalls, NetworkCalls } from "../../../src/domain/usage/usage.ts"
import { daysBefore, lastRange } from "../../../src/domain/values/time/timestamp.ts"
import {
  accountId,
  accountRecord,
  addUsage,
  itemRecord,
  keyRecord,
  type OpenEmpty,
  purchaseRecord,
  put,
} from "../store-records.ts"

const now = "2026-06-30T12:30:00Z"
const today = now.slice(0, 10)
const dayAgo = (days: number) => daysBefore(now, days).slice(0, 10)

const home = "192.0.2.0/24"
const away = "198.51.100.0/24"

const fromNetwork = (calls: number, changes: Partial<NetworkCalls> = {}): NetworkCalls => ({
  keyId: "key_1",
  network: home,
  operation: "validate_purchase",
  day: today,
  calls,
  isEstimate: false,
  ...changes,
})
const ofItem = (itemId: number | null, calls: number, day = today): ItemCalls => ({
  keyId: "key_1",
  itemId,
  calls,
  day,
})

export const callBreakdownContract = (adapter: string, open: OpenEmpty) =>
  describe(`calls by network and item on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"))
      const ada = await accountId(store, "ada")
      await store.keys.insert(keyRecord("key_1", { accountId: ada }))
      await store.keys.insert(keyRecord("key_2", { accountId: ada }))
    })
    afterEach(() => store.close())

    const see = (network: string, lastUsedAt = now) => ({ keyId: "key_1", network, lastUsedAt })
    const addNetworks = (...networks: readonly NetworkCalls[]) =>
      addUsage(store, [], [see(home), see(away, daysBefore(now, 1))], { networks, items: [] })
    const addItems = (...items: readonly ItemCalls[]) =>
      addUsage(store, [], [], { networks: [], items })
    const details = (at = now, rowsMax = 10) =>
      store.usage.readDetails("key_1", lastRange(at, 30), at, rowsMax)

    test("a network has its calls of a week by operation, the most used first", async () => {
      await addNetworks(fromNetwork(2), fromNetwork(5, { operation: "list_items" }))
      await addNetworks(
        ...[
          fromNetwork(1),
          fromNetwork(7, { day: dayAgo(7) }),
          fromNetwork(99, { day: dayAgo(8) }),
        ],
        ...[fromNetwork(3, { network: away }), fromNetwork(50, { keyId: "key_2" })],
      )
      expect((await details()).networks).toEqual([
        {
          network: home,
          lastUsedAt: now,
          isEstimate: false,
          operations: [
            { operation: "validate_purchase", calls: 10 },
            { operation: "list_items", calls: 5 },
          ],
        },
        {
          network: away,
          lastUsedAt: daysBefore(now, 1),
          isEstimate: false,
          operations: [{ operation: "validate_purchase", calls: 3 }],
        },
      ])
    })

    test("an estimate stays one, of its network alone", async () => {
      await addNetworks(fromNetwork(9, { isEstimate: true }), fromNetwork(1, { network: away }))
      await addNetworks(fromNetwork(1))
      expect(
        (await details()).networks.map(({ network, isEstimate }) => [network, isEstimate]),
      ).toEqual([
        [home, true],
        [away, false],
      ])
    })

    test("a network without a breakdown has no operations", async () => {
      await addUsage(store, [], [see(home)])
      expect((await details()).networks).toEqual([
        { network: home, lastUsedAt: now, operations: [], isEstimate: false },
      ])
    })

    test("the latest networks are read, each with all its operations", async () => {
      await addNetworks(
        ...[fromNetwork(2), fromNetwork(5, { operation: "list_items" })],
        fromNetwork(3, { network: away }),
      )
      const { networks } = await details(now, 1)
      expect(networks.map(({ network, operations }) => [network, operations.length])).toEqual([
        [home, 2],
      ])
    })

    test("items have their calls of 30 days, the most asked for first; the rest is one number", async () => {
      await addItems(ofItem(7, 2), ofItem(8, 1), ofItem(9, 4), ofItem(null, 16))
      await addItems(ofItem(8, 8, dayAgo(29)), ofItem(7, 100, dayAgo(30)))
      await addItems({ ...ofItem(7, 1_000), keyId: "key_2" })
      const { items, otherItemCalls } = await details(now, 2)
      expect({ items, otherItemCalls }).toEqual({
        items: [
          { itemId: 8, calls: 9 },
          { itemId: 9, calls: 4 },
        ],
        otherItemCalls: 18,
      })
    })

    test("an author has the valid codes of all keys and of seven days by item", async () => {
      await put(store, accountRecord("bob"))
      const [ada, bob] = [await accountId(store, "ada"), await accountId(store, "bob")]
      await store.keys.insert(keyRecord("key_3", { accountId: bob }))
      await addItems(ofItem(7, 2), ofItem(8, 1), ofItem(null, 16), ofItem(8, 4, dayAgo(6)))
      await addItems(ofItem(7, 100, dayAgo(7)), { ...ofItem(9, 1_000), keyId: "key_3" })
      await addItems({ ...ofItem(8, 32), keyId: "key_2" })
      expect(await store.usage.listValidItems(ada, now, 1)).toEqual({
        items: [{ itemId: 8, calls: 37 }],
        otherItemCalls: 18,
      })
    })

    test("is added with the counts, all or nothing", async () => {
      const broken = { networks: [fromNetwork(1)], items: [ofItem(7, 1), ofItem(8, 1.5)] }
      await expect(addUsage(store, [], [see(home)], broken)).rejects.toThrow()
      const { networks, items } = await details()
      expect({ networks, items }).toEqual({ networks: [], items: [] })
    })

    test("is added with everything else, all or nothing", async () => {
      await put(store, itemRecord("ada", 7), purchaseRecord("code-1", 7))
      const add = (signIns: number) =>
        store.counts.add(now, {
          calls: [
            {
              keyId: "key_1",
              operation: "validate_purchase",
              outcome: "unknown_code",
              hour: now,
              calls: 2,
            },
          ],
          items: [ofItem(7, 3)],
          traffic: [{ kind: "request", operation: "page", detail: "ok", count: 4 }],
          signIns: [{ username: "ada", outcome: "wrong", signIns }],
        })
      const read = async () => ({
        items: (await details()).items,
        traffic: (await store.traffic.listTotals(now, now, "hour")).map(({ count }) => count),
        rejected: (await store.rejections.listKeys(now, 1, 5)).map(({ calls }) => calls),
        guessed: (await store.rejections.listAccounts(now, 1, 5)).map(({ wrong }) => wrong),
      })
      await expect(add(1.5)).rejects.toThrow()
      expect(await read()).toEqual({
        items: [],
        traffic: [],
        rejected: [],
        guessed: [],
      })
      await add(5)
      expect(await read()).toEqual({
        items: [{ itemId: 7, calls: 3 }],
        traffic: [4],
        rejected: [2],
        guessed: [5],
      })
    })

    test("skips keys that are gone, and goes with its account", async () => {
      const gone = { networks: [fromNetwork(1, { keyId: "gone" })], items: [ofItem(7, 1)] }
      await addUsage(store, [], [], gone)
      expect((await details()).items).toEqual([{ itemId: 7, calls: 1 }])
      await put(store, { type: "deleted account", username: "ada" })
      expect((await details()).items).toEqual([])
    })

    test("thinning forgets what no page shows any more, and nothing else", async () => {
      const days = Array.from({ length: 40 }, (_, ago) => ago)
      await addUsage(store, [], [see(home)], {
        networks: days.map((ago) => fromNetwork(1, { day: dayAgo(ago) })),
        items: days.map((ago) => ofItem(7, 1, dayAgo(ago))),
      })
      const before = await details()
      let after = await store.counts.thin(now, "", 3)
      while (after !== null) after = await store.counts.thin(now, after, 3)
      expect(await details()).toEqual(before)
      // A page of long ago would show everything that is left: days 0 to 7, and days 0 to 30.
      const left = await details(daysBefore(now, 60))
      expect(left.networks.map(({ operations }) => operations)).toEqual([
        [{ operation: "validate_purchase", calls: 8 }],
      ])
      expect(left.items).toEqual([{ itemId: 7, calls: 31 }])
    })
  })
