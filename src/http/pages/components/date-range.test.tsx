import { expect, test } from "bun:test"
import { unescapeHtml } from "../../../../tests/harness/browser/docs-page.ts"
import { viewAt } from "../../../../tests/harness/http/page-views.ts"
import { paramsOfRange, parseListRange, parseRange, RangeNav } from "./date-range.tsx"

const at = "2026-06-30T12:00:00Z"
const spanOf = (query: Parameters<typeof parseRange>[0], retentionDays: number | null = 400) => {
  const { from, to, choice, isCut } =
    retentionDays === null ? parseListRange(query, at) : parseRange(query, at, retentionDays)
  return [from, to, choice, isCut]
}

test("the last 30 days are shown by default", () => {
  expect(spanOf({})).toEqual(["2026-06-01", "2026-06-30", 30, false])
  expect(spanOf({ days: "7" })).toEqual(["2026-06-24", "2026-06-30", 7, false])
  expect(spanOf({ days: "90" })).toEqual(["2026-04-02", "2026-06-30", 90, false])
  expect(spanOf({ days: "8; DROP", from: "2026-02-31", to: "x" })).toEqual(spanOf({}))
  expect(spanOf({ from: "0999-01-01" }, null)).toEqual(spanOf({}))
})

test("a custom range is sorted, not in the future, within the retention, and at most 92 days for a chart", () => {
  expect(spanOf({ from: "2026-06-03", to: "2026-06-05" })).toEqual([
    "2026-06-03",
    "2026-06-05",
    null,
    false,
  ])
  expect(spanOf({ from: "2026-06-05", to: "2026-06-03" }).slice(0, 2)).toEqual([
    "2026-06-03",
    "2026-06-05",
  ])
  expect(spanOf({ from: "2026-06-29" })).toEqual(["2026-06-29", "2026-06-30", null, false])
  expect(spanOf({ to: "2026-06-15" })).toEqual(["2026-05-17", "2026-06-15", null, false])
  expect(spanOf({ from: "2026-06-30", to: "2999-01-01" }).slice(0, 2)).toEqual([
    "2026-06-30",
    "2026-06-30",
  ])
  expect(spanOf({ from: "1999-01-01", to: "2025-06-01" })).toEqual([
    "2025-05-27",
    "2025-06-01",
    null,
    false,
  ])
  expect(spanOf({ from: "2025-06-01", to: "2026-06-30" })).toEqual([
    "2026-03-31",
    "2026-06-30",
    null,
    true,
  ])
  expect(spanOf({ from: "2025-06-01", to: "2026-06-30" }, null)).toEqual([
    "2025-06-01",
    "2026-06-30",
    null,
    false,
  ])
  expect(spanOf({ from: "2019-01-01", to: "2019-01-02" }, null).slice(0, 2)).toEqual([
    "2019-01-01",
    "2019-01-02",
  ])
})

const view = viewAt("/workspace", "en")

test("the parameters of a range parse to the same range", () => {
  for (const query of [{ days: "90" }, { from: "2026-06-03", to: "2026-06-05" }]) {
    expect(paramsOfRange(parseRange(query, at, 400))).toEqual(query)
  }
})

test("each choice is a link, the current one is marked, and the form is open for a custom range", () => {
  const show = (query: Parameters<typeof parseRange>[0]) =>
    String(
      RangeNav({
        view,
        range: parseRange(query, at, 400),
        linkTo: (params) => `/workspace?${new URLSearchParams(params)}`,
      }),
    )
  const links = (page: string) => [...page.matchAll(/<a href="([^"]*)"( aria-current="page")?>/g)]
  expect(
    links(show({ days: "7" })).map(([, path, current]) => [path, current !== undefined]),
  ).toEqual([
    ["/workspace?days=7", true],
    ["/workspace?days=30", false],
    ["/workspace?days=90", false],
  ])
  expect(show({ days: "7" })).toContain("<details><summary>")
  expect(show({ from: "2026-06-03" })).toContain('<details open=""><summary>')
})

test("the page has the days that it shows, the time zone and the retention", () => {
  const range = parseRange({ from: "2025-06-01", to: "2026-06-30" }, at, 400)
  const page = String(RangeNav({ view, range, linkTo: () => "/workspace?key=1#calls" }))
  const text = unescapeHtml(page.replaceAll(/<[^>]*>/g, ""))
  const texts = view.texts.range
  const [shown, inUtc] = [
    texts.shown("Mar 31, 2026", "Jun 30, 2026"),
    texts.inUtc("Jun 30, 2026, 12:00 AM UTC"),
  ]
  expect(text).toContain(`${shown} ${inUtc} ${texts.daysMax(92)} ${texts.retention(400)}`)
  expect(page).toContain('<time datetime="2026-06-30T00:00:00Z" data-form="datetime"')
  expect(page).toContain('action="/workspace#calls"')
  expect(page).toContain('<input type="hidden" name="key" value="1"')
})
