import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { addPerson, type OpenEmpty } from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"
import { type Passkey, passkeysMax } from "./passkey.ts"

export const passkeyStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`PasskeyStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      store = await open()
      ada = await addPerson(store, "ada")
      bob = await addPerson(store, "bob")
    })
    afterEach(() => store.close())

    const at = "2026-06-02T08:00:00Z"
    const passkey = (id: string, changes: Partial<Passkey> = {}): Passkey => ({
      id,
      personId: ada,
      publicKey: new TextEncoder().encode(`key of ${id}`),
      algorithm: -7,
      counter: 0,
      name: "Telefon 📱",
      createdAt: "2026-06-01T08:00:00Z",
      lastUsedAt: null,
      ...changes,
    })
    const insert = (...passkeys: readonly Passkey[]) =>
      Array.fromAsync(passkeys, (each) => store.passkeys.insert(each))
    const idsOf = async (personId: number) =>
      (await store.passkeys.list(personId)).map(({ id }) => id)

    test("finds a passkey by its id, byte by byte", async () => {
      const counting = passkey("Aa-_", { algorithm: -257, counter: 2 ** 32 - 1, personId: bob })
      expect(await insert(passkey("aa-_"), counting)).toEqual([true, true])
      expect(await store.passkeys.find("Aa-_")).toEqual(counting)
      expect(await store.passkeys.find("aA-_")).toBeNull()
      expect(await store.passkeys.find("")).toBeNull()
    })

    test("lists those of a person, the oldest first", async () => {
      const older = { createdAt: "2026-05-01T08:00:00Z" }
      await insert(passkey("b"), passkey("c", older), passkey("a"), passkey("d", { personId: bob }))
      expect([await idsOf(ada), await idsOf(bob)]).toEqual([["c", "a", "b"], ["d"]])
      expect((await store.passkeys.list(bob))[0]).toEqual(passkey("d", { personId: bob }))
    })

    test("an id is registered once, whoever has it", async () => {
      await insert(passkey("a"))
      expect(await insert(passkey("a"), passkey("a", { personId: bob }))).toEqual([false, false])
      expect([await idsOf(ada), await idsOf(bob)]).toEqual([["a"], []])
    })

    test("a person has a limited number", async () => {
      const ids = Array.from({ length: passkeysMax }, (_, index) => String(index))
      expect(new Set(await insert(...ids.map((id) => passkey(id))))).toEqual(new Set([true]))
      expect(await insert(passkey("more"), passkey("b", { personId: bob }))).toEqual([false, true])
      expect((await store.people.list(0, 9)).map(({ passkeys }) => passkeys)).toEqual([20, 1])
    })

    test("a deleted person gets none, and loses theirs", async () => {
      await insert(passkey("a"))
      await store.people.remove(ada)
      expect(await store.passkeys.find("a")).toBeNull()
      expect(await insert(passkey("b"))).toEqual([false])
    })

    test("the counter grows, unless the authenticator has none", async () => {
      await insert(passkey("none"), passkey("five", { counter: 5 }))
      const use = (id: string, counter: number) => store.passkeys.use(id, counter, at)
      expect([await use("none", 0), await use("none", 0)]).toEqual([true, true])
      expect([await use("five", 5), await use("five", 4), await use("five", 0)]).toEqual([
        ...[false, false, false],
      ])
      expect((await store.passkeys.find("five"))?.lastUsedAt).toBeNull()
      expect([await use("five", 7), await use("five", 6)]).toEqual([true, false])
      expect(await store.passkeys.find("five")).toMatchObject({ counter: 7, lastUsedAt: at })
      expect([await use("none", 1), await use("none", 0)]).toEqual([true, false])
      expect(await use("unknown", 1)).toBe(false)
    })

    test("only one of many concurrent uses of a count succeeds", async () => {
      await insert(passkey("a", { counter: 1 }))
      const uses = Array.from({ length: 8 }, () => store.passkeys.use("a", 2, at))
      expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1)
    })

    test("removes one or all, never another person's", async () => {
      await insert(passkey("a"), passkey("b"), passkey("c"), passkey("d", { personId: bob }))
      const { passkeys } = store
      expect([await passkeys.remove(bob, "a"), await passkeys.remove(ada, "a")]).toEqual([0, 1])
      expect(await passkeys.use("a", 1, at)).toBe(false)
      expect([await passkeys.remove(ada, "all"), await passkeys.remove(ada, "all")]).toEqual([2, 0])
      expect(await idsOf(bob)).toEqual(["d"])
    })
  })
