import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { SealedColumn, SealedRow } from "../../../src/domain/keys/sealed-rows.ts"
import type { Store } from "../../../src/domain/store.ts"
import { accountId, accountRecord, keyRecord, type OpenEmpty, put } from "../store-records.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

export const sealedRowContract = (adapter: string, open: OpenEmpty) =>
  describe(`SealedRowStore on ${adapter}`, () => {
    let store: Store
    let keys: SealedColumn
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"))
      const ada = await accountId(store, "ada")
      for (const id of ["key_1", "key_2", "key_3"]) {
        await store.keys.insert(keyRecord(id, { accountId: ada, sealed: bytes(`sealed ${id}`) }))
      }
      const found = store.sealedRows.columns.find(({ table }) => table === "api_keys")
      if (found === undefined) throw new Error("keys are sealed")
      keys = found
    })
    afterEach(() => store.close())

    const list = async (place: string, rowsMax: number) =>
      (await store.sealedRows.list(keys, place, rowsMax)).map(({ place: at, owner, sealed }) => [
        at,
        owner,
        new TextDecoder().decode(sealed),
      ])
    const ofKey = (id: string) => [id, [id, "ada", "sk"], `sealed ${id}`]

    test("lists rows page by page, each with what it is bound to", async () => {
      expect(await list("", 2)).toEqual([ofKey("key_1"), ofKey("key_2")])
      expect(await list("key_2", 2)).toEqual([ofKey("key_3")])
      expect(await list("key_3", 2)).toEqual([])
    })

    test("replaces rows, and leaves out those that have changed since they were read", async () => {
      const [one, two] = await store.sealedRows.list(keys, "", 2)
      const anew = (row: SealedRow | undefined) => {
        if (row === undefined) throw new Error("there are two rows")
        return { ...row, resealed: bytes("anew"), lookup: bytes(`new ${row.place}`) }
      }
      await store.keys.reseal("key_2", bytes("of a renamed account"))
      await store.sealedRows.replace(keys, [anew(one), anew(two)])
      expect((await list("", 9)).map(([, , sealed]) => sealed)).toEqual([
        "anew",
        "of a renamed account",
        "sealed key_3",
      ])
      const found = ["new key_1", "new key_2"].map((text) => store.keys.findByLookup(bytes(text)))
      expect((await Promise.all(found)).map((key) => key?.id)).toEqual(["key_1", undefined])
    })

    test("finds the rows of every other column, too", async () => {
      const { columns } = store.sealedRows
      for (const column of columns.slice(1)) {
        expect(await store.sealedRows.list(column, "", 10)).toEqual([])
      }
      expect(columns.length).toBe(9)
    })
  })
