import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { endpointRecord } from "../../tests/harness/endpoint-records.ts"
import {
  accountId,
  accountRecord,
  keyRecord,
  type OpenEmpty,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { EncryptedRow, Reencrypt } from "./encrypted-row-store.ts"
import type { Store } from "./store.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = (encrypted: Uint8Array) => new TextDecoder().decode(encrypted)

export const encryptedRowContract = (adapter: string, open: OpenEmpty) =>
  describe(`EncryptedRowStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"))
      ada = await accountId(store, "ada")
      for (const id of ["key_1", "key_2", "key_3"]) {
        await store.keys.insert(keyRecord(id, { accountId: ada, encrypted: bytes(`sealed ${id}`) }))
      }
    })
    afterEach(() => store.close())

    const rewrite = (reencrypt: Reencrypt) =>
      store.encryptedRows.rewrite(
        () => reencrypt,
        () => {},
      )
    async function list(): Promise<readonly EncryptedRow[]> {
      const rows: EncryptedRow[] = []
      await rewrite((row) => {
        rows.push(row)
        return null
      })
      return rows
    }

    test("passes every row with its owner, and does not change it for null", async () => {
      const all = ["key_1", "key_2", "key_3"].map((id) => [
        "api_keys",
        [id, `${ada}`, "sk"],
        `sealed ${id}`,
      ])
      for (const _ of [1, 2]) {
        const rows = await list()
        expect(
          rows.map(({ table, owner, encrypted }) => [table, owner, textOf(encrypted)]),
        ).toEqual(all)
      }
    })

    test("rewrites rows with the lookup values of keys, and counts them", async () => {
      const count = await rewrite(({ owner: [id = ""] }) =>
        id === "key_3" ? null : { encrypted: bytes(`new ${id}`), lookup: bytes(`lookup ${id}`) },
      )
      expect(count).toBe(2)
      expect((await list()).map(({ encrypted }) => textOf(encrypted))).toEqual([
        "new key_1",
        "new key_2",
        "sealed key_3",
      ])
      const found = ["key_1", "key_3"].map((id) => store.keys.findByLookup(bytes(`lookup ${id}`)))
      expect((await Promise.all(found)).map((key) => key?.id)).toEqual(["key_1", undefined])
    })

    test("does not overwrite a concurrent change of a row", async () => {
      await store.endpoints.insert(endpointRecord("ep_1"))
      let rotation: Promise<boolean> | null = null
      await rewrite(({ table }) => {
        if (table !== "webhook_endpoints") return null
        rotation ??= store.endpoints.rotateSecret("ep_1", bytes("rotated"), "2026-06-01T00:00:00Z")
        return { encrypted: bytes("new"), lookup: null }
      })
      await rotation
      const rows = (await list()).filter(({ table }) => table === "webhook_endpoints")
      expect(rows.map(({ encrypted }) => textOf(encrypted))).toEqual(["rotated", "new"])
    })
  })
