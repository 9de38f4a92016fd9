import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { addPerson, type OpenEmpty } from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"

export const twoFactorStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`TwoFactorStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      store = await open()
      ada = await addPerson(store, "ada")
      bob = await addPerson(store, "bob")
    })
    afterEach(() => store.close())

    const bytes = (text: string) => new TextEncoder().encode(text)
    const put = (id: number, secret = "sealed", step = 100, codes = ["one", "two"]) =>
      store.twoFactor.put(id, "kept", {
        encrypted: bytes(secret),
        usedStep: step,
        recoveryDigests: codes.map(bytes),
      })
    const find = async (id: number) => {
      const encrypted = await store.twoFactor.find(id)
      return encrypted && new TextDecoder().decode(encrypted)
    }
    const times = (work: () => Promise<boolean>) =>
      Promise.all(Array.from({ length: 8 }, work)).then((all) => all.filter(Boolean).length)

    test("returns the secret of each owner", async () => {
      await put(ada)
      expect([await find(ada), await find(bob)]).toEqual(["sealed", null])
      expect(await store.twoFactor.countRecoveryCodes(ada)).toBe(2)
    })

    test("putting a secret ends all other sessions of the owner", async () => {
      const at = "2026-06-01T08:00:00Z"
      const { sessions } = store
      const begin = (id: string, personId: number) =>
        sessions.insert(
          bytes(id),
          {
            id,
            personId,
            ipRange: "",
            device: "",
            isByPasskey: false,
            createdAt: at,
            lastSeenAt: at,
            confirmedAt: at,
          },
          null,
        )
      for (const id of ["kept", "other"]) await begin(id, ada)
      await begin("of bob", bob)
      await put(ada)
      const left = [...(await sessions.list(ada)), ...(await sessions.list(bob))]
      expect(left.map(({ id }) => id)).toEqual(["kept", "of bob"])
    })

    test("a step is used once, and earlier steps are rejected", async () => {
      await put(ada)
      const use = (step: number, id = ada) => store.twoFactor.useStep(id, step)
      expect([await use(100), await use(99), await use(102)]).toEqual([false, false, true])
      expect([await use(102), await use(101), await use(103)]).toEqual([false, false, true])
      expect(await use(200, bob)).toBe(false)
    })

    test("only one of many concurrent uses of a step succeeds", async () => {
      await put(ada)
      expect(await times(() => store.twoFactor.useStep(ada, 101))).toBe(1)
    })

    test("a recovery code is used once, by its owner only", async () => {
      await put(ada)
      await put(bob, "sealed", 100, ["three"])
      expect(await store.twoFactor.useRecoveryCode(ada, bytes("three"))).toBe(false)
      expect(await times(() => store.twoFactor.useRecoveryCode(ada, bytes("one")))).toBe(1)
      expect(await store.twoFactor.countRecoveryCodes(ada)).toBe(1)
      expect(await store.twoFactor.countRecoveryCodes(bob)).toBe(1)
    })

    test("a new secret replaces the old one and its codes", async () => {
      await put(ada)
      await put(ada, "another", 50, ["three"])
      expect(await find(ada)).toBe("another")
      expect(await store.twoFactor.useRecoveryCode(ada, bytes("one"))).toBe(false)
      expect(await store.twoFactor.useStep(ada, 51)).toBe(true)
      await expect(put(ada, "never", 0, ["same", "same"])).rejects.toThrow()
      expect(await find(ada)).toBe("another")
    })

    test("is removed with its codes, alone or with its owner", async () => {
      await put(ada)
      await put(bob)
      await store.twoFactor.remove(ada)
      await store.people.remove(bob)
      expect([await find(ada), await find(bob)]).toEqual([null, null])
      expect(await store.twoFactor.countRecoveryCodes(ada)).toBe(0)
      expect(await store.twoFactor.useRecoveryCode(bob, bytes("one"))).toBe(false)
    })
  })
