import { expect, test } from "bun:test"
import { unescapeHtml } from "../../tests/harness/browser/docs-page.ts"
import { renderIn, textOf, viewAt } from "../../tests/harness/http/page-views.ts"
import type { Locale } from "../platform/locale.ts"
import { createForm } from "../platform/pages/context.ts"
import { inLocale, t } from "../platform/t.ts"
import { daysOf } from "../platform/time.ts"
import {
  ConfirmLimitsPage,
  parseSiteLimitsForm,
  readSiteLimitsForm,
  SiteLimitsPanel,
  siteLimitsFormValuesOf,
} from "../purchases/item-panels.tsx"
import { PurchaseSites } from "../purchases/purchase-sites.tsx"
import { RequestsChart } from "../usage/request-chart.tsx"

const viewIn = (locale: Locale) => viewAt("/workspace/ada", locale)
const render = (page: () => unknown, locale: Locale = "en") => renderIn(viewIn(locale), page)
const shownOf = (page: string) => unescapeHtml(textOf(page))

test("bars and numbers link to their failed requests, and errors have a scale of their own", () => {
  const range = { from: "2026-06-16", to: "2026-06-22", choice: 7, today: "2026-06-22" } as const
  const calls = { ok: 5_000, invalidCodes: 200, clientErrors: 1, serverErrors: 1 }
  const shown = {
    range,
    days: daysOf(range).map((day) => ({ day, ...calls })),
    logPath: "/workspace/ada/log",
    keyId: "key_1",
  }
  const chart = render(() => RequestsChart(shown))
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
  const sites = [
    day("shop.com", "2026-06-20"),
    day("old.com", "2026-05-20"),
    day("dev.shop.com", "2026-06-20", true),
  ]
  const shown = {
    path: "/",
    mayRelease: true,
    mayLimit: true,
    released: null,
    sites,
    limit: 2,
    ownLimit: null,
    at,
  }
  const page = shownOf(render(() => PurchaseSites(shown), locale))
  expect(page).toContain(
    inLocale(locale, () =>
      t("Active on {n site|sites}. The site limit is {limit}.", { n: 1, limit: 2 }),
    ),
  )
  expect(page).toContain(
    `shop.com ${days} ${inLocale(locale, () => t("Active"))} ${inLocale(locale, () => t("Release"))} shop.com`,
  )
  expect(page).toMatch(
    new RegExp(
      `old\\.com [^]* ${inLocale(locale, () => t("Unused"))} ${inLocale(locale, () => t("Release"))} old\\.com`,
    ),
  )
  expect(page).toContain(`dev.shop.com ${days} ${inLocale(locale, () => t("Test site"))} `)
})

test("a purchase without sites has nothing to release", () => {
  const shown = {
    path: "/",
    mayRelease: true,
    mayLimit: true,
    released: null,
    sites: [],
    limit: null,
    ownLimit: null,
    at,
  }
  const page = render(() => PurchaseSites(shown))
  expect(shownOf(page)).toContain(
    "No sites yet. A site appears here when your product validates the code and sends the site.",
  )
  expect(page).not.toContain("Release all sites")
})

test.each([
  [{ sites: 1, byLicense: {} }, "14 of 812 purchases are on more than 1 site today."],
  [
    { sites: 1, byLicense: { Extended: 5 } },
    "14 of 812 purchases are on more sites than that today.",
  ],
])("the effect of a site limit is shown before it is saved: %j", (limits, sentence) => {
  const shown = { itemId: 7, limits, over: 14, purchases: 812 }
  const values = siteLimitsFormValuesOf(limits)
  const page = render(() => ConfirmLimitsPage({ values, ...shown }))
  expect(shownOf(page)).toContain(sentence)
  expect(sentence.match(/\d+/g)).toEqual(expect.arrayContaining(["14", "812"]))
})

test("both forms of a site limit submit the entered values", () => {
  const limits = { sites: 1, byLicense: { Extended: 5, "Site & Co": 7 } }
  const shown = {
    values: siteLimitsFormValuesOf(limits),
    limits,
    over: 0,
    purchases: 0,
  }
  const forms = [
    render(() => SiteLimitsPanel({ ...shown, itemId: 7, codes: [] })),
    render(() => ConfirmLimitsPage({ ...shown, itemId: 7 })),
  ]
  for (const form of forms) {
    const fields = form.matchAll(/name="(li\w+)"[^>]* value="([^"]*)"/g)
    const sent = [...fields].map(([, name, value = ""]) => [name, value.replaceAll("&amp;", "&")])
    const values = readSiteLimitsForm(createForm(Object.fromEntries(sent)))
    expect(parseSiteLimitsForm(values)).toEqual(limits)
  }
})
