import { expect, test } from "bun:test"
import { unescapeHtml } from "../../../tests/harness/browser/docs-page.ts"
import { textOf, viewAt } from "../../../tests/harness/http/page-views.ts"
import type { LoggedRequest } from "../../domain/usage/failed-requests.ts"
import type { Failure } from "../../domain/values/error.ts"
import type { Locale } from "../../domain/values/locale.ts"
import { lastDays } from "../../domain/values/time/timestamp.ts"
import { PurchaseSites } from "../pages/components/purchase-sites.tsx"
import { linkToLog, UsageChart } from "../pages/components/usage-chart.tsx"
import { createForm } from "../pages/page-context.ts"
import type { LogFilter } from "../pages/paths.ts"
import { dictionaries } from "../pages/translations/texts.ts"
import { LogPage } from "./log-page.tsx"
import {
  ConfirmLimitsPage,
  parseSiteLimitsForm,
  readSiteLimitsForm,
  SiteLimitsPanel,
  siteLimitsFormValuesOf,
} from "./site-limits-panel.tsx"

const viewIn = (locale: Locale) => viewAt("/workspace", locale)

const { en, tr } = dictionaries
const shownOf = (page: unknown) => unescapeHtml(textOf(page))

const attack = `"><script>alert(1)</script>`
const call: LoggedRequest = {
  accountId: 1,
  username: "ada",
  keyId: "key_1",
  keyName: `Tema ${attack}`,
  keyKind: "sk",
  operation: "validate_purchase",
  reason: "unknown_code",
  ipRange: "192.0.2.0/24",
  code: `own ${attack}`,
  firstAt: "2026-06-22T08:00:00Z",
  lastAt: "2026-06-22T09:30:00Z",
  calls: 1_234,
}
const showLog = (
  locale: Locale,
  log: readonly LoggedRequest[],
  filter: LogFilter = {},
  page = 1,
): string =>
  String(
    LogPage({
      view: viewIn(locale),
      filter,
      log,
      days: lastDays("2026-06-22T12:00:00Z", 7),
      page,
    }),
  )

test("an entry of the log has time, key, error, remedy and count", () => {
  const mainOf = (page: string) => shownOf(page.split("</thead>")[1])
  const page = showLog("en", [{ ...call, keyName: "Tema", code: "8f14…3e21" }])
  const times = page.split("</thead>")[1]?.matchAll(/datetime="([^"]*)"/g) ?? []
  expect([...times].map(([, time]) => time)).toEqual([call.lastAt, call.firstAt])
  const { unknown_code } = en.log.errors
  expect(mainOf(page)).toContain(
    `Tema ${en.keyPages.operations.validate_purchase} ${unknown_code.what} ${unknown_code.todo} 192.0.2.0/24 8f14…3e21 1,234`,
  )
  const several = mainOf(showLog("tr", [{ ...call, ipRange: "", code: "" }]))
  const { what, todo } = tr.log.errors.unknown_code
  expect(several).toContain(`${what} ${todo} ${tr.log.severalIpRanges} ${tr.log.noCode} 1.234`)
})

test("a code of an item outside the key's scope is not reported as unknown", () => {
  const own = { ...call, keyName: "Tema", code: "8f14-77aa" }
  for (const [locale, { log, overview }] of [["en", en] as const, ["tr", tr] as const]) {
    const page = showLog(locale, [own])
    expect(shownOf(page)).toContain(
      `${log.otherItem.what} ${log.otherItem.todo} ${overview.seeKey}`,
    )
    expect(page).toMatch(/<span class="hint">[^<]* <a href="[^"]*key_1">/)
    expect(shownOf(page)).not.toContain(log.errors.unknown_code.what)
  }
})

const explanationOf = (explanation: Readonly<{ what: string; todo: string }> | undefined) =>
  `${explanation?.what} ${explanation?.todo}`

test("rate-limited validations are explained by invalid codes or keys", () => {
  const { errors, validationErrors } = en.log
  const page = shownOf(showLog("en", [{ ...call, reason: "rate_limited" }]))
  expect(page).toContain(explanationOf(validationErrors.rate_limited))
  expect(page).not.toContain(errors.rate_limited.todo)
  const read = { ...call, operation: "read_item", reason: "rate_limited" } as const
  expect(shownOf(showLog("en", [read]))).toContain(explanationOf(errors.rate_limited))
})

test("an entry about a release does not report the code as invalid", () => {
  const release = { ...call, operation: "release_site" as const }
  const { errors, releaseErrors } = en.log
  const page = shownOf(showLog("en", [release]).split("</thead>")[1])
  expect(page).toContain(
    `${en.keyPages.operations.release_site} ${explanationOf(releaseErrors.unknown_code)}`,
  )
  expect(page).not.toContain(errors.unknown_code.todo)
  const limited = shownOf(showLog("en", [{ ...release, reason: "rate_limited" }]))
  expect(limited).toContain(explanationOf(releaseErrors.rate_limited))
  expect(limited).not.toContain(errors.rate_limited.todo)
})

test("texts of an entry are escaped", () => {
  const hostile = { ...call, ipRange: attack }
  const page = showLog("en", [hostile], { key: attack }) + showLog("en", [hostile])
  expect(page).not.toContain("<script>alert")
  expect(page).toContain("own &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;")
  expect(page).toContain("Tema &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;")
})

test("a full log has pages of 50 entries, each under 100 KB", () => {
  const reasons = Object.keys(en.log.errors) as readonly Failure[] // its own names
  const log = Array.from({ length: 500 }, (_, nth) => ({
    ...call,
    keyName: "W".repeat(100),
    code: `${nth}:${"ü".repeat(250)}`,
    reason: reasons[nth % reasons.length] ?? call.reason,
  }))
  const pages = Array.from({ length: 11 }, (_, index) => showLog("tr", log, {}, index + 1))
  const codes = pages.map((page) =>
    [...page.matchAll(/<bdi class="mono">(\d+):/g)].map(([, nth]) => Number(nth)),
  )
  expect(codes.slice(0, 10).flat()).toEqual(log.map((_, nth) => nth))
  // Page numbers beyond the last page show the last page.
  expect(codes[10]).toEqual(codes[9] ?? [])
  expect(Math.max(...pages.map((page) => Buffer.byteLength(page)))).toBeLessThan(100_000)
})

test("a day before the retention of the log is reported as too old", () => {
  expect(shownOf(showLog("en", [call], { day: "2026-06-01" }))).toContain(en.log.expired)
  expect(shownOf(showLog("en", [call], { day: "2026-06-21" }))).toContain(en.log.none)
})

test("bars and numbers of the last seven days link to their log entries", () => {
  const days = lastDays("2026-06-22T12:00:00Z", 30).map((day) => ({
    day,
    ok: 5,
    invalidCodes: 2,
    clientErrors: 1,
    serverErrors: 1,
  }))
  const linksOf = (chart: unknown) =>
    [...String(chart).matchAll(/href="([^"]*)"/g)].map(([, path = ""]) =>
      path.replaceAll("&amp;", "&"),
    )
  const chart = {
    view: viewIn("en"),
    days,
    today: "2026-06-22",
    names: en.overview.groups,
    caption: String,
    empty: "",
  }
  const linkTo = linkToLog({ key: "key_1" }, chart.today)
  const links = linksOf(UsageChart({ ...chart, linkTo }))
  const path = "/workspace/log?key=key_1"
  expect(links.filter((each) => !each.includes("show"))).toEqual(
    days.slice(-7).map(({ day }) => `${path}&day=${day}`),
  )
  expect(links).toContain(`${path}&show=codes`)
  expect(links).toContain(`${path}&day=2026-06-16&show=errors`)
  expect(links.some((each) => each.includes("2026-06-15"))).toBe(false)
  expect(linksOf(UsageChart(chart))).toEqual([])
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
])("the effect of a site limit is shown before it is saved: %p", (limits, sentence) => {
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
