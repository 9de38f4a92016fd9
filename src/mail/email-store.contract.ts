import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Store } from "../store/store.ts"

const emailOf = (id: string, expiresAt = "2026-06-08T08:00:00Z") => ({
  id,
  encrypted: new TextEncoder().encode(`sealed ${id}`),
  createdAt: `2026-06-01T08:00:0${id.at(-1)}Z`,
  expiresAt,
})

export const emailStoreContract = (adapter: string, openTwo: () => Promise<[Store, Store]>) =>
  describe(`EmailStore on ${adapter}`, () => {
    let store: Store
    let other: Store
    beforeEach(async () => {
      ;[store, other] = await openTwo()
    })
    afterEach(() => Promise.all([store.close(), other.close()]))

    const lease = async (nowMs: number, rowsMax = 10, by = store) =>
      (await by.emails.lease(nowMs, nowMs + 100, rowsMax)).toSorted((one, two) =>
        one.id < two.id ? -1 : 1,
      )
    const idsOf = (emails: readonly Readonly<{ id: string }>[]) => emails.map(({ id }) => id)

    test("a leased e-mail is due again after its lease, with one more attempt", async () => {
      await store.emails.insert([emailOf("mail_1"), emailOf("mail_2")])
      const { encrypted } = emailOf("mail_1")
      const [first, second] = await lease(0)
      expect([first, second?.id]).toEqual([
        { id: "mail_1", encrypted, attempts: 1, leasedUntilMs: 100 },
        "mail_2",
      ])
      expect(await lease(99, 10, other)).toEqual([])
      expect((await lease(100, 10, other)).map(({ attempts }) => attempts)).toEqual([2, 2])
    })

    test("is leased by one of many nodes", async () => {
      const all = Array.from({ length: 40 }, (_, index) => emailOf(`mail_${10 + index}`))
      await store.emails.insert(all)
      const nodes = [store, other, store, other, store, other]
      const leased = await Promise.all(nodes.map((node) => lease(0, 20, node)))
      const rest = await lease(0, 40)
      expect([...leased, rest].flatMap(idsOf).toSorted()).toEqual(idsOf(all).toSorted())
    })

    test("is retried at the time given, unless another node has the lease", async () => {
      await store.emails.insert([emailOf("mail_1")])
      const [late] = await lease(0)
      const [current] = await lease(100, 10, other)
      if (late === undefined || current === undefined) throw new Error("nothing was leased")
      await store.emails.retry(late, 150)
      expect(await lease(150)).toEqual([])
      await other.emails.retry(current, 150)
      expect(idsOf(await lease(150))).toEqual(["mail_1"])
    })

    test("is removed after it was sent; those that wait are known", async () => {
      await store.emails.insert([emailOf("mail_1"), emailOf("mail_2")])
      await lease(0)
      expect(await store.emails.findWaiting()).toEqual({
        count: 2,
        since: "2026-06-01T08:00:01Z",
        until: emailOf("mail_1").expiresAt,
      })
      await store.emails.remove("mail_1")
      expect((await store.emails.findWaiting())?.since).toBe("2026-06-01T08:00:02Z")
      expect(idsOf(await lease(100))).toEqual(["mail_2"])
      await store.emails.remove("mail_2")
      expect(await store.emails.findWaiting()).toBeNull()
    })

    test("is leased before those that expire later", async () => {
      await store.emails.insert([emailOf("mail_1", "2026-06-09T00:00:00Z"), emailOf("mail_2")])
      expect([await lease(0, 1), await lease(0, 1)].map(idsOf)).toEqual([["mail_2"], ["mail_1"]])
    })

    test("is deleted when it expires", async () => {
      await store.emails.insert([emailOf("mail_1"), emailOf("mail_2", "2026-06-09T00:00:00Z")])
      expect(await store.emails.deleteExpired("2026-06-08T07:59:59Z", 10)).toBe(0)
      expect(await store.emails.deleteExpired("2026-06-08T08:00:00Z", 10)).toBe(1)
      expect(idsOf(await lease(0))).toEqual(["mail_2"])
    })
  })
