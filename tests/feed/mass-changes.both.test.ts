import { Database } from "bun:sqlite"
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import { join } from "node:path"
import { checkImportRun } from "../../src/doctor/check-store.ts"

import {
  type FeedOptionValues,
  loadFeed,
  parseFeedOptions,
} from "../../src/feed/load-feed-commands.ts"
import { describe, message } from "../../src/platform/problem.ts"
import { endpointRecord } from "../harness/endpoint-records.ts"
import { pullSales } from "../harness/feed/pull-sales.ts"
import { captureOutput, loadText } from "../harness/load-text.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, type Line, purchase, toFeed } from "../harness/records.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"

const token = "operator-token-of-32-characters-or-more"
const codes = Array.from({ length: 5_000 }, (_, index) => `code-${index}`)
const marketplace = [account("ada"), item("ada", 1), ...codes.map((code) => purchase(code, 1))]

let program: Program
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "silent", PAZAR_OPERATOR_TOKEN: token })
  await program.app.store.endpoints.insert(endpointRecord("ep_all"))
  writeShop()
})
afterAll(() => program.close())
beforeEach(async () => {
  await program.load(marketplace)
  sentBefore = await countMessages()
})

let sentBefore: ReadonlyMap<string, number>
/** A list of these thousands of messages would exceed the timeout of a request on a busy machine. */
async function countMessages(): Promise<ReadonlyMap<string, number>> {
  const rows = await queryStore<{ type: string; count: number | string }>(
    program,
    "SELECT v.type, count(*) AS count FROM webhook_messages m JOIN webhook_events v ON v.id = m.event_id GROUP BY v.type",
  )
  return new Map(rows.map(({ type, count }) => [type, Number(count)]))
}
async function sent(): Promise<Record<string, number>> {
  const counts = [...(await countMessages())].map(
    ([type, count]) => [type, count - (sentBefore.get(type) ?? 0)] as const,
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

const parse = (options: Partial<FeedOptionValues>) =>
  parseFeedOptions({ strict: false, "dry-run": false, full: false, ...options }, "feed.ndjson")
async function load(lines: readonly Line[], options: Partial<FeedOptionValues> = {}) {
  const { status, summary, messages } = await loadText(program, toFeed(lines), parse(options))
  const { seconds: _, ...counts } = summary
  return { status, counts, messages }
}
const countOf = async (isWanted: (line: string) => boolean) =>
  (await program.dump())
    .split("\n")
    .filter((line) => line.includes('"purchase_code"') && isWanted(line)).length
const sold = () => countOf(() => true)
const revoked = () => countOf((line) => line.includes('"revoked":true'))

const allDeleted = codes.map((purchase_code) => ({
  type: "purchase",
  purchase_code,
  deleted: true,
}))
const allRevoked = codes.map((code) => purchase(code, 1, { revoked: true }))
const nothing = {
  accepted: 0,
  adjusted: 0,
  waiting: 0,
  rejected: 0,
  removed: 0,
  revoked: 0,
  restored: 0,
}
const excessOf = (records: number, option: string) => ({
  type: "purchase",
  records,
  total: 5_000,
  allowed: "1%",
  atLeast: 20,
  atMost: 100,
  option,
})
const stop = (verb: "delete" | "revoke", option: string) =>
  message(`too_many_${verb}s`, excessOf(5_000, option))

test.each([
  ["deletes", allDeleted, stop("delete", "--max-deletes")],
  ["revokes", allRevoked, stop("revoke", "--max-revokes")],
] as const)(
  "exit 1: a file that %s everything is stopped, and reported everywhere",
  async (_, lines, problem) => {
    const text = describe(problem)
    const before = await program.dump()
    const dryRun = await load(lines, { "dry-run": true })
    expect([dryRun.status, dryRun.counts]).toEqual([1, nothing])
    expect(dryRun.messages).toEqual([`import ${text}`, "dry run: no changes were saved"])
    expect(await load(lines)).toEqual({
      status: 1,
      counts: nothing,
      messages: [`import ${text}`],
    })
    const strict = await load(lines, { strict: true })
    expect([strict.status, strict.messages[0]]).toEqual([1, `import ${text}`])
    expect(await program.dump()).toBe(before)
    expect(await sent()).toEqual({ "import.failed": 2 })
    const { feed } = program.app.store
    expect(await feed.findLastRun("a test")).toMatchObject({
      problem,
      finishedAt: expect.any(String),
    })
    const [troubled] = await feed.listTroubledRuns(new Date(), 10)
    expect(troubled && checkImportRun(troubled)).toMatchObject({
      level: "problem",
      detail: `import ${troubled?.id} from a test failed: ${text}`,
    })
    expect((await load(marketplace)).status).toBe(0)
    expect(await feed.listTroubledRuns(new Date(), 10)).toEqual([])
  },
)

test("exit 0: the options allow more, and the summary counts it", async () => {
  const many = allRevoked.slice(0, 60)
  expect(await load(many, { "max-revokes": "60" })).toEqual({
    status: 0,
    counts: { ...nothing, accepted: 60, revoked: 60 },
    messages: [],
  })
  expect(await sent()).toEqual({ "purchase.revoked": 60 })
  expect((await load(marketplace)).counts).toEqual({ ...nothing, accepted: 5_002, restored: 60 })
  const { counts } = await load(allDeleted.slice(0, 60), { "max-deletes": "1.2%" })
  expect(counts).toEqual({ ...nothing, accepted: 60, removed: 60 })
  expect((await load(allDeleted.slice(0, 109))).counts).toEqual({
    ...nothing,
    accepted: 109,
    removed: 49,
  })
})

test("exit 1: a stopped run deletes and revokes nothing, and saves the other lines", async () => {
  const changes = [...allDeleted.slice(0, 45), ...allRevoked.slice(45, 90)]
  const late = [purchase("new-1", 1), ...allDeleted.slice(4_990), purchase("new-2", 1)]
  const feed = [...changes, ...marketplace.slice(1_000, 2_500), ...late]
  const stopped = await load(feed)
  expect([stopped.status, stopped.counts]).toEqual([1, { ...nothing, accepted: 1_502 }])
  expect(stopped.messages).toEqual([
    `import ${describe(message("too_many_deletes", excessOf(55, "--max-deletes")))}`,
  ])
  expect([await sold(), await revoked()]).toEqual([5_002, 0])
  expect(await sent()).toEqual({ "import.failed": 1 })
  const allowed = await load(feed, { "max-deletes": "55" })
  expect(allowed.counts).toEqual({ ...nothing, accepted: 1_602, removed: 55, revoked: 45 })
  expect([await sold(), await revoked()]).toEqual([4_947, 45])
  const news = ["new-1", "new-2"].map((purchase_code) => ({ type: "purchase", purchase_code }))
  await load(news.map((each) => ({ ...each, deleted: true })))
})

test("lines about one purchase keep their order", async () => {
  const [first, second, third] = [codes[0], codes[1], codes[2]] as [string, string, string]
  const gone = (purchase_code: string) => ({ type: "purchase", purchase_code, deleted: true })
  const feed = [
    ...[gone(first), purchase(first, 1, { license_type: "Extended" })],
    ...[purchase(second, 1, { revoked: true }), ...marketplace.slice(500, 2_500)],
    ...[gone(second), purchase(third, 1, { revoked: true }), purchase(third, 1)],
  ]
  expect((await load(feed)).status).toBe(0)
  const lines = (await program.dump()).split("\n")
  const find = (code: string) => lines.find((line) => line.includes(`"${code}"`)) ?? ""
  expect(find(first)).toContain("Extended")
  expect(find(second)).toBe("")
  expect(find(third)).not.toContain('"revoked":true')
})

test("exit 1: more than 100 records of a large marketplace are no ordinary change", async () => {
  const other = await startProgram({ LOG_LEVEL: "silent" })
  const more = Array.from({ length: 7_000 }, (_, index) => purchase(`more-${index}`, 1))
  await other.load([...marketplace, ...more])
  const revoke = (count: number) => loadText(other, toFeed(allRevoked.slice(0, count)), parse({}))
  const stopped = await revoke(101)
  expect([stopped.status, stopped.summary.revoked]).toEqual([1, 0])
  expect(stopped.messages[0]).toContain("at most 100")
  expect((await revoke(100)).summary).toMatchObject({ accepted: 100, revoked: 100 })
  await other.close()
})

test("an import that dies halfway has deleted nothing, and deletes when it runs again", async () => {
  const feed = [...allDeleted.slice(0, 20), ...marketplace.slice(2_000, 4_500)]
  async function* readHalf() {
    yield Buffer.from(toFeed(feed.slice(0, 2_000)))
    throw new Error("killed")
  }
  const input = { source: "half.ndjson", via: "file", sizeBytes: null } as const
  const { context } = captureOutput()
  const file = { ...input, readBytes: readHalf, describeLine: (line: number) => `line ${line}` }
  // `rejects` ticks the event loop itself, which takes 20 s for an import that yields this often (Bun 1.4).
  const failure = await loadFeed(program.app, context, file, parse({})).catch((error) => error)
  expect(failure).toEqual(new Error("killed"))
  expect(await sold()).toBe(5_000)
  expect((await load(feed)).counts).toEqual({ ...nothing, accepted: 2_520, removed: 20 })
})

test("exit 1: a full feed has the same limit, which includes its own deletions", async () => {
  const full = (lines: readonly Line[], purchases: number) =>
    load([...lines, { type: "end", accounts: 1, items: 1, purchases }], { full: true })
  const remaining = [...marketplace.slice(0, 4_972), ...allDeleted.slice(4_970, 4_980)]
  const stopped = await full([...remaining, ...marketplace.slice(5_001)], 4_981)
  expect(stopped.status).toBe(0)
  expect(stopped.counts).toEqual({ ...nothing, accepted: 4_983, removed: 29 })
  await program.load(marketplace)
  const most = await full([...marketplace.slice(0, 4_942), ...allDeleted.slice(4_990)], 4_950)
  expect(most.messages).toEqual([
    `no records were deleted: ${describe(message("too_many_missing", { ...excessOf(60, "--max-deletes"), needed: 60 }))}`,
  ])
  expect([most.status, most.counts.removed]).toEqual([1, 10])
})

function writeShop(): void {
  const db = new Database(join(program.folder, "shop.db"))
  db.run("CREATE TABLE sales (code, gone, refunded)")
  const insert = db.query("INSERT INTO sales VALUES (?, 0, 0)")
  db.transaction(() => codes.map((code) => insert.run(code)))()
  db.close()
}
async function pull(columns: string, options: Partial<FeedOptionValues> = {}) {
  const { summary, ...rest } = await pullSales(program, `${columns} FROM sales`, parse(options))
  const { seconds: _, ...counts } = summary
  return { ...rest, counts }
}

test.each([
  ["deleted", "NOT gone AS deleted", stop("delete", "--max-deletes"), "deletes"],
  ["revoked", "NOT refunded AS revoked", stop("revoke", "--max-revokes"), "revokes"],
] as const)(
  "exit 1: a pull with inverted %s is stopped, however often it runs",
  async (_, columns, problem, option) => {
    const text = describe(problem)
    const dryRun = await pull(columns, { "dry-run": true })
    expect([dryRun.status, dryRun.counts]).toEqual([1, nothing])
    for (let round = 1; round <= 3; round += 1) {
      expect(await pull(columns)).toEqual({
        status: 1,
        counts: nothing,
        messages: [`import ${text}`],
      })
      expect(await sent()).toEqual({ "import.failed": round })
    }
    const [state] = await program.app.store.pulls.list()
    expect(state).toMatchObject({ name: "shop", problem })
    expect([await sold(), await revoked()]).toEqual([5_000, 0])
    const allowed = await pull(columns, { [`max-${option}`]: "100%" })
    expect(allowed.status).toBe(0)
    expect(allowed.counts[option === "deletes" ? "removed" : "revoked"]).toBe(5_000)
  },
)

test("422: a push that deletes or revokes too much is stopped; the query allows more", async () => {
  const push = async (lines: readonly Line[], query = "") => {
    const response = await fetch(`${program.url}/operator/feed${query}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: toFeed(lines),
    })
    const text = await response.text()
    const { seconds: _, ...body } = JSON.parse(text)
    return { status: response.status, body }
  }
  const stopped = await push(allDeleted)
  expect(stopped.status).toBe(422)
  expect(stopped.body).toEqual({
    ...nothing,
    problem: describe(message("too_many_deletes", excessOf(5_000, "max_deletes"))),
    refused: [],
  })
  expect((await push(allRevoked)).body).toMatchObject({
    revoked: 0,
    problem: expect.stringContaining("max_revokes"),
  })
  expect(await sent()).toEqual({ "import.failed": 2 })
  expect([await sold(), await revoked()]).toEqual([5_000, 0])
  expect(await push(allRevoked.slice(0, 1))).toMatchObject({ status: 200, body: { revoked: 1 } })
  const many = await push(allRevoked.slice(0, 90), "?max_revokes=2%25&max_deletes=0")
  expect(many).toMatchObject({ status: 200, body: { revoked: 89 } })
  expect(await push(allDeleted.slice(0, 1), "?max_deletes=0")).toMatchObject({ status: 422 })
  expect(await push(allDeleted.slice(0, 90), "?max_deletes=90")).toMatchObject({
    status: 200,
    body: { removed: 90 },
  })
  expect(await push([], "?max_deletes=many")).toEqual({
    status: 400,
    body: {
      status: "error",
      msg: "max_deletes must be a number or a percentage, as in 20 or 0.5%",
    },
  })
})

test("exit 0: the first import may delete records that it has added itself", async () => {
  const other = await startProgram({ LOG_LEVEL: "silent" })
  // In another batch: a record that is added and deleted in one batch was never stored.
  const others = Array.from({ length: 10_000 }, (_, at) => {
    return { type: "purchase", purchase_code: `never-sold-${at}`, deleted: true }
  })
  const journal = [...marketplace.slice(0, 1_500), ...others, ...allDeleted.slice(0, 30)]
  const { status, summary } = await loadText(other, toFeed(journal), parse({}))
  expect([status, summary.removed]).toEqual([0, 30])
  await other.close()
})
