import { expect, test } from "bun:test"
import { unescapeHtml } from "../../../tests/harness/browser/docs-page.ts"
import { renderIn, textOf, viewAt } from "../../../tests/harness/http/page-views.ts"
import { paramsOfRange, parseListRange, parseRange, RangeBar } from "./date-range.tsx"

const at = "2026-06-30T12:00:00Z"
type Query = Parameters<typeof parseRange>[0]
const parse = (query: Query, read = parseRange) => {
  const { from, to, choice } = read(query, at)
  return [from, to, choice]
}
const list = (query: Query) => parse(query, parseListRange)

test("charts show the last 7 days by default, lists the last 30", () => {
  expect(parse({})).toEqual(["2026-06-24", "2026-06-30", 7])
  expect(list({})).toEqual(["2026-06-01", "2026-06-30", 30])
  expect(parse({ days: "30" })).toEqual(list({}))
  expect(parse({ days: "90" })).toEqual(["2026-04-02", "2026-06-30", 90])
  expect(parse({ days: "8; DROP", from: "2026-02-31", to: "x" })).toEqual(parse({}))
  expect(list({ from: "0999-01-01" })).toEqual(list({}))
})

test.each([
  [{ from: "2026-06-03", to: "2026-06-05" }, ["2026-06-03", "2026-06-05"]],
  [{ from: "2026-06-05", to: "2026-06-03" }, ["2026-06-03", "2026-06-05"]],
  [{ from: "2026-06-29" }, ["2026-06-29", "2026-06-30"]],
  [{ to: "2026-06-15" }, ["2026-06-09", "2026-06-15"]],
  [{ from: "2026-06-30", to: "2999-01-01" }, ["2026-06-30", "2026-06-30"]],
  [{ from: "1999-01-01", to: "2025-06-01" }, ["2025-05-27", "2025-06-01"]],
  [{ from: "2025-06-01", to: "2026-06-30" }, ["2025-06-01", "2026-06-30"]],
])("a custom range is sorted, not in the future, and within the retention: %j", (query, days) => {
  expect(parse(query)).toEqual([...days, null])
})

test("a list has no retention", () => {
  expect(list({ from: "2019-01-01", to: "2019-01-02" })).toEqual(["2019-01-01", "2019-01-02", null])
})

test("the parameters of a range parse to the same range", () => {
  for (const query of [{ days: "90" }, { from: "2026-06-03", to: "2026-06-05" }]) {
    expect(paramsOfRange(parseRange(query, at))).toEqual(query)
  }
})

test("the range is marked in the switch, with its days and the time zone", () => {
  const show = (query: Query) =>
    renderIn(viewAt("/workspace/ada", "en"), () => RangeBar({ range: parseRange(query, at) }))
  const chosenOf = (page: string) => /<option value="(\w+)" selected/.exec(page)?.[1]
  const custom = show({ from: "2026-06-03" })
  expect([{ days: "30" }, {}].map((query) => chosenOf(show(query)))).toEqual(["30", "7"])
  expect(chosenOf(custom)).toBe("custom")
  expect(unescapeHtml(textOf(custom))).toContain("Jun 3, 2026 – Jun 30, 2026, UTC")
})
