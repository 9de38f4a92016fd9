import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { StoreOpening } from "../../tests/harness/stores/contracts.ts"
import {
  accountId,
  accountRecord,
  itemBody,
  itemRecord,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { FeedRecord } from "../feed/feed-record.ts"
import { noLimits } from "../items/item.ts"
import type { Store } from "../store/store.ts"
import type { ValidatedSite } from "../usage/usage.ts"
import { type ReleaseQuota, sitesMax } from "./site.ts"

const at = "2026-06-30T12:00:00Z"
const today = "2026-06-30"
const soldAt = "2026-01-02T03:04:05Z"
const onDay = (day: string) => `${day}T12:00:00Z`

const sold = (code: string, itemId: number, licence = "Regular"): FeedRecord => ({
  type: "purchase",
  purchase: {
    code,
    itemId,
    isRevoked: false,
    buyer: null,
    beforeItem: `{"purchase_code":"${code}","license_type":"${licence}","price":1,"currency":"USD","item":`,
    afterItem: `,"date":"${soldAt}"}`,
  },
})

export const siteStoreContract = (
  adapter: string,
  { openEmpty, openTwo }: Pick<StoreOpening, "openEmpty" | "openTwo">,
) =>
  describe(`SiteStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await openEmpty()
      await fill(store)
    })
    afterEach(() => store.close())

    const fill = (into: Store) =>
      put(
        into,
        ...[accountRecord("ada"), accountRecord("bob"), itemRecord("ada", 1), itemRecord("bob", 2)],
        ...[sold("abc", 1), sold("ABC", 1, "Extended"), sold("def", 2)],
      )
    const seenSite = (code: string, site: string): ValidatedSite => ({ code, site })
    const note = (day: string, ...seen: ValidatedSite[]) => store.sites.recordSeen(onDay(day), seen)
    const sitesOf = async (code: string) =>
      (await store.sites.list(code)).map(({ site, firstDay, lastDay }) => [site, firstDay, lastDay])
    const names = async (code: string) => (await store.sites.list(code)).map(({ site }) => site)
    const claim = (site: string, limit: number, code = "abc", on: Store = store) =>
      on.sites.claim(code, site, limit, at)

    describe("recording", () => {
      test("records first and last day of each site of each purchase, newest first", async () => {
        await note("2026-06-01", seenSite("abc", "a.com"), seenSite("ABC", "a.com"))
        await note("2026-06-02", seenSite("abc", "b.com"), seenSite("nobody's", "b.com"))
        await note("2026-06-03", seenSite("abc", "a.com"), seenSite("abc", "a.com"))
        expect(await sitesOf("abc")).toEqual([
          ["a.com", "2026-06-01", "2026-06-03"],
          ["b.com", "2026-06-02", "2026-06-02"],
        ])
        expect(await sitesOf("ABC")).toEqual([["a.com", "2026-06-01", "2026-06-01"]])
        expect(await sitesOf("aBC")).toEqual([])
      })

      test("never moves a last day back", async () => {
        await note("2026-06-03", seenSite("abc", "a.com"))
        await note("2026-06-01", seenSite("abc", "a.com"))
        expect(await sitesOf("abc")).toEqual([["a.com", "2026-06-03", "2026-06-03"]])
      })

      test("stores unusual texts unchanged", async () => {
        const odd = [`Elif's "PC"`, "a\\b", "{}", "İ\u{1f600}", "a%b_c", "12"]
        await note(today, ...odd.map((site) => seenSite("abc", site)))
        expect((await names("abc")).toSorted()).toEqual(odd.toSorted())
      })

      test("adds at most twenty new sites per purchase and day", async () => {
        const many = Array.from({ length: 25 }, (_, index) => seenSite("abc", `${index}.com`))
        await note("2026-06-01", ...many.slice(0, 12))
        await note("2026-06-01", ...many.slice(12), seenSite("def", "a.com"))
        expect(await names("abc")).toHaveLength(20)
        expect(await names("def")).toHaveLength(1)
        await note("2026-06-02", ...many)
        expect(await names("abc")).toHaveLength(25)
      })

      test("keeps two hundred sites and evicts only those without a slot", async () => {
        const fillDay = (day: number) => {
          const seen = Array.from({ length: 20 }, (_, index) =>
            seenSite("abc", `${day}-${index}.com`),
          )
          return note(`2026-06-${String(day).padStart(2, "0")}`, ...seen)
        }
        for (let day = 1; day <= 10; day++) await fillDay(day)
        await note("2026-06-11", seenSite("abc", "late.com"))
        const before = await names("abc")
        expect([before.length, before.includes("late.com")]).toEqual([sitesMax, false])
        await note("2026-07-02", seenSite("abc", "late.com"))
        const after = await names("abc")
        expect([after.length, after.includes("late.com")]).toEqual([sitesMax, true])
        expect(after.filter((site) => site.startsWith("1-"))).toHaveLength(19)
      })
    })

    describe("a slot", () => {
      test("is free up to the limit, and a site uses one slot only", async () => {
        expect(await claim("a.com", 2)).toBe(true)
        expect(await claim("a.com", 2)).toBe(true)
        expect(await claim("b.com", 2)).toBe(true)
        expect(await claim("c.com", 2)).toBe(false)
        expect(await claim("a.com", 1)).toBe(true)
        expect(await claim("c.com", 2, "ABC")).toBe(true)
        expect(await names("abc")).toEqual(["a.com", "b.com"])
      })

      test("is kept by a later claim", async () => {
        await note("2026-06-20", seenSite("abc", "a.com"))
        expect(await claim("a.com", 1)).toBe(true)
        expect(await sitesOf("abc")).toEqual([["a.com", "2026-06-20", today]])
      })

      test("is freed after 30 days without a validation", async () => {
        await note("2026-05-30", seenSite("abc", "old.com"))
        await note("2026-05-31", seenSite("abc", "new.com"))
        expect(await claim("c.com", 2)).toBe(true)
        expect(await claim("d.com", 2)).toBe(false)
        expect(await claim("old.com", 2)).toBe(false)
        expect(await claim("old.com", 3)).toBe(true)
        expect((await sitesOf("abc")).find(([site]) => site === "old.com")).toEqual([
          ...["old.com", "2026-05-30", today],
        ])
      })

      test("is not used by test sites, which have their own limit", async () => {
        await note(today, seenSite("abc", "dev.a.com"))
        expect(await claim("a.com", 1)).toBe(true)
        expect(await claim("b.com", 1)).toBe(false)
        const claimed = []
        for (let at = 0; at < 10; at += 1) claimed.push(await claim(`dev.${at}.com`, 1))
        expect(claimed).toEqual([...Array(9).fill(true), false])
        expect([await claim("dev.a.com", 1), await claim("dev.9.com", 3)]).toEqual([true, true])
        expect(await claim("a.com", 1)).toBe(true)
      })

      test("is available even if test sites fill the list", async () => {
        for (let day = 1; day <= 10; day++) {
          const seen = Array.from({ length: 20 }, (_, index) =>
            seenSite("abc", `dev.${day}-${index}.com`),
          )
          await note(`2026-06-${String(day).padStart(2, "0")}`, ...seen)
        }
        expect(await claim("a.com", 1)).toBe(true)
        expect(await names("abc")).toHaveLength(sitesMax)
        expect(await names("abc")).toContain("a.com")
      })

      test("of a deleted purchase is not rejected", async () =>
        expect(await claim("a.com", 1, "gone")).toBe(true))

      test("the last one is given to one of two concurrent processes", async () => {
        const [one, other] = await openTwo()
        try {
          await fill(one)
          for (let round = 0; round < 50; round++) {
            const asked = [one, other, one, other].map((on, index) =>
              claim(`${index}.${round}.com`, round + 1, "abc", on),
            )
            const answers = await Promise.all(asked)
            expect(answers.filter((isLetIn) => isLetIn)).toHaveLength(1)
            const kept = await one.sites.list("abc")
            expect(kept.map(({ site }) => site)).toContain(`${answers.indexOf(true)}.${round}.com`)
            expect(kept).toHaveLength(round + 1)
          }
        } finally {
          await Promise.all([one.close(), other.close()])
        }
      })
    })

    describe("a release", () => {
      const byBuyer = { releaser: "buyer", max: 5 }
      const release = (site: string, quota: ReleaseQuota | null = byBuyer, when = at) =>
        store.sites.release("abc", site, quota, when)
      const reclaim = (site: string, max = 5) =>
        store.sites.reclaim("abc", site, { releaser: site, max }, at)
      const counted = (code: string, when = at, releaser = "buyer") =>
        store.sites.countReleases(code, releaser, when)

      test("forgets the site, which is the newest when it returns", async () => {
        await note("2026-06-02", seenSite("abc", "a.com"))
        await note("2026-06-03", seenSite("abc", "b.com"), seenSite("abc", "dev.a.com"))
        await release("a.com", null)
        await release("dev.a.com", null)
        const days = { firstDay: "2026-06-03", lastDay: "2026-06-03", isTest: false }
        const b = { site: "b.com", ...days, order: 2 }
        expect(await store.sites.listKnown("abc")).toEqual([b])
        expect(await reclaim("a.com")).toEqual({ kind: "absent" })
        await note("2026-06-03", seenSite("abc", "a.com"))
        expect(await store.sites.listKnown("abc")).toEqual([{ ...b, site: "a.com", order: 3 }, b])
        expect(await store.sites.listKnown("ABC")).toEqual([])
        expect(await reclaim("b.com")).toEqual({ kind: "released" })
        expect(await names("abc")).toEqual(["b.com"])
      })

      test("frees the slot of this purchase immediately", async () => {
        await note(today, seenSite("abc", "a.com"), seenSite("ABC", "a.com"))
        expect(await release("a.com")).toEqual({ kind: "released" })
        expect([await names("abc"), await names("ABC")]).toEqual([[], ["a.com"]])
        expect(await release("a.com")).toEqual({ kind: "absent" })
        const gone = await store.sites.release("gone", "a.com", byBuyer, at)
        expect(gone).toEqual({ kind: "absent" })
      })

      test("is limited to five in 30 days by the same releaser, and keeps test sites", async () => {
        for (const day of ["01", "02", "03", "04", "05"]) {
          await note(`2026-06-${day}`, seenSite("abc", `${day}.com`))
          expect(await release(`${day}.com`, byBuyer, onDay(`2026-06-${day}`))).toEqual({
            kind: "released",
          })
        }
        await note(today, seenSite("abc", "a.com"), seenSite("abc", "dev.a.com"))
        const day = 86_400
        expect(await release("a.com")).toEqual({ kind: "too_many", retryAfterSeconds: day })
        expect(await release("dev.a.com")).toEqual({ kind: "released" })
        expect((await names("abc")).toSorted()).toEqual(["a.com", "dev.a.com"])
        expect([await counted("abc"), await counted("ABC")]).toEqual([5, 0])
        expect(await counted("abc", "2026-07-01T12:00:00Z")).toBe(4)
        expect(await release("a.com", byBuyer, "2026-07-01T12:00:00Z")).toEqual({
          kind: "released",
        })
        await note(today, seenSite("abc", "b.com"), seenSite("abc", "c.com"))
        expect(await release("b.com", { releaser: "other", max: 5 })).toEqual({ kind: "released" })
        expect(await counted("abc", at, "other")).toBe(1)
        expect(await release("c.com", null)).toEqual({ kind: "released" })
      })
    })

    describe("limits", () => {
      test("are unset at first, and are returned with purchases", async () => {
        const limits = { sites: 1, byLicense: { Extended: 5, constructor: 2 } }
        expect(await store.sites.findLimits(1)).toEqual(noLimits)
        expect(await store.sites.putLimits(1, limits)).toBe(true)
        expect(await store.sites.findLimits(1)).toEqual(limits)
        expect(await store.sites.findLimits(2)).toEqual(noLimits)
        expect(await store.sites.putLimits(3, limits)).toBe(false)
        const ada = await accountId(store, "ada")
        const lastDays = async (site: string | null) =>
          (await store.purchases.listByCode(ada, "abc", site))
            .map(({ code, siteLimits, siteLastDay }) => [
              code,
              JSON.parse(siteLimits ?? "null"),
              siteLastDay,
            ])
            .toSorted()
        await note("2026-06-01", seenSite("abc", "a.com"))
        await note("2026-06-02", seenSite("ABC", "b.com"))
        const asked = [lastDays("a.com"), lastDays("b.com"), lastDays(null)]
        expect(await Promise.all(asked)).toEqual([
          [
            ["ABC", limits, null],
            ["abc", limits, "2026-06-01"],
          ],
          [
            ["ABC", limits, "2026-06-02"],
            ["abc", limits, null],
          ],
          [
            ["ABC", limits, null],
            ["abc", limits, null],
          ],
        ])
        await store.sites.putLimits(1, noLimits)
        expect((await lastDays("a.com"))[0]).toEqual(["ABC", null, null])
      })
    })

    test("a higher limit admits more sites than are recorded without one", async () => {
      const limit = sitesMax + 20
      const claimed = []
      for (let at = 0; at <= limit; at += 1) claimed.push(await claim(`${at}.com`, limit))
      expect(claimed).toEqual([...Array(limit).fill(true), false])
      expect(await names("abc")).toHaveLength(limit)
      expect(await claim("0.com", limit)).toBe(true)
    })

    test("lists the codes on the most sites of an item and of an account", async () => {
      await put(store, itemRecord("ada", 3), sold("ghi", 3), sold("jkl", 1))
      const on = (code: string, count: number, day = today) =>
        note(day, ...Array.from({ length: count }, (_, at) => seenSite(code, `${at}.${day}.com`)))
      await on("abc", 2)
      await on("ABC", 3)
      await on("def", 4)
      await on("ghi", 5)
      await on("jkl", 9, "2026-05-01")
      await on("jkl", 1)
      await note(today, seenSite("abc", "dev.a.com"))
      const list = (sites: number, of: { itemId: number } | { accountId: number }, rowsMax = 9) =>
        store.sites.listWidelyUsed(of, sites, at, rowsMax)
      const [abc, ABC, ghi] = [
        { code: "abc", itemId: 1, licenseType: "Regular", soldAt, sites: 2, siteLimit: null },
        { code: "ABC", itemId: 1, licenseType: "Extended", soldAt, sites: 3, siteLimit: null },
        { code: "ghi", itemId: 3, licenseType: "Regular", soldAt, sites: 5, siteLimit: null },
      ]
      expect(await list(1, { itemId: 1 })).toEqual([ABC, abc])
      expect(await list(2, { itemId: 1 })).toEqual([ABC])
      expect(await list(1, { itemId: 1 }, 1)).toEqual([ABC])
      const ada = { accountId: await accountId(store, "ada") }
      expect(await list(1, ada)).toEqual([ghi, ABC, abc])
      expect(await list(10, ada)).toEqual([])
      await on("ghi", 6, "2026-06-20")
      expect(await list(10, ada)).toEqual([{ ...ghi, sites: 11 }])
      await store.sites.release("ABC", `2.${today}.com`, null, at)
      expect(await list(2, { itemId: 1 })).toEqual([])
      expect([await store.sites.countPurchases(1), await store.sites.countPurchases(9)]).toEqual([
        ...[3, 0],
      ])
    })

    test("sites are kept when a feed changes, moves or renames a purchase, and are deleted with it", async () => {
      await note(today, seenSite("abc", "a.com"))
      await store.sites.putLimits(1, { sites: 1, byLicense: {} })
      await put(store, sold("abc", 1, "Extended"))
      await put(store, {
        type: "item",
        item: { id: 1, author: "bob", isHidden: true, body: itemBody(1) },
        wasAuthor: "ada",
      })
      expect(await names("abc")).toEqual(["a.com"])
      expect(await store.sites.findLimits(1)).toEqual({ sites: 1, byLicense: {} })
      await store.sites.release("abc", "a.com", { releaser: "buyer", max: 5 }, at)
      await note(today, seenSite("abc", "b.com"))
      await put(store, { type: "deleted purchase", code: "abc" })
      expect(await names("abc")).toEqual([])
      await put(store, sold("abc", 1))
      expect(await names("abc")).toEqual([])
    })

    test("deletes sites not seen for 400 days and old releases in batches", async () => {
      await note(
        "2026-06-30",
        seenSite("abc", "a.com"),
        seenSite("ABC", "a.com"),
        seenSite("def", "a.com"),
      )
      await note("2026-07-01", seenSite("abc", "b.com"))
      const forget = async (when: string) => {
        let batches = 1
        let after = await store.sites.deleteExpired(when, null, 1)
        for (; after !== null; batches++) after = await store.sites.deleteExpired(when, after, 1)
        return batches
      }
      expect(await forget("2027-08-04T12:00:00Z")).toBeGreaterThan(1)
      expect(await names("abc")).toHaveLength(2)
      await forget("2027-08-05T12:00:00Z")
      expect([await names("abc"), await names("ABC"), await names("def")]).toEqual([
        ...[["b.com"], [], []],
      ])
    })
  })
