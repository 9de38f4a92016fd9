import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { endpointRecord } from "../../tests/harness/endpoint-records.ts"
import {
  accountId,
  accountRecord,
  itemBody,
  itemRecord,
  type OpenEmpty,
  put,
} from "../../tests/harness/stores/store-records.ts"
import { renderPurchaseText } from "../purchases/purchase.ts"
import type { Store } from "../store/store.ts"
import type { FeedRecord } from "./feed-record.ts"

/** Endpoints are created on 1 June. */
const [before, after] = ["2026-05-31T08:00:00Z", "2026-06-02T08:00:00Z"]

const sale = (
  code: string,
  date: string,
  isRevoked = false,
  price = 10,
  itemId = 1,
): FeedRecord => ({
  type: "purchase",
  purchase: {
    code,
    itemId,
    isRevoked,
    buyer: null,
    ...renderPurchaseText({
      purchase_code: code,
      license_type: "Regular",
      price,
      currency: "USD",
      supported_until: undefined,
      downloaded: false,
      date,
    }),
  },
})

export const purchaseEventsContract = (adapter: string, open: OpenEmpty) =>
  describe(`Events of purchases on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"), accountRecord("bora"), itemRecord("ada", 1))
      await store.endpoints.insert(
        endpointRecord("ep_ada", { accountId: await accountId(store, "ada") }),
      )
    })
    afterEach(() => store.close())

    async function listEvents(id = "ep_ada"): Promise<readonly string[]> {
      const rows = await store.messages.list(id, null, 1_000)
      const found = await Promise.all(rows.map((row) => store.messages.find(row.id)))
      return found
        .map((each) => {
          const { purchase } = JSON.parse(each?.event.data ?? "")
          return `${each?.event.type} ${purchase.purchase_code} ${purchase.price}`
        })
        .toSorted()
    }

    test("a purchase that moves to another item is changed", async () => {
      await put(store, itemRecord("ada", 2), sale("a-1", after))
      await put(store, sale("a-1", after, false, 10, 2))
      expect(await listEvents()).toEqual(["purchase.changed a-1 10", "purchase.created a-1 10"])
    })

    test("a purchase whose end is set, moved or removed is changed; a site limit changes nothing", async () => {
      await put(store, sale("a-1", after))
      const patch = { type: "patched purchase", code: "a-1", fields: {} } as const
      const changed = (times: number) => [
        ...Array.from({ length: times }, () => "purchase.changed a-1 10"),
        "purchase.created a-1 10",
      ]
      await put(store, { ...patch, validUntil: "2027-01-01T00:00:00Z", siteLimit: 5 })
      expect(await listEvents()).toEqual(changed(1))
      await put(store, { ...patch, validUntil: "2027-01-01T00:00:00Z", siteLimit: 6 })
      expect(await listEvents()).toEqual(changed(1))
      await put(store, { ...patch, validUntil: "2028-01-01T00:00:00Z" })
      expect(await listEvents()).toEqual(changed(2))
      await put(store, sale("a-1", after))
      expect(await listEvents()).toEqual(changed(3))
    })

    test("the event of a purchase is delivered to its author and the operators only", async () => {
      const bora = await accountId(store, "bora")
      await store.endpoints.insert(endpointRecord("ep_bora", { accountId: bora }))
      await store.endpoints.insert(endpointRecord("ep_all"))
      await put(store, sale("a-1", after))
      expect(await listEvents()).toEqual(["purchase.created a-1 10"])
      expect(await listEvents("ep_all")).toEqual(["purchase.created a-1 10"])
      expect(await listEvents("ep_bora")).toEqual([])
      const [message] = await store.messages.list("ep_all", null, 1)
      const found = await store.messages.find(message?.id ?? "")
      expect(found?.event).toMatchObject({ type: "purchase.created", username: "ada" })
      expect(JSON.parse(found?.event.data ?? "")).toEqual({
        purchase: {
          purchase_code: "a-1",
          license_type: "Regular",
          price: 10,
          currency: "USD",
          item: JSON.parse(itemBody(1)),
          downloaded: false,
          date: after,
        },
      })
    })

    const sentItems = async (id = "ep_ada") => {
      const due = (await store.messages.listDue(Date.now(), true)).filter((each) => each.id === id)
      const ids = due.flatMap(({ messageIds }) => messageIds)
      const leased = await store.messages.lease(ids, Date.now(), Date.now())
      const sent = leased.map(({ event }) => JSON.parse(event.data).purchase.item)
      // The page of the delivery shows the same.
      const shown = await Promise.all(leased.map(({ id }) => store.messages.find(id)))
      expect(shown.map((each) => JSON.parse(each?.event.data ?? "").purchase.item)).toEqual(sent)
      return sent
    }
    const itemNamed = (name: string) => ({ ...JSON.parse(itemBody(1)), name })
    const named = (author: string, name: string): FeedRecord => {
      const body = JSON.stringify(itemNamed(name))
      return { type: "item", item: { id: 1, author, isHidden: false, body } }
    }
    const whole = itemNamed("Theme")

    test("a message contains the current item, or id and name of a deleted item", async () => {
      await put(store, named("ada", "Theme"), sale("a-1", after))
      expect(await sentItems()).toEqual([whole])
      await put(store, named("ada", "Theme 2"))
      expect(await sentItems()).toEqual([{ ...whole, name: "Theme 2" }])
      await put(store, { type: "deleted purchase", code: "a-1" }, { type: "deleted item", id: 1 })
      expect((await sentItems()).toSorted((one, two) => one.name.length - two.name.length)).toEqual(
        [
          { id: 1, name: "Theme" },
          { id: 1, name: "Theme 2" },
        ],
      )
    })

    test("the event of an operator override contains the current item", async () => {
      await put(store, named("ada", "Theme"), sale("a-1", before))
      await store.purchases.setRevokedByOperator("a-1", true, new Date())
      expect(await sentItems()).toEqual([whole])
    })

    test("an item that has moved to another author is delivered to operators only", async () => {
      await store.endpoints.insert(endpointRecord("ep_all"))
      await put(store, named("ada", "Theme"), sale("a-1", after))
      await put(store, { type: "deleted purchase", code: "a-1" }, { type: "deleted item", id: 1 })
      await put(store, named("bora", "Theme 2"))
      const left = { id: 1, name: "Theme" }
      expect(await sentItems()).toEqual([left, left])
      const moved = { ...whole, name: "Theme 2" }
      expect(await sentItems("ep_all")).toEqual([moved, moved])
    })

    test("a message that 0.12.3 stored with the whole item is sent, also for a deleted item", async () => {
      const account = { id: await accountId(store, "ada"), username: "ada" }
      const data = JSON.stringify({ purchase: { purchase_code: "a-1", item: whole } })
      await store.messages.enqueue({ type: "purchase.created", at: after, account, data })
      await put(store, { type: "deleted item", id: 1 })
      expect(await sentItems()).toEqual([whole])
    })

    test("changes, revocations and restores create events; an unchanged purchase does not", async () => {
      await put(store, sale("a-1", after))
      await put(store, sale("a-1", after))
      await put(store, sale("a-1", after, false, 20))
      await put(store, sale("a-1", after, true, 20))
      await put(store, sale("a-1", after, true, 30))
      await put(store, sale("a-1", after, false, 30))
      expect(await listEvents()).toEqual([
        "purchase.changed a-1 20",
        "purchase.created a-1 10",
        "purchase.restored a-1 30",
        "purchase.revoked a-1 20",
      ])
    })

    test("purchases before the endpoint create events only when they are revoked", async () => {
      await put(store, sale("old", before), sale("returned", before, true))
      await put(store, sale("old", before, false, 20))
      expect(await listEvents()).toEqual([])
      await put(store, sale("old", before, true, 20))
      await put(store, sale("returned", before, false))
      expect(await listEvents()).toEqual([
        "purchase.restored returned 10",
        "purchase.revoked old 20",
      ])
    })

    test("an endpoint receives purchases since its creation, even if older endpoints receive more", async () => {
      await store.endpoints.insert(endpointRecord("ep_new", { createdAt: "2026-06-03T08:00:00Z" }))
      await put(store, sale("between", after), sale("since", "2026-06-04T08:00:00Z"))
      expect(await listEvents("ep_new")).toEqual(["purchase.created since 10"])
      expect((await listEvents()).length).toBe(2)
    })

    test("a deleted purchase is revoked, also when its item is deleted with it", async () => {
      await put(store, sale("a-1", before), sale("refunded", before, true))
      await put(
        store,
        { type: "deleted purchase", code: "a-1" },
        { type: "deleted purchase", code: "refunded" },
        { type: "deleted item", id: 1 },
      )
      expect(await listEvents()).toEqual(["purchase.revoked a-1 10"])
    })

    test("a pending purchase creates its event when its item is imported", async () => {
      const pendingMessages: FeedRecord = sale("later", after)
      if (pendingMessages.type !== "purchase") throw new Error("no sale")
      await put(store, { ...pendingMessages, purchase: { ...pendingMessages.purchase, itemId: 2 } })
      expect(await listEvents()).toEqual([])
      await put(store, itemRecord("ada", 2))
      expect(await listEvents()).toEqual(["purchase.created later 10"])
    })

    test("an operator override and its removal create events", async () => {
      await put(store, sale("a-1", before), sale("by feed", before, true))
      for (const isRevoked of [true, true, false, false]) {
        for (const code of ["a-1", "by feed"]) {
          expect(await store.purchases.setRevokedByOperator(code, isRevoked, new Date())).toBe(true)
        }
      }
      expect(await listEvents()).toEqual(["purchase.restored a-1 10", "purchase.revoked a-1 10"])
      expect(await store.purchases.setRevokedByOperator("none", true, new Date())).toBe(false)
    })

    test("a quiet feed creates no events", async () => {
      const origin = { source: "test", via: "file" } as const
      const quiet = await store.feed.openBatches({ ...origin, isQuiet: true })
      await quiet.put(new Date(), [sale("a-1", after)], 1)
      expect(await listEvents()).toEqual([])
    })
  })
