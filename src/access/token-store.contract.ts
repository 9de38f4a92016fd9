import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { OpenEmpty } from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"
import type { OperatorToken, TokenRight } from "./token.ts"

export const operatorTokenStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`OperatorTokenStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const digest = (byte: number) => new Uint8Array(32).fill(byte)
    const token = (
      name: string,
      byte: number,
      rights: readonly TokenRight[] = ["feed", "links"],
    ): OperatorToken => ({
      name,
      rights,
      digest: digest(byte),
      createdAt: "2026-06-01T08:00:00Z",
      old: null,
    })
    const list = async (): Promise<readonly OperatorToken[]> =>
      (await store.operatorTokens.list()).map(({ digest, old, ...rest }) => ({
        ...rest,
        digest: new Uint8Array(digest),
        old: old && { ...old, digest: new Uint8Array(old.digest) },
      }))

    test("lists tokens by name", async () => {
      expect(await list()).toEqual([])
      const [shop, Crm] = [token("shop", 1), token("Crm", 2, ["links"])]
      expect(await store.operatorTokens.insert(shop)).toBe(true)
      expect(await store.operatorTokens.insert(Crm)).toBe(true)
      expect(await list()).toEqual([Crm, shop])
    })

    test("rejects a name that already exists, also for concurrent insertions", async () => {
      const names = ["shop", "SHOP", "Shop", "shop"]
      const done = await Promise.all(
        names.map((name, at) => store.operatorTokens.insert(token(name, at + 1))),
      )
      expect(done.filter((isDone) => isDone).length).toBe(1)
      expect((await list()).length).toBe(1)
    })

    test("rotates a token, ignoring the case of its name, and keeps only the previous one", async () => {
      await store.operatorTokens.insert(token("Shop", 1, ["feed"]))
      await store.operatorTokens.insert(token("other", 9))
      const [second, third] = ["2026-06-02T08:00:00Z", "2026-06-03T08:00:00Z"]
      await store.operatorTokens.rotate("shop", digest(2), second, "2026-06-03T08:00:00Z")
      const replaced = await store.operatorTokens.rotate("SHOP", digest(3), third, third)
      expect(replaced).toMatchObject({ name: "Shop", rights: ["feed"], createdAt: third })
      expect(await list()).toEqual([
        token("other", 9),
        {
          ...token("Shop", 3, ["feed"]),
          createdAt: third,
          old: { digest: digest(2), expiresAt: third },
        },
      ])
      expect(await store.operatorTokens.rotate("none", digest(4), third, third)).toBeNull()
    })

    test("removes a token and its previous one, ignoring the case of the name", async () => {
      await store.operatorTokens.insert(token("Shop", 1))
      await store.operatorTokens.insert(token("other", 9))
      expect(await store.operatorTokens.remove("sHOP")).toBe("Shop")
      expect(await store.operatorTokens.remove("shop")).toBeNull()
      expect(await list()).toEqual([token("other", 9)])
    })
  })
