import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Store } from "../store/store.ts"
import type { SigningKey } from "./signing-key.ts"

const at = "2026-06-15T12:00:00Z"

const key = (id: string, changes: Partial<SigningKey> = {}): SigningKey => ({
  id,
  state: "next",
  publicKey: `public key of ${id}`,
  encrypted: new Uint8Array([0, 1, 255]),
  endorsements: [],
  createdAt: at,
  ...changes,
})
const endorsements = [
  { by: "a", sig: "of a" },
  { by: "z", sig: "of z" },
]
const first = [key("b", { state: "current" }), key("a", { endorsements })]
const second = [...first, key("c", { state: "retired" })]

/** Two stores on the same database, as with two servers. */
export const signingKeyStoreContract = (adapter: string, openTwo: () => Promise<[Store, Store]>) =>
  describe(`SigningKeyStore on ${adapter}`, () => {
    let ours: Store
    let theirs: Store
    beforeEach(async () => {
      ;[ours, theirs] = await openTwo()
    })
    afterEach(async () => {
      await ours.close()
      await theirs.close()
    })

    /** Converts the byte arrays of the driver. */
    const listed = async ({ signingKeys }: Store): Promise<SigningKey[]> =>
      (await signingKeys.list()).map((one) => ({
        ...one,
        encrypted: new Uint8Array(one.encrypted),
      }))

    test("is empty at first", async () => expect(await listed(ours)).toEqual([]))

    test("returns the keys in their order", async () => {
      expect(await ours.signingKeys.replaceAll([], second)).toBe(true)
      expect(await listed(theirs)).toEqual(second)
      expect(await ours.signingKeys.replaceAll(["b", "a", "c"], first)).toBe(true)
      expect(await listed(theirs)).toEqual(first)
    })

    test.each([
      ["none", []],
      ["fewer", ["b"]],
      ["more", ["b", "a", "c"]],
      ["others", ["b", "c"]],
    ])("changes nothing where %s were expected", async (_, expectedIds) => {
      await ours.signingKeys.replaceAll([], first)
      expect(await ours.signingKeys.replaceAll(expectedIds, second)).toBe(false)
      expect(await listed(ours)).toEqual(first)
    })

    test("only one of several concurrent replacements succeeds", async () => {
      const sets = ["v", "w", "x", "y"].map((id) => [key(id, { state: "current" })])
      const put = (set: SigningKey[], turn: number) =>
        (turn % 2 ? ours : theirs).signingKeys.replaceAll([], set)
      const outcomes = await Promise.all(sets.map(put))
      expect(outcomes.toSorted()).toEqual([false, false, false, true])
      expect(await listed(ours)).toEqual(sets[outcomes.indexOf(true)] ?? [])
    })
  })
