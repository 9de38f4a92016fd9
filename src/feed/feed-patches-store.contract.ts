import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { audioMedia, type Line, plainMedia, purchase } from "../../tests/harness/records.ts"
import {
  accountId,
  accountRecord,
  itemBody,
  type OpenEmpty,
  put,
} from "../../tests/harness/stores/store-records.ts"
import { type PurchaseFields, renderPurchaseText } from "../purchases/purchase.ts"
import type { Store } from "../store/store.ts"
import type { FeedRecord } from "./feed-record.ts"

const itemOf = (author: string, id: number, media: Line = plainMedia): FeedRecord => ({
  type: "item",
  item: { id, author, isHidden: false, body: itemBody(id, media) },
})

const saleOf = (code: string, itemId: number): FeedRecord => {
  const { type: _, item_id: __, ...fields } = purchase(code, itemId)
  // `as`: the harness creates a valid line with all fields.
  const text = renderPurchaseText(fields as PurchaseFields)
  return { type: "purchase", purchase: { code, itemId, isRevoked: false, buyer: "Can", ...text } }
}

export const feedPatchContract = (adapter: string, open: OpenEmpty) =>
  describe(`patches in a FeedStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const refund: FeedRecord = {
      type: "patched purchase",
      code: "abc",
      isRevoked: true,
      fields: {},
    }
    const rename: FeedRecord = { type: "patched item", id: 1, fields: { name: "Yeni" } }
    const email: FeedRecord = {
      type: "patched account",
      username: "ada",
      key: null,
      fields: { email: "new@example.com" },
    }

    async function look() {
      const ada = await accountId(store, "ada")
      const [sale] = await store.purchases.listByCode(ada, "abc")
      const name = JSON.parse(sale?.body ?? "").item.name
      return { isRevoked: sale?.isRevoked, buyer: sale?.buyer, name, author: await find("ada") }
    }
    const find = async (username: string) =>
      (await store.accounts.findByUsername(username))?.body ?? ""

    test("change only the fields they contain, of stored records and of the same batch", async () => {
      const whole = [accountRecord("ada"), itemOf("ada", 1), saleOf("abc", 1)]
      const changed = {
        isRevoked: true,
        buyer: "Can",
        name: "Yeni",
        author: '{"username":"ada","email":"new@example.com"}',
      }
      await put(store, ...whole)
      expect(await put(store, refund, rename, email)).toEqual([null, null, null])
      expect(await look()).toEqual(changed)
      await put(store, ...whole, refund, rename, email)
      expect(await look()).toEqual(changed)
    })

    test("set and remove the end and the site limit of a purchase, and the download of an item", async () => {
      const ada = async () => accountId(store, "ada")
      const [validUntil, downloadUrl] = ["2027-01-01T00:00:00Z", "https://files.example.com/1.zip"]
      const patch = { type: "patched purchase", code: "abc", fields: {} } as const
      const look = async () => {
        const [sale] = await store.purchases.listByCode(await ada(), "abc")
        const item = await store.items.find(await ada(), 1)
        return [sale?.validUntil, sale?.siteLimit, item?.downloadUrl]
      }
      await put(store, accountRecord("ada"), itemOf("ada", 1), saleOf("abc", 1))
      await put(
        store,
        { ...patch, validUntil, siteLimit: 7 },
        { type: "patched item", id: 1, downloadUrl, fields: {} },
      )
      expect(await look()).toEqual([validUntil, 7, downloadUrl])
      await put(store, { ...patch, isRevoked: true }, rename)
      expect(await look()).toEqual([validUntil, 7, downloadUrl])
      // A whole record without a site limit keeps that of the author.
      await put(store, itemOf("ada", 1), saleOf("abc", 1))
      expect(await look()).toEqual([null, 7, null])
      await put(store, { ...patch, siteLimit: null })
      expect(await look()).toEqual([null, null, null])
      expect(await store.purchases.setSiteLimit("abc", 10_000)).toBe(true)
      expect(await store.purchases.setSiteLimit("nobody's", 1)).toBe(false)
      await put(store, { ...patch, isRevoked: false })
      expect(await look()).toEqual([null, 10_000, null])
      expect(await store.purchases.setSiteLimit("abc", null)).toBe(true)
      expect(await look()).toEqual([null, null, null])
    })

    test("are rejected for missing and for deleted records", async () => {
      const missing = [
        "purchase_code: unknown_purchase",
        "id: unknown_item",
        "username: unknown_account",
      ]
      expect(await put(store, refund, rename, email)).toEqual(missing)
      const gone: FeedRecord = { type: "deleted purchase", code: "abc" }
      await put(store, accountRecord("ada"), itemOf("ada", 1), saleOf("abc", 1))
      expect(await put(store, gone, refund)).toEqual([null, missing[0] ?? null])
      expect(await store.purchases.listByCode(await accountId(store, "ada"), "abc")).toEqual([])
    })

    test("cannot move an item to another author, nor a code to an item of another author", async () => {
      await put(store, accountRecord("ada"), accountRecord("bob"))
      await put(store, itemOf("ada", 1), itemOf("ada", 2), itemOf("bob", 3), saleOf("abc", 1))
      const verdicts = await put(
        store,
        { type: "patched item", id: 1, author: "bob", fields: {} },
        { type: "patched item", id: 1, author: "cyd", fields: {} },
        { type: "patched item", id: 1, author: "ada", fields: {} },
        { type: "patched purchase", code: "abc", itemId: 3, fields: {} },
        { type: "patched purchase", code: "abc", itemId: 2, fields: {} },
      )
      expect(verdicts).toEqual([
        "author: item_of_other_author",
        "author: unknown_account",
        null,
        "item_id: code_of_other_author",
        null,
      ])
    })

    const silence: FeedRecord = {
      type: "patched item",
      id: 1,
      fields: { media: { preview_audio: null } },
    }
    const noImage = "media.preview_image: missing"

    test("are rejected if an item would lack the media it needs", async () => {
      await put(store, accountRecord("ada"), itemOf("ada", 1, audioMedia))
      expect(await put(store, silence)).toEqual([noImage])
      expect(await put(store, itemOf("ada", 1), silence)).toEqual([null, null])
    })

    test("change the version of the list only if they change an item", async () => {
      await put(store, accountRecord("ada"), itemOf("ada", 1))
      const ada = await accountId(store, "ada")
      const versionOf = async () => (await store.items.findList(ada))?.version ?? ""
      const before = await versionOf()
      await put(store, { type: "patched item", id: 1, isHidden: false, fields: {} })
      expect(await versionOf()).toBe(before)
      expect(await put(store, rename)).toEqual([null])
      expect(await versionOf()).not.toBe(before)
    })
  })
