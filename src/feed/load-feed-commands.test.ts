import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { captureOutput, loadText } from "../../tests/harness/load-text.ts"
import { type Program, startProgram } from "../../tests/harness/program.ts"
import { account, item, type Line, purchase, toFeed } from "../../tests/harness/records.ts"
import { UsageError } from "../platform/cli/command.ts"
import { describe as describeProblem, message, type Problem, problem } from "../platform/problem.ts"
import type { FeedCounts } from "./import-run.ts"
import { type FeedOptionValues, loadFeed, parseFeedOptions } from "./load-feed-commands.ts"
import type { RejectionSummary } from "./rejections.ts"

let program: Program
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "silent" })
})
afterAll(() => program.close())

const at = (name: string) => join(program.folder, name)
const noFlags = { strict: false, "dry-run": false, full: false }

async function load(feed: string, values: Partial<FeedOptionValues> = {}) {
  const options = parseFeedOptions({ ...noFlags, ...values }, at("feed.ndjson"))
  const { status, summary, messages } = await loadText(program, feed, options)
  const counts: FeedCounts & { defaulted?: number } = summary
  return { status, counts, messages }
}

const reportOf = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))

const invalidLines: readonly Line[] = [
  account("ada", { registered_at: 7 }),
  item("ada", 7, { price: [] }),
  { type: "item", id: 8, patch: true },
  { type: "nonsense" },
]

test("an interrupted import has saved whole batches, which are larger in the first import", async () => {
  const fresh = await startProgram({ LOG_LEVEL: "silent" })
  const context = captureOutput().context
  async function interruptAfter(records: number): Promise<number | undefined> {
    const lines = Array.from({ length: records }, (_, at) => {
      return { type: "purchase", purchase_code: `code-${at}`, deleted: true }
    })
    async function* readBytes() {
      yield Buffer.from(toFeed(lines))
      throw new Error("the line went dead")
    }
    const input = { source: "-", via: "file", sizeBytes: null, describeLine: String } as const
    const options = parseFeedOptions(noFlags, "-")
    // `rejects` of Bun would slow every turn of the event loop down.
    const error = await loadFeed(fresh.app, context, { ...input, readBytes }, options).catch(
      (error) => error,
    )
    expect(error).toMatchObject({ message: "the line went dead" })
    return (await fresh.app.store.feed.findLastRun("-"))?.line
  }

  expect(await interruptAfter(10_001)).toBe(10_000)
  await fresh.load([account("ada")])

  expect(await interruptAfter(2_500)).toBe(2_000)
  await fresh.close()
})

test("--timezone applies to timestamps without a zone", async () => {
  const unusual = [account("nil", { registered_at: "2024-04-27 12:00:00" })]
  const { messages } = await load(toFeed(unusual), { "dry-run": true })
  expect(messages).toEqual([
    `line 1: account nil: registered_at: ${describeProblem(message("no_time_zone"))}`,
    "dry run: no changes were saved",
  ])
  const loaded = await load(toFeed(unusual), { timezone: "+03:00" })
  expect(loaded).toMatchObject({ status: 0, counts: { accepted: 1, adjusted: 1, rejected: 0 } })
  const [line = ""] = (await program.dump()).split("\n")
  expect(JSON.parse(line)).toMatchObject({ registered_at: "2024-04-27T09:00:00Z" })
  const parse = () => parseFeedOptions({ ...noFlags, timezone: "Istanbul" }, at("feed.ndjson"))
  expect(parse).toThrow(UsageError)
})

describe("invalid cosmetic fields", () => {
  const unusual = [
    account("mona", { email: 7 }),
    item("mona", 31, { demo_link: "https://my shop/31" }),
    item("mona", 32, { demo_link: "soon", tags: [1, 2] }),
    item("mona", 33, { demo_link: "" }),
    purchase("31-a", 31),
  ]
  const summary = [
    "4 records were imported without invalid fields:",
    "  2 × item: demo_link: must be an http or https URL (first: line 2, item 31)",
    "  1 × account: email: must be a string (first: line 1, account mona)",
    "  1 × item: tags[]: must be a string (first: line 3, item 32)",
    "  1 × item: demo_link: is missing (first: line 4, item 33)",
    "these fields got defaults, or in a patch kept their values; see docs/shop-data.md",
  ]

  test.each([false, true])(
    "reject no line, are counted and summarized (--strict: %p)",
    async (strict) => {
      const report = at("defaulted.ndjson")
      const { status, counts, messages } = await load(toFeed(unusual), { strict, report })
      expect({ status, counts }).toMatchObject({
        status: 0,
        counts: { accepted: 5, adjusted: 4, rejected: 0, defaulted: 4 },
      })
      expect(messages).toEqual(summary)
      expect(reportOf(report)).toEqual([])
    },
  )
})

describe("items that clients could not use", () => {
  const file = "https://files.example.com/61.zip"
  /** The rest of the item is far shorter than a kilobyte. */
  const screenshots = (kilobytes: number) =>
    Array.from({ length: kilobytes }, () => `https://a.example/${"x".repeat(1_003)}`)
  const large = (kilobytes: number) => ({
    media: { ...itemMedia, screenshots: screenshots(kilobytes) },
  })
  const { media: itemMedia } = item("olga", 61) as { media: object }

  test("are rejected if they take more than 200 KB, whole or after a patch", async () => {
    const feed = toFeed([
      ...[account("olga"), item("olga", 61, large(198)), item("olga", 62, large(201))],
      { type: "item", patch: true, id: 61, description: "x".repeat(5_000) },
    ])
    const { status, counts, messages } = await load(feed)
    expect([status, counts.rejected]).toEqual([1, 2])
    const sizes = messages.join("\n").matchAll(/at most 200 KB, not (20\d)/g)
    expect([...sizes].map(([, size]) => size)).toEqual(["201", "203"])
  })

  test("are rejected if the URL of their file is not https or has signed parameters", async () => {
    const feed = toFeed([
      ...[account("olga"), item("olga", 61, { download_url: file })],
      item("olga", 61, { download_url: "http://files.example.com/61.zip" }),
      item("olga", 61, { download_url: `${file}?expires=9999999999` }),
      { type: "item", patch: true, id: 61, download_url: `${file}?signature=AAAA` },
    ])
    const { status, counts, messages } = await load(feed)
    expect([status, counts.accepted, counts.rejected]).toEqual([1, 2, 3])
    expect(messages.join("\n")).toContain("download_url: must be an https URL")
    expect(messages.join("\n")).toContain("expires and signature")
    expect(await program.dump()).toContain(`"download_url":"${file}"`)
  })
})

test("an export of records with corrections and defaults is imported unchanged", async () => {
  const links = { demo_link: "https://münchen.example/a b", media: { thumbnail: "none" } }
  await load(
    toFeed([account("nora", { email: null }), item("nora", 41, links), purchase("ab–41", 41)]),
  )
  const dump = await program.dump()
  expect(dump).toContain('"demo_link":"https://xn--mnchen-3ya.example/a%20b"')
  const other = await startProgram({ LOG_LEVEL: "silent" })
  try {
    const { summary } = await loadText(other, dump, parseFeedOptions(noFlags, at("feed.ndjson")))
    expect(summary).toMatchObject({ adjusted: 0, rejected: 0 })
    expect(await other.dump()).toBe(dump)
  } finally {
    await other.close()
  }
})

describe("--report", () => {
  test("has every rejected line with all its problems, its cause and its own text", async () => {
    const report = at("report.ndjson")
    const lines = [...invalidLines, item("ada", 9, { author: 7, currency: "EURO" })]
    const feed = `${toFeed(lines)}no JSON \n${"x".repeat(2 * 1024 ** 2)}\n`
    await load(feed, { "dry-run": true, report })
    const reported = reportOf(report)
    expect(
      reported.map(({ line, type, identity, problems }) => [line, type, identity, problems]),
    ).toEqual([
      [1, "account", "ada", [problem("registered_at", "not_a_string")]],
      [2, "item", "7", [problem("price", "not_an_object")]],
      [3, "item", "8", [problem("id", "unknown_item", { id: "8" })]],
      [4, undefined, undefined, [problem("type", "unknown_type")]],
      [5, "item", "9", [problem("author", "not_a_string"), problem("currency", "not_a_currency")]],
      [6, undefined, undefined, [problem("record", "invalid_json")]],
      [7, undefined, undefined, [problem("record", "line_too_long", { max: 1024 ** 2 })]],
    ])
    // The report does not contain the text of an oversize line.
    expect(reported.map(({ record }) => record)).toEqual([
      ...feed.split("\n").slice(0, 6),
      undefined,
    ])
    const change = { type: "account", username: "ada", patch: true, suspended: true }
    await load(toFeed([...invalidLines.slice(0, 1), change]), { "dry-run": true, report })
    expect(reportOf(report).slice(1)).toEqual([
      {
        line: 2,
        type: "account",
        identity: "ada",
        problems: [problem("username", "unknown_account", { username: "ada" })],
        because: { line: 1, type: "account", identity: "ada" },
        record: JSON.stringify(change),
      },
    ])
  })

  test("only its owner can read it, even if another file existed", async () => {
    const report = at("old.ndjson")
    writeFileSync(report, "old")
    chmodSync(report, 0o644)
    await load(toFeed([]), { "dry-run": true, report })
    expect([readFileSync(report, "utf8"), statSync(report).mode & 0o777]).toEqual(["", 0o600])
  })

  test("is not the feed itself", () => {
    const values = { ...noFlags, report: join(program.folder, ".", "data", "..", "feed.ndjson") }
    expect(() => parseFeedOptions(values, at("feed.ndjson"))).toThrow(UsageError)
  })
})

describe("--max-refused", () => {
  const feed = toFeed([account("ada"), item("ada", 1), { type: "item" }, { type: "item" }])
  test.each([
    [undefined, 1],
    ["0", 1],
    ["1", 1],
    ["2", 0],
    ["49.9%", 1],
    ["50%", 0],
    ["100%", 0],
  ])("%s of four lines, two of them rejected: exit %d", async (maxRefused, status) => {
    const loaded = await load(feed, { "dry-run": true, "max-refused": maxRefused })
    expect(loaded).toMatchObject({ status, counts: { accepted: 2, rejected: 2 } })
  })

  test.each([
    ["1", "2 of 4 lines were rejected; --max-refused allows 1"],
    ["49.9%", "2 of 4 lines were rejected; --max-refused allows 49.9%"],
  ])("%s is exceeded: the message names the limit", async (maxRefused, message) => {
    const { messages } = await load(feed, { "max-refused": maxRefused })
    expect(messages.at(-1)).toBe(message)
  })

  test.each([undefined, "0", "2"])("%s: no message mentions the limit", async (maxRefused) => {
    const { messages } = await load(feed, { "max-refused": maxRefused })
    expect(messages.join()).not.toContain("--max-refused")
  })

  test.each(["", "-1", "1.5", "101%", "many", "1e3", "%"])("%j is not a limit", (text) => {
    const values = { ...noFlags, "max-refused": text }
    expect(() => parseFeedOptions(values, "feed.ndjson")).toThrow(UsageError)
  })

  test("cannot be combined with --strict", () => {
    const values = { ...noFlags, strict: true, "max-refused": "1" }
    expect(() => parseFeedOptions(values, "feed.ndjson")).toThrow(UsageError)
  })
})

test.each([true, false])(
  "pending records are printed and counted, unless a later line contains the record they need (--dry-run: %p)",
  async (isDry) => {
    const early = [purchase("51-a", 51), item("ines", 51), account("ines"), purchase("52-a", 52)]
    const { status, counts, messages } = await load(toFeed(early), { "dry-run": isDry })
    expect([status, counts]).toMatchObject([0, { accepted: 3, waiting: 1, rejected: 0 }])
    expect(messages.slice(0, 2)).toEqual([
      "1 record is pending until its account or item is imported; it needs:",
      "  item 52: 1 purchase",
    ])
  },
)

test("an import is recorded with its groups of problems", async () => {
  const { counts } = await load(toFeed(invalidLines))
  const run = await program.app.store.feed.findLastRun("a test")
  const { groups = [] } = run?.outcome?.rejections ?? {}
  expect(run).toMatchObject({ via: "file", line: 4, outcome: { counts: { rejected: 4 } } })
  expect(counts).toMatchObject(run?.outcome?.counts ?? {})
  expect(groups.map(({ type, field, lines }) => [type, field, lines])).toEqual([
    ["account", "registered_at", 1],
    ["item", "price", 1],
    ["item", "id", 1],
    [null, "type", 1],
  ])
})

test("property: the report has every rejected line, and the groups count every problem", async () => {
  const flaw = fc.constantFrom<Line>(
    {},
    { currency: "" },
    { extra: 1 },
    { name: null, currency: "EURO" },
    { media: { thumbnail: "x", screenshots: ["a", "b"] } },
  )
  const id = fc.integer({ min: 1, max: 4 })
  const line = fc.oneof(
    fc.tuple(id, flaw).map(([name, changes]) => account(`a${name}`, changes)),
    fc.tuple(id, id, flaw).map(([name, id, changes]) => item(`a${name}`, id, changes)),
    fc.tuple(id, flaw).map(([id, changes]) => purchase(`code-${id}`, id, changes)),
    id.map((id) => ({ type: "item", id, patch: true })),
    fc.constantFrom<Line>({}, { type: "item", id: 1, deleted: true }),
  )
  const report = at("property.ndjson")
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 60 }), async (lines) => {
      const { counts } = await load(toFeed(lines), { report })
      const outcome = (await program.app.store.feed.findLastRun("a test"))?.outcome
      const rejections: RejectionSummary | undefined = outcome?.rejections
      const reported = reportOf(report)
      expect(reported.length).toBe(counts.rejected)
      expect(counts.accepted + counts.waiting + counts.rejected).toBe(lines.length)
      const kinds = reported.map(
        ({ problems }) =>
          new Set(problems.map((each: Problem) => `${each.field.replace(/\d/, "")} ${each.code}`))
            .size,
      )
      const counted = rejections?.groups.reduce((total, group) => total + group.lines, 0) ?? 0
      expect(counted + (rejections?.otherProblems ?? 0)).toBe(
        kinds.reduce((total, count) => total + count, 0),
      )
    }),
    { numRuns: propertyRuns(25) },
  )
})
