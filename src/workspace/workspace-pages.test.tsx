import { expect, test } from "bun:test"
import { unescapeHtml } from "../../tests/harness/browser/docs-page.ts"
import { textOf, viewAt } from "../../tests/harness/http/page-views.ts"
import {
  ConfirmLimitsPage,
  parseSiteLimitsForm,
  readSiteLimitsForm,
  SiteLimitsPanel,
  siteLimitsFormValuesOf,
} from "../items/item-pages.tsx"
import type { Locale } from "../platform/locale.ts"
import { createForm } from "../platform/pages/context.ts"
import { dictionaries } from "../platform/pages/translations/texts.ts"
import { daysOf } from "../platform/time.ts"
import { PurchaseSites } from "../purchases/purchase-sites.tsx"
import { RequestsChart } from "../usage/request-chart.tsx"

const viewIn = (locale: Locale) => viewAt("/workspace/ada", locale)

const { en } = dictionaries
const shownOf = (page: unknown) => unescapeHtml(textOf(page))

test("bars and numbers link to their failed requests, and errors have a scale of their own", () => {
  const range = { from: "2026-06-16", to: "2026-06-22", choice: 7, today: "2026-06-22" } as const
  const calls = { ok: 5_000, invalidCodes: 200, clientErrors: 1, serverErrors: 1 }
  const shown = {
    view: viewIn("en"),
    range,
    days: daysOf(range).map((day) => ({ day, ...calls })),
    logPath: "/workspace/ada/log",
    keyId: "key_1",
  }
  const chart = String(RequestsChart(shown))
  const links = [...chart.matchAll(/href="([^"]*)"/g)].map(([, path = ""]) =>
    path.replaceAll("&amp;", "&"),
  )
  const path = "/workspace/ada/log?key=key_1"
  expect(links.filter((each) => !each.includes("kind"))).toEqual(
    [0, 1].flatMap(() => daysOf(range).map((day) => `${path}&from=${day}&to=${day}`)),
  )
  expect(links).toContain("/workspace/ada/log?kind=codes&key=key_1&days=7")
  expect(links).toContain("/workspace/ada/log?kind=errors&key=key_1&from=2026-06-16&to=2026-06-16")
  const scales = [...chart.matchAll(/<div class="scale"[^>]*><span>([^<]*)</g)]
  expect(scales.map(([, top]) => top)).toEqual(["6,000", "2"])
})

const day = (site: string, lastDay: string, isTest = false) => ({
  site,
  firstDay: "2026-01-02",
  lastDay,
  isTest,
})
const at = "2026-06-22T08:00:00Z"

test.each([
  ["en", "Jan 2, 2026 Jun 20, 2026"],
  ["tr", "2 Oca 2026 20 Haz 2026"],
] as const)("sites without a slot are marked (%s)", (locale, days) => {
  const texts = dictionaries[locale].sites
  const sites = [
    day("shop.com", "2026-06-20"),
    day("old.com", "2026-05-20"),
    day("dev.shop.com", "2026-06-20", true),
  ]
  const shown = {
    view: viewIn(locale),
    path: "/",
    mayRelease: true,
    mayLimit: true,
    released: null,
    sites,
    limit: 2,
    ownLimit: null,
    at,
  }
  const page = shownOf(PurchaseSites(shown))
  const { active, unused, test } = texts.states
  expect(page).toContain(texts.usedOf(1, 2))
  expect(page).toContain(`shop.com ${days} ${active} ${texts.release} shop.com`)
  expect(page).toMatch(new RegExp(`old\\.com [^]* ${unused} ${texts.release} old\\.com`))
  expect(page).toContain(`dev.shop.com ${days} ${test} `)
})

test("a purchase without sites has nothing to release", () => {
  const shown = {
    view: viewIn("en"),
    path: "/",
    mayRelease: true,
    mayLimit: true,
    released: null,
    sites: [],
    limit: null,
    ownLimit: null,
    at,
  }
  const page = PurchaseSites(shown)
  expect(shownOf(page)).toContain(en.sites.none)
  expect(String(page)).not.toContain(en.sites.releaseAll)
})

test.each([
  [{ sites: 1, byLicense: {} }, en.sites.limit.over(14, 812, 1)],
  [{ sites: 1, byLicense: { Extended: 5 } }, en.sites.limit.over(14, 812, null)],
])("the effect of a site limit is shown before it is saved: %j", (limits, sentence) => {
  const shown = { itemId: 7, limits, over: 14, purchases: 812 }
  const page = ConfirmLimitsPage({
    view: viewIn("en"),
    values: siteLimitsFormValuesOf(limits),
    ...shown,
  })
  expect(shownOf(page)).toContain(sentence)
  expect(sentence.match(/\d+/g)).toEqual(expect.arrayContaining(["14", "812"]))
})

test("both forms of a site limit submit the entered values", () => {
  const limits = { sites: 1, byLicense: { Extended: 5, "Site & Co": 7 } }
  const shown = {
    view: viewIn("en"),
    values: siteLimitsFormValuesOf(limits),
    limits,
    over: 0,
    purchases: 0,
  }
  const forms = [
    SiteLimitsPanel({ ...shown, itemId: 7, codes: [] }),
    ConfirmLimitsPage({ ...shown, itemId: 7 }),
  ]
  for (const form of forms) {
    const fields = String(form).matchAll(/name="(li\w+)"[^>]* value="([^"]*)"/g)
    const sent = [...fields].map(([, name, value = ""]) => [name, value.replaceAll("&amp;", "&")])
    const values = readSiteLimitsForm(createForm(Object.fromEntries(sent)))
    expect(parseSiteLimitsForm(values)).toEqual(limits)
  }
})
