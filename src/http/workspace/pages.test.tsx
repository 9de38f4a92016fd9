/** Pages of the workspace as functions of their data. */
import { expect, test } from "bun:test"
import { keyRecord } from "../../store/contracts/store-records.ts"
import type { Locale } from "../api/answer/messages.ts"
import { consoleCatalogues } from "../console/frame/console-context.ts"
import { assetPaths, assets } from "../pages/assets.ts"
import { createForm } from "../pages/page-context.ts"
import { PurchaseSites } from "../pages/parts/sites.tsx"
import { catalogues, type View } from "../pages/view.ts"
import { KeyUse } from "./keys/key-use.tsx"
import { KeyTable } from "./keys/keys.tsx"
import {
  ConfirmLimitsPage,
  parseTypedLimits,
  readTypedLimits,
  SiteLimitsPanel,
  typedOf,
} from "./site-limits.tsx"

const viewIn = (locale: Locale): View => ({
  site: { name: "Pazar", supportUrl: null, signInUrl: null },
  locale,
  words: catalogues[locale],
  path: "/workspace",
  author: { username: "ada", name: "Ada" },
  formToken: "",
  notice: null,
})
const textOf = (page: unknown) =>
  String(page)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")

const key = keyRecord("key_1")

test("a key without an end never expires, and one without a call was not used yet", () => {
  const row = { key, state: "active", usage: null, mask: "mask", secret: null } as const
  const tell = (locale: Locale) =>
    textOf(KeyTable({ view: viewIn(locale), rows: [row], focusedId: null }))
  expect(tell("en")).toContain("mask Not yet 0 Never")
  expect(tell("tr")).toContain("mask Henüz yok 0 Süresiz")
})

test("a list of networks that is shorter than their number says so", () => {
  const operations = [{ operation: "read_item", calls: 1, ok: 1, refused: 0, failed: 0 }] as const
  const latest = { network: "192.0.2.0/24", lastUsedAt: "2026-06-22T08:00:00Z" }
  const networks = [{ ...latest, operations, isEstimate: false }]
  const details = { days: [], operations, networks, items: [], otherItemCalls: 0 }
  const mostUsed = { items: [], others: 0 }
  const tell = (locale: Locale, all: number) =>
    textOf(KeyUse({ view: viewIn(locale), details, networks: all, mostUsed, isTest: false }))
  expect(tell("en", 60)).toContain("Used from 60 networks this week. The latest 1 ")
  expect(tell("tr", 60)).toContain("Bu hafta 60 ağdan kullanıldı. En son kullanılan 1 ağ")
  expect(tell("en", 1)).not.toContain("The latest")
})

/** Every text in it; those with a number or name in them are left out. */
const textsIn = (words: unknown): readonly string[] => {
  if (typeof words === "string") return [words]
  return typeof words === "object" && words !== null ? Object.values(words).flatMap(textsIn) : []
}

test("no text holds a backtick, which pages other than the documentation show as it is", () => {
  const ofPages = Object.values(catalogues).map(({ docs: _, ...words }) => words)
  const texts = textsIn([ofPages, consoleCatalogues])
  expect(texts.length).toBeGreaterThan(500)
  expect(texts.filter((text) => text.includes("`"))).toEqual([])
})

test("Turkish tells a hidden item from a secret key, and replaced from edited", () => {
  const { items, keys } = catalogues.tr
  expect(keys.shortKinds.sk).toBe("Gizli")
  expect(textsIn(items).filter((text) => /gizli/i.test(text))).toEqual([])
  expect(keys.state.ending).toBe("Yenisiyle değiştirildi")
})

test("menus, forms and buttons are not printed", () => {
  const style = assets.find(({ path }) => path === assetPaths.style)?.text ?? ""
  const [, printed = ""] = style.split("@media print")
  const hidden = /([^{}]+){\s*display:\s*none;?\s*}/.exec(printed)?.[1]?.split(/[\s,]+/) ?? []
  expect(hidden).toEqual(expect.arrayContaining([".rail", ".public-bar", "nav", "form", "button"]))
})

const day = (site: string, lastDay: string, isTest = false) => ({
  site,
  firstDay: "2026-01-02",
  lastDay,
  isTest,
})
const at = "2026-06-22T08:00:00Z"

test.each([
  [
    "en",
    "In use on 1 site. The limit is 2.",
    "shop.com Jan 2, 2026 Jun 20, 2026 Release shop.com",
    "old.com Not counted",
    "Test sites",
  ],
  [
    "tr",
    "1 sitede kullanılıyor. Sınır: 2 site.",
    "shop.com 2 Oca 2026 20 Haz 2026 Bırak shop.com",
    "old.com Sayılmıyor",
    "Test siteleri",
  ],
] as const)("sites that use no place are told apart (%s)", (locale, used, row, old, testing) => {
  const sites = [
    day("shop.com", "2026-06-20"),
    day("old.com", "2026-05-20"),
    day("dev.shop.com", "2026-06-20", true),
  ]
  const page = PurchaseSites({ view: viewIn(locale), action: "/", sites, limit: 2, at })
  const text = textOf(page)
  for (const part of [used, row, old]) expect(text).toContain(part)
  expect(text.indexOf(testing)).toBeGreaterThan(text.indexOf(old))
  expect(text.indexOf("dev.shop.com")).toBeGreaterThan(text.indexOf(testing))
})

test("a purchase without sites has nothing to release", () => {
  const page = PurchaseSites({ view: viewIn("en"), action: "/", sites: [], limit: null, at })
  expect(textOf(page)).toContain("In use on 0 sites. There is no limit. No site yet.")
  expect(String(page)).not.toContain("<button")
})

test.each([
  [{ sites: 1, byLicense: {} }, "14 of 812 purchases are on more than 1 site today."],
  [{ sites: 1, byLicense: { Extended: 5 } }, "14 of 812 purchases are on more sites than that"],
])("what a limit would do stands before it is saved: %p", (limits, told) => {
  const shown = { item: { id: 7, name: "Tide" }, limits, over: 14, purchases: 812 }
  const page = ConfirmLimitsPage({ view: viewIn("en"), typed: typedOf(limits), ...shown })
  expect(textOf(page)).toContain(told)
})

test("both forms of a limit send what was typed", () => {
  const limits = { sites: 1, byLicense: { Extended: 5, "Site & Co": 7 } }
  const shown = { view: viewIn("en"), typed: typedOf(limits), limits, over: 0, purchases: 0 }
  const forms = [
    SiteLimitsPanel({ ...shown, itemId: 7, codes: [] }),
    ConfirmLimitsPage({ ...shown, item: { id: 7, name: "Tide" } }),
  ]
  for (const form of forms) {
    const fields = String(form).matchAll(/name="(li\w+)"[^>]* value="([^"]*)"/g)
    const sent = [...fields].map(([, name, value = ""]) => [name, value.replaceAll("&amp;", "&")])
    const typed = readTypedLimits(createForm(Object.fromEntries(sent)))
    expect(parseTypedLimits(typed)).toEqual(limits)
  }
})
