import { beforeEach, describe, expect, test } from "bun:test"
import type { ReleasedCodes } from "../domain/catalogue/sites.ts"
import { createPurchaseNotes, type PurchaseNotes } from "./purchase-notes.ts"

const today = Date.parse("2026-06-15T12:59:58Z")
const tomorrow = today + 86_400_000

let released: ReleasedCodes
let notes: PurchaseNotes
beforeEach(() => {
  released = []
  notes = createPurchaseNotes(() => {
    const taken = released
    released = []
    return taken
  })
})

const validateOn = (code: string, site: string, nowMs = today) =>
  notes.add({ code, itemId: 7, sighting: { code, site, isLimited: false } }, nowMs)
const takeSites = () => notes.take().sites.map(({ code, site }) => `${code} ${site}`)

describe("sites", () => {
  test("are noted once a day for each code", () => {
    for (const site of ["a.com", "b.com", "a.com"]) validateOn("a", site)
    validateOn("b", "a.com")
    expect(takeSites()).toEqual(["a a.com", "a b.com", "b a.com"])
    validateOn("b", "a.com")
    expect(takeSites()).toEqual([])
    validateOn("b", "a.com", tomorrow)
    expect(takeSites()).toEqual(["b a.com"])
  })

  test("of one write are at most 200, and 20 of each code", () => {
    for (let at = 0; at < 100; at += 1) validateOn("a", `${at}.com`)
    for (let at = 0; at < 600; at += 1) validateOn(`code-${at}`, "a.com")
    const taken = takeSites()
    expect(taken).toHaveLength(200)
    expect(taken.filter((each) => each.startsWith("a "))).toHaveLength(20)
    validateOn("a", "99.com")
    expect(takeSites()).toEqual(["a 99.com"])
  })

  test("and the code itself are noted again once a feed removed the code and brought it back", () => {
    const validate = (code: string) => notes.add({ code, itemId: 7 }, today)
    validateOn("a", "a.com")
    validate("b")
    expect(notes.take()).toMatchObject({ codes: ["a", "b"], sites: [{ code: "a" }] })
    released = ["b", "a"]
    validate("b")
    validateOn("a", "a.com")
    expect(notes.take()).toMatchObject({ codes: ["b", "a"], sites: [{ code: "a" }] })
    validate("b")
    validateOn("a", "a.com")
    expect(notes.take()).toEqual({ codes: [], sites: [] })
  })

  test("of a code are noted again after a release, and those of other codes are not", () => {
    const validateOnAll = () => {
      for (const site of ["a.com", "b.com"]) validateOn("a", site)
      validateOn("b", "a.com")
      return takeSites()
    }
    validateOnAll()
    for (let times = 0; times < 3; times += 1) {
      released = ["a", "c"]
      expect(validateOnAll()).toEqual(["a a.com", "a b.com"])
      expect(validateOnAll()).toEqual([])
    }
    released = "all"
    expect(validateOnAll()).toEqual(["a a.com", "a b.com", "b a.com"])
    expect(validateOnAll()).toEqual([])
  })

  test("are known once they were noted", () => {
    expect(notes.has("a", "a.com")).toBe(false)
    validateOn("a", "a.com")
    takeSites()
    expect([notes.has("a", "a.com"), notes.has("a", "b.com")]).toEqual([true, false])
  })
})
