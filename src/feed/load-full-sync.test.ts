import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { loadText } from "../../tests/harness/load-text.ts"
import { type Program, startProgram } from "../../tests/harness/program.ts"
import { account, item, type Line, purchase, toFeed } from "../../tests/harness/records.ts"
import { UsageError } from "../platform/cli/command.ts"
import { describe as describeProblem, message } from "../platform/problem.ts"
import { type FeedOptionValues, parseFeedOptions } from "./load-feed-commands.ts"

let program: Program

const parse = (values: Partial<FeedOptionValues>) =>
  parseFeedOptions({ strict: false, "dry-run": false, full: false, ...values }, "feed.ndjson")

async function load(feed: string, values: Partial<FeedOptionValues> = {}) {
  const { status, summary, messages } = await loadText(program, feed, parse(values))
  const { seconds: _, ...counts } = summary
  return { status, summary: counts, messages }
}

const codes = Array.from({ length: 200 }, (_, index) => `code-${index}`)
const everything: readonly Line[] = [
  account("ada"),
  item("ada", 1),
  ...codes.map((code) => purchase(code, 1)),
]

/** The feed of these lines, with an end line that counts them. */
function full(lines: readonly Line[]): string {
  const count = (type: string) => lines.filter((line) => line.type === type).length
  const counts = { accounts: count("account"), items: count("item"), purchases: count("purchase") }
  return toFeed([...lines, { type: "end", ...counts }])
}
const without = (...omitted: string[]) =>
  everything.filter(({ purchase_code }) => !omitted.some((code) => code === purchase_code))

async function countPurchases(): Promise<number> {
  return (await program.dump()).split("\n").filter((line) => line.includes('"purchase_code"'))
    .length
}
const summaryOf = (accepted: number, removed: number) => ({
  accepted,
  adjusted: 0,
  waiting: 0,
  rejected: 0,
  removed,
  revoked: 0,
  restored: 0,
})

describe("a full sync", () => {
  beforeEach(async () => {
    program = await startProgram({ LOG_LEVEL: "silent" })
  })
  afterEach(() => program.close())

  test("0: records that it does not contain are deleted, once", async () => {
    await load(toFeed(everything))
    const feed = full(without("code-7", "code-8"))
    expect(await load(feed, { full: true })).toEqual({
      status: 0,
      summary: summaryOf(200, 2),
      messages: [],
    })
    expect(await program.dump()).not.toContain('"code-7"')
    expect(await countPurchases()).toBe(198)
    expect((await load(feed, { full: true })).summary).toEqual(summaryOf(200, 0))
  })

  test("1: by default, it deletes at most 20 records or 1 %; a higher limit allows more", async () => {
    await load(toFeed(everything))
    const before = await program.dump()
    expect((await load(full(without(...codes.slice(0, 20))), { full: true })).status).toBe(0)
    await load(toFeed(everything))
    const feed = full(without(...codes.slice(0, 24)))
    expect(await load(feed, { full: true })).toEqual({
      status: 1,
      summary: summaryOf(178, 0),
      messages: [
        `no records were deleted: ${describeProblem(message("too_many_missing", { type: "purchase", records: 24, total: 200, allowed: "1%", atLeast: 20, atMost: 100, option: "--max-deletes", needed: 24 }))}`,
      ],
    })
    expect(await program.dump()).toBe(before)
    expect((await load(feed, { full: true, "max-deletes": "23" })).summary).toEqual(
      summaryOf(178, 0),
    )
    expect((await load(feed, { full: true, "max-deletes": "12%" })).summary).toEqual(
      summaryOf(178, 24),
    )
  })

  test("1: truncated anywhere, it deletes nothing", async () => {
    await load(toFeed(everything))
    const feed = full(everything.slice(0, 12))
    const start = feed.lastIndexOf("\n", feed.length - 2) - 40
    // Most cuts are in the last two lines.
    const cuts = [0, 1, 500, start - 600, ...Array.from({ length: 30 }, (_, at) => start + 3 * at)]
    const outcomes: unknown[] = []
    for (const cut of cuts.filter((cut) => cut < feed.length - 2)) {
      const all = { full: true, "max-deletes": "100%" }
      const { status, summary } = await load(feed.slice(0, cut), all)
      outcomes.push([status, summary.removed])
    }
    expect(outcomes).toEqual(outcomes.map(() => [1, 0]))
    expect(outcomes.length).toBeGreaterThan(25)
    expect(await countPurchases()).toBe(200)
  })

  test("1: after a rejected rename, the account keeps its old name", async () => {
    await load(toFeed([...everything, account("bob")]))
    const all = { full: true, "max-deletes": "100%" }
    const renaming = { was: "bob", registered_at: [] }
    const rejected = await load(full([...everything, account("robert", renaming)]), all)
    expect([rejected.status, rejected.summary.removed]).toEqual([1, 0])
    expect(await program.dump()).toContain('"username":"bob"')
    const fixed = await load(full([...everything, account("robert", { was: "bob" })]), all)
    expect(fixed).toEqual({ status: 0, summary: summaryOf(203, 0), messages: [] })
    expect(await program.dump()).not.toContain('"username":"bob"')
  })

  const lines = everything.slice(0, 3)
  const end = { type: "end", accounts: 1, items: 1, purchases: 1 }
  const incomplete: readonly [string, readonly Line[], string][] = [
    ["without an end line", lines, describeProblem(message("no_end_line"))],
    [
      "with another count",
      [...lines, { ...end, purchases: 2 }],
      describeProblem(message("wrong_end_count", { type: "purchases", expected: 2, found: 1 })),
    ],
    [
      "with records after its end line",
      [...lines, end, account("bob")],
      describeProblem(message("records_after_end")),
    ],
    [
      "with a line that does not identify a record",
      [...lines, { type: "sale", item_id: 7, purchase_code: "code-5", api_key: "secret" }, end],
      describeProblem(
        message("unnamed_record", { line: 4, row: "type sale, item_id 7, purchase_code code-5" }),
      ),
    ],
    [
      "with a code that is no text",
      [...lines, { type: "purchase", purchase_code: ["code-5"], item_id: 7 }, end],
      describeProblem(message("unnamed_record", { line: 4, row: "type purchase, item_id 7" })),
    ],
  ]
  test("1: an incomplete file deletes nothing and reports the reason", async () => {
    await load(toFeed(everything))
    const outcomes: unknown[] = []
    for (const [what, feed] of incomplete) {
      const { status, messages } = await load(toFeed(feed), { full: true, "max-deletes": "100%" })
      outcomes.push([what, status, messages.at(-1)])
    }
    expect(outcomes).toEqual(
      incomplete.map(([what, , reason]) => [what, 1, `no records were deleted: ${reason}`]),
    )
    expect(await countPurchases()).toBe(200)
  })

  test("1: rows without a code are rejected and do not prevent deletions", async () => {
    await load(toFeed(everything))
    const { purchase_code: _, ...nameless } = purchase("", 1)
    const rows = [nameless, { ...nameless, purchase_code: " " }, { type: "item" }]
    const feed = full([...without("code-7"), ...rows])
    const { status, summary } = await load(feed, { full: true })
    expect([status, summary]).toEqual([1, { ...summaryOf(201, 1), rejected: 3 }])
    const allowed = await load(feed, { full: true, "max-refused": "3" })
    expect([allowed.status, allowed.messages.join()]).toEqual([
      0,
      expect.not.stringContaining("no records"),
    ])
    expect(await countPurchases()).toBe(199)
  })

  test("1: a truncated line is named by what is left of it, and deletes nothing", async () => {
    await load(toFeed(everything))
    const feed = full(without("code-7")).replace(
      "\n",
      '\n{"type":"purchase","item_id":1229,"purchase_code":"code-7","api_key":"sec\n',
    )
    const { messages } = await load(feed, { full: true })
    const row = "type purchase, item_id 1229, purchase_code code-7"
    expect(messages.at(-1)).toBe(
      `no records were deleted: ${describeProblem(message("unnamed_record", { line: 2, row }))}`,
    )
    expect(await countPurchases()).toBe(200)
  })

  test("1: the records of rejected lines are not deleted", async () => {
    const others = [account("bob"), item("bob", 2), item("bob", 3), account("old-name")]
    await load(toFeed([...everything, ...others]))
    const feed = [
      ...without("code-5"),
      account("bob", { registered_at: 7 }),
      item("bob", 2, { id: "2" }),
      item("ada", 3),
      account("new-name", { was: "old-name", registered_at: 7 }),
      { type: "purchase", purchase_code: "code-5 " },
    ]
    const { status, summary, messages } = await load(full(feed), { full: true })
    expect({ status, summary }).toEqual({
      status: 1,
      summary: { ...summaryOf(201, 0), rejected: 5 },
    })
    expect(messages.join()).not.toContain("no records were deleted")
    expect((await program.dump()).split("\n").length - 1).toBe(206)
  })

  test("0: newer pushed records and the records they need are not deleted", async () => {
    await load(toFeed(everything))
    const [readAt, later] = [new Date().toISOString(), new Date(Date.now() + 1_000).toISOString()]
    await load(toFeed([item("ada", 2), purchase("fresh", 1, { as_of: later })]))
    await load(toFeed([purchase("code-3", 1, { revoked: true, as_of: later })]))
    const feed = full([account("bob")])
    const options = { full: true, "as-of": readAt, "max-deletes": "100%" }
    expect(await load(feed, options)).toEqual({
      status: 0,
      summary: summaryOf(1, 199),
      messages: [
        `kept item 1, which is not in the feed: ${describeProblem(message("has_purchases"))}`,
        `kept account ada, which is not in the feed: ${describeProblem(message("has_items"))}`,
      ],
    })
    expect(await countPurchases()).toBe(2)
  })

  test("0: a record's own as_of takes precedence; the feed is as old as its earliest record", async () => {
    const timestamps = [Date.now() - 2_000, Date.now() - 1_000].map((ms) =>
      new Date(ms).toISOString(),
    )
    await load(toFeed(everything))
    const early = everything.map((line, at) => ({ ...line, as_of: timestamps[at % 2] }))
    const all = { full: true, "max-deletes": "100%" }
    expect((await load(full(early.slice(0, 100)), all)).summary).toEqual({
      ...summaryOf(100, 0),
      outdated: 100,
    })
    expect(await countPurchases()).toBe(200)
  })

  test("a dry run counts the deletions and changes nothing", async () => {
    await load(toFeed(everything))
    const before = await program.dump()
    const feed = full(without("code-1", "code-2").concat(purchase("new", 1)))
    expect(await load(feed, { full: true, "dry-run": true })).toEqual({
      status: 0,
      summary: summaryOf(201, 2),
      messages: ["dry run: no changes were saved"],
    })
    const tooMany = full(everything.slice(0, 2))
    const rejected = await load(tooMany, { full: true, "dry-run": true })
    expect([rejected.status, rejected.summary.removed]).toEqual([1, 0])
    expect(await program.dump()).toBe(before)
  })

  test("with --strict nothing is written unless the other records may be deleted", async () => {
    await load(toFeed(everything))
    const before = await program.dump()
    const changed = without(...codes.slice(0, 29)).concat(purchase("new", 1))
    const rejected = await load(full(changed), { full: true, strict: true })
    expect([rejected.status, rejected.summary]).toEqual([1, summaryOf(0, 0)])
    expect(rejected.messages.at(-1)).toBe("--strict: no changes were saved")
    expect(await program.dump()).toBe(before)
    const allowed = { full: true, strict: true, "max-deletes": "29" }
    expect((await load(full(changed), allowed)).summary).toEqual(summaryOf(174, 29))
    expect(await countPurchases()).toBe(172)
  })

  test("0: the end line has no effect without --full, but must be valid", async () => {
    expect(
      await load(toFeed([account("ada"), { type: "end", accounts: 9, items: 0, purchases: 0 }])),
    ).toEqual({ status: 0, summary: summaryOf(1, 0), messages: [] })
    const { messages } = await load(toFeed([{ type: "end", accounts: -1, items: 0 }]))
    expect(messages).toEqual([
      "line 1: accounts: must be an integer from 0 to 9007199254740991; purchases: is missing",
    ])
  })

  test("0: --as-of dates a file; records with newer data are counted as outdated", async () => {
    await load(toFeed(everything))
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    const older = [account("ada", { balance: 1 }), purchase("older", 1)]
    expect((await load(toFeed(older), { "as-of": hourAgo })).summary).toEqual({
      ...summaryOf(2, 0),
      outdated: 1,
    })
    expect(await program.dump()).not.toContain('"balance":1,')
    expect(await program.dump()).toContain('"older"')
  })
})

const wrong: readonly Partial<FeedOptionValues>[] = [
  { "max-revokes": "-1" },
  { full: true, "max-deletes": "some" },
  { full: true, "max-deletes": "101%" },
  { "as-of": "yesterday" },
  { "as-of": "2026-01-01T00:00:00" },
  { "as-of": "1969-12-31T23:59:59Z" },
]
test.each(wrong)("2: invalid options: %j", (values) => {
  expect(() => parse(values)).toThrow(UsageError)
})
