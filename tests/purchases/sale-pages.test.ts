import { afterAll, beforeAll, expect, test } from "bun:test"
import { inLocale, t } from "../../src/platform/t.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import {
  openSignedIn,
  openVisitor,
  type Visitor,
  withoutFormTokens,
} from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { addUsage } from "../harness/stores/store-records.ts"

const salesPath = "/workspace/elif/sales"
const now = () => new Date("2026-06-30T12:00:00Z")
const codeOf = (nth: number) => `8f14e45f-ceea-467f-9b2c-${String(nth).padStart(12, "0")}`
const soldAt = (nth: number) =>
  `${new Date(now().getTime() - nth * 3_600_000).toISOString().slice(0, 19)}Z`

let program: Program
let elif: Visitor
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" }, {}, undefined, now)
  await program.load([
    ...[account("elif"), account("marcus"), item("elif", 1), item("elif", 2), item("marcus", 3)],
    ...Array.from({ length: 60 }, (_, nth) =>
      purchase(codeOf(nth), 1 + (nth % 2), {
        date: soldAt(nth),
        buyer: nth === 40 ? "Şule IŞIK" : `=cmd|' /C calc'!A${nth}`,
        revoked: nth === 50,
      }),
    ),
    purchase("older", 1, { date: "2024-02-03T04:05:06Z" }),
    purchase("of-marcus", 3, { date: soldAt(0), buyer: "Şule IŞIK" }),
  ])
  for (const name of ["elif", "marcus"]) await givePassword(program, name)
  elif = await openSignedIn(program.url, "elif")
})
afterAll(() => program.close())

const codesOn = (text: string) =>
  [...text.matchAll(/<td class="code"[^>]*><a class="row-link"[^>]*><bdi>([^<]*)</g)].map(
    ([, code]) => code,
  )
const linkOn = (text: string, rel: string) =>
  new RegExp(`rel="${rel}" href="([^"]*)"`).exec(text)?.[1]?.replaceAll("&amp;", "&")

test("200: older sales follow page by page, each once", async () => {
  const codes: (string | undefined)[] = []
  let path: string | undefined = `${salesPath}?days=all`
  for (let page = 0; path !== undefined && page < 5; page += 1) {
    const { text } = await elif.get(path)
    codes.push(...codesOn(text))
    path = linkOn(text, "next")
    expect(path ?? "").not.toContain("8f14e45f")
  }
  expect(codes).toEqual([...Array.from({ length: 60 }, (_, nth) => codeOf(nth)), "older"])
})

/** The numbers above the list, and the first and the last bar of the chart. */
function headOn(text: string) {
  const [, totals = ""] = /<ul class="totals">(.*?)<\/ul>/s.exec(text) ?? []
  const bars = [...text.matchAll(/<a class="bar" href="([^"]*)"/g)].map(([, href = ""]) => {
    const query = new URL(href.replaceAll("&amp;", "&"), "http://localhost").searchParams
    return [query.get("from"), query.get("to")]
  })
  return {
    totals: [...unescapeHtml(totals).matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(([, each]) => each),
    bars: [bars.at(0), bars.at(-1)],
    count: bars.length,
  }
}

test("200: days, item and state filter the list, its totals and its chart", async () => {
  const { text } = await elif.get(
    `${salesPath}?from=2026-06-28&to=2026-06-28&item=1&state=refunded`,
  )
  expect(codesOn(text)).toEqual([codeOf(50)])
  const { totals, bars } = headOn(text)
  expect([totals[0], bars[0]]).toEqual([
    t("{n sale|sales}", { n: 1 }),
    ["2026-06-28", "2026-06-28"],
  ])
  const day = await elif.get(`${salesPath}?from=2026-06-29&to=2026-06-29`)
  expect(headOn(day.text).totals[0]).toBe(t("{n sale|sales}", { n: 24 }))
  expect(codesOn(day.text)).toHaveLength(24)
})

test("200: totals are per currency, refunds apart, and one amount is a chart", async () => {
  const [one, two] = [purchase("in-lira", 4), purchase("in-yen", 4)]
  const dated = { date: "2026-06-30T00:00:00Z" }
  await program.load([
    ...[account("can"), item("can", 4)],
    { ...one, ...dated, price: 1_249.9, currency: "TRY" },
    { ...one, ...dated, purchase_code: "in-lira-2", price: 0.1, currency: "TRY" },
    { ...one, ...dated, purchase_code: "in-lira-3", price: 7, currency: "TRY", revoked: true },
    { ...two, date: "2019-02-03T04:05:06Z", price: 2_980, currency: "JPY" },
  ])
  await givePassword(program, "can")
  const can = await openSignedIn(program.url, "can")
  const salesOfCan = `${can.home()}/sales`
  const all = headOn((await can.get(salesOfCan)).text)
  expect(all.totals).toEqual([
    t("{n sale|sales}", { n: 3 }),
    "TRY\u00a01,250.00",
    "¥2,980",
    t("{n} refunded ({amounts})", { n: 1, amounts: ["TRY\u00a07.00"] }),
  ])
  // Seven years by month, half a year by week, a month by day; the last bar may be shorter.
  expect(all.bars).toEqual([
    ["2019-02-03", "2019-02-28"],
    ["2026-06-01", "2026-06-30"],
  ])
  const weeks = headOn((await can.get(`${salesOfCan}?from=2026-01-01&to=2026-06-30`)).text)
  expect(weeks.bars).toEqual([
    ["2026-01-01", "2026-01-04"],
    ["2026-06-29", "2026-06-30"],
  ])
  expect(headOn((await can.get(`${salesOfCan}?days=30`)).text).count).toBe(30)
  const amount = unescapeHtml((await can.get(`${salesOfCan}?chart=amount`)).text)
  expect(amount).toContain(`Valid: 1,250`)
  expect(amount).not.toContain(`Valid: 2,980`)
  const yen = unescapeHtml((await can.get(`${salesOfCan}?chart=JPY`)).text)
  expect(yen).toContain(`Valid: 2,980`)
  expect((await can.get(`${salesOfCan}?chart=nonsense`)).status).toBe(200)
})

test("200: an item is chosen by ID or name, and a part of a name chooses several", async () => {
  await program.load([item("elif", 11, { name: "Işık" }), item("elif", 12, { name: "Işık Pro" })])
  await program.load([purchase("light", 11), purchase("pro", 12)])
  const codes = async (item: string) =>
    codesOn((await elif.get(`${salesPath}?${new URLSearchParams({ item })}`)).text).toSorted()
  expect(await codes("11")).toEqual(["light"])
  expect(await codes("ISIK")).toEqual(["light"])
  expect(await codes("işi")).toEqual(["light", "pro"])
  const { text } = await elif.get(salesPath)
  expect(text).toContain('<option value="Işık Pro">12</option>')
  for (const code of ["light", "pro"]) {
    await program.load([{ type: "purchase", purchase_code: code, deleted: true }])
  }
})

test("200: an unknown item, another author's item and an invalid filter list nothing", async () => {
  for (const query of ["item=3", "item=999", "item=3&days=all", "from=2020-01-01&to=2020-01-02"]) {
    const { status, text } = await elif.get(`${salesPath}?${query}`)
    expect([status, codesOn(text)]).toEqual([200, []])
  }
  for (const item of ["Theme", "#1", "1e0", "99999999999999999999"]) {
    const { text } = await elif.get(`${salesPath}?${new URLSearchParams({ item })}`)
    expect(codesOn(text)).toEqual([])
    expect(unescapeHtml(text)).toContain("You have no item with this name or ID.")
  }
  const { status } = await elif.get(`${salesPath}?after=x&days=y&item=z&state=%00&search=%27`)
  expect(status).toBe(200)
})

async function search(visitor: Visitor, q: string) {
  const { status, text } = await visitor.submit(salesPath, { q }, salesPath)
  expect(status).toBe(200)
  return { text }
}

test("200: a sale has a URL of its own, for its author only", async () => {
  const { text } = await elif.get(salesPath)
  const [, path = ""] = /href="(\/workspace\/elif\/check\/[^"]*)"/.exec(text) ?? []
  expect(path).not.toContain("8f14e45f")
  const again = await openSignedIn(program.url, "elif")
  expect((await again.get(path)).text).toContain(`value="${codeOf(0)}"`)
  const marcus = await openSignedIn(program.url, "marcus")
  for (const own of [path, path.replace(elif.home(), marcus.home())]) {
    const nowhere = own.replace("/check/", "/check/9")
    const [others, none] = [await marcus.get(own), await marcus.get(nowhere)]
    expect([others.status, none.status]).toEqual([404, 404])
    expect(withoutFormTokens(others.text)).toBe(
      withoutFormTokens(none.text).replaceAll(nowhere, own),
    )
    expect((await marcus.submit(`${own}/release`)).status).toBe(404)
  }
})

test("200: a code is found in any notation, and a name by a part of it", async () => {
  expect(codesOn((await search(elif, `code: ${codeOf(7).toUpperCase()}!`)).text)).toEqual([
    codeOf(7),
  ])
  for (const part of ["şule", "SULE", "ışık"]) {
    expect(codesOn((await search(elif, part)).text)).toEqual([codeOf(40)])
  }
  expect(codesOn((await search(elif, "of-marcus")).text)).toEqual([])
  expect(codesOn((await search(elif, "nobody")).text)).toEqual([])
})

test("200: the file and the next page of a search are requested by forms: no text is in a URL", async () => {
  const { text } = await search(elif, "cmd")
  expect(codesOn(text)).toHaveLength(50)
  const [, after = ""] = /name="after" value="([^"]*)"/.exec(text) ?? []
  const fields = { q: "cmd", days: "all" }
  const next = await elif.submit(salesPath, { ...fields, after }, salesPath)
  expect(codesOn(next.text)[0]).toBe(codeOf(51))
  const file = await elif.submit(`${salesPath}.csv`, fields, salesPath)
  expect([file.headers.get("content-type"), file.text.split("\r\n").length]).toEqual([
    "text/csv; charset=utf-8",
    61,
  ])
})

test("303: filters without a text are in the URL", async () => {
  const { location } = await elif.submit(salesPath, { q: " ", item: "1", days: "7" }, salesPath)
  expect(location).toBe(`${salesPath}?item=1&days=7`)
})

test("200: the file has every sale of the list, and no cell that a spreadsheet would execute", async () => {
  const { status, headers, text } = await elif.get(`${salesPath}.csv?days=all`)
  expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
    200,
    "text/csv; charset=utf-8",
    'attachment; filename="sales.csv"',
  ])
  expect(headers.get("cache-control")).toBe("private, no-store")
  const lines = text.split("\r\n")
  expect(lines).toHaveLength(63)
  const heads = [
    ...["Code", "ID", "Item", "Buyer", "License", "Price"],
    ...["Currency", t("{head} (UTC)", { head: "Sold" }), "Status"],
    ...[
      t("{head} (UTC)", { head: "Support until" }),
      t("{head} (UTC)", { head: "Valid until" }),
      "Sites",
    ],
  ]
  expect(lines[0]).toBe(heads.map((head) => `"${head}"`).join(","))
  const [licence, state] = ["Regular", "Valid"]
  expect(lines[1]).toBe(
    `"${codeOf(0)}",1,"Ürün 1","'=cmd|' /C calc'!A0","${licence}",19.99,"USD","2026-06-30 12:00:00","${state}",,,0`,
  )
  expect(text).not.toContain("of-marcus")
  const { text: one } = await elif.get(`${salesPath}.csv?days=all&state=refunded`)
  expect(one.split("\r\n")).toHaveLength(3)
})

test("303: files require a session", async () => {
  for (const file of ["sales", "usage", "log"]) {
    const { status, text } = await openVisitor(program.url).get(`/workspace/elif/${file}.csv`)
    expect([status, text]).toEqual([303, ""])
  }
})

test.each([
  ["/workspace/elif/sales.csv?days=7", "/workspace/elif/sales?days=7"],
  ["/workspace/elif/log.csv", "/workspace/elif/log"],
  ["/workspace/elif/usage.csv?days=7", "/workspace/elif?days=7"],
  ["/workspace/elif/settings/keys/key_x/usage.csv", "/workspace/elif/settings/keys/key_x"],
])("303: signing in for the file %s leads to its page", async (file, page) => {
  const { status, location } = await openVisitor(program.url).get(file)
  expect([status, location]).toEqual([303, `/login?${new URLSearchParams({ next: page })}`])
})

test("200: an item's page shows its latest sales", async () => {
  const { text } = await elif.get("/workspace/elif/items/2")
  expect(codesOn(text).filter((code) => code?.startsWith("8f14e45f"))).toEqual(
    [1, 3, 5, 7, 9].map(codeOf),
  )
  expect(text).toContain('href="/workspace/elif/sales?item=2"')
  expect((await elif.get("/workspace/elif/sales.csv?item=2")).text.split("\r\n")).toHaveLength(32)
})

test("200: chart, table and file of the requests have the same numbers for the same days", async () => {
  const { key } = await program.issue("elif")
  const call = { keyId: key.id, operation: "validate_purchase" } as const
  await addUsage(program.app.store, {
    calls: [
      { ...call, outcome: "ok", day: "2026-06-10", calls: 5 },
      { ...call, outcome: "unknown_code", day: "2026-06-11", calls: 3 },
      { ...call, outcome: "ok", day: "2026-06-12", calls: 70 },
    ],
    lastUses: [{ keyId: key.id, lastUsedAt: "2026-06-12T00:30:00Z" }],
  })
  const days = "from=2026-06-10&to=2026-06-11"
  const pages = ["/workspace/elif", `/workspace/elif/settings/keys/${key.id}`]
  for (const path of pages) {
    const { text } = await elif.get(`${path}?${days}`)
    const page = unescapeHtml(text)
    expect(page).toContain(
      `aria-label="${t("{total request|requests}, {ok} successful.", { total: 8, ok: 5 })}"`,
    )
    expect(page).toContain("Jun 10, 2026 – Jun 11, 2026, UTC")
    const table = page.slice(page.indexOf(`<summary>Show as a table`))
    const rows = [...table.matchAll(/<td><bdi>([^<]*)</g)].map(([, day]) => day)
    expect(rows.slice(0, 2)).toEqual(["Jun 11, 2026", "Jun 10, 2026"])
    const file = await elif.get(`${path}/usage.csv?${days}`)
    expect(file.text.split("\r\n")).toEqual([
      `"${t("{head} (UTC)", { head: "Day" })}","Successful","Invalid codes","Client errors","Server errors"`,
      '"2026-06-10",5,0,0,0',
      '"2026-06-11",0,3,0,0',
      "",
    ])
  }
})

test("200: the file of failed requests has the entries that the page lists", async () => {
  const { key } = await program.issue("elif")
  const failure = {
    keyId: key.id,
    operation: "validate_purchase",
    reason: "unknown_code",
    ipRange: "192.0.2.0/24",
    code: "@1234…",
    firstAt: "2026-06-29T08:00:00Z",
    lastAt: "2026-06-29T09:00:00Z",
    calls: 4,
  } as const
  const missing = { ...failure, reason: "missing_parameter", code: "" } as const
  await program.app.store.counts.add("2026-06-29T09:00:00Z", { failures: [failure, missing] })
  const file = "/workspace/elif/log.csv?error=unknown_code"
  const { text } = await elif.get(file, { "Accept-Language": "tr" })
  const call = inLocale("tr", () => t("Validate a purchase"))
  const reason = inLocale("tr", () => t("Unknown code"))
  expect(text.split("\r\n").slice(1)).toEqual([
    `"2026-06-29 09:00:00";"2026-06-29 08:00:00";"Test";"${call}";"${reason}";"192.0.2.0/24";"'@1234…";4`,
    "",
  ])
})
