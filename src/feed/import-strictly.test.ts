import { afterEach, beforeEach, expect, test } from "bun:test"
import { type Program, startProgram } from "../../tests/harness/program.ts"
import { account, item, type Line, purchase, toFeed } from "../../tests/harness/records.ts"
import type { Problem } from "../platform/problem.ts"
import { importFeed } from "./feed-operations.ts"
import { asOfWrite } from "./parse-line.ts"

let program: Program
beforeEach(async () => {
  program = await startProgram({ LOG_LEVEL: "silent" })
  await program.load([account("elif"), item("elif", 1)])
})
afterEach(() => program.close())

/** `beforeWriting` runs after the feed was validated. */
async function importing(lines: readonly Line[], beforeWriting: () => Promise<unknown>) {
  const rejectedLines: (Pick<Problem, "field" | "code"> & { line: number })[] = []
  let readings = 0
  async function* readBytes() {
    if (++readings === 2) await beforeWriting()
    yield Buffer.from(toFeed(lines))
  }
  const { counts, isApplied } = await importFeed({
    feed: program.app.store.feed,
    prepareKey: program.app.prepareKey,
    source: "test",
    via: "file",
    readBytes,
    mode: "strict",
    chooseAsOf: asOfWrite,
    fullSync: null,
    batchRecords: 2,
    now: () => new Date(),
    onRejected({ line, problems: [{ field, code }] }) {
      rejectedLines.push({ line, field, code })
    },
    onDefaulted: () => {},
    onProgress: () => {},
  })
  return { ...counts, isApplied, rejectedLines, readings }
}

const invalid = purchase("d", 2, { price: "?" })
const purchases = [purchase("a", 1), purchase("b", 1), purchase("c", 2)]

test("a feed with a rejected line is read once and changes nothing", async () => {
  const before = await program.dump()
  const { feed } = program.app.store
  const lastRun = await feed.findLastRun("test")
  expect(await importing([...purchases, invalid], async () => {})).toEqual({
    accepted: 0,
    adjusted: 0,
    waiting: 0,
    rejected: 1,
    removed: 0,
    revoked: 0,
    restored: 0,
    isApplied: false,
    readings: 1,
    rejectedLines: [{ line: 4, field: "price", code: "not_a_number" }],
  })
  expect(await program.dump()).toBe(before)
  expect(await feed.findLastRun("test")).toEqual(lastRun)
})

test("nothing is written before the last line is validated, and others can write concurrently", async () => {
  const dumps: string[] = []
  const lines = [item("elif", 2), ...purchases]
  const outcome = await importing(lines, async () => {
    dumps.push(await program.dump())
    await program.load([account("bob")])
  })
  expect(outcome).toEqual({
    accepted: 4,
    adjusted: 0,
    waiting: 0,
    rejected: 0,
    removed: 0,
    revoked: 0,
    restored: 0,
    isApplied: true,
    rejectedLines: [],
    readings: 2,
  })
  expect(dumps.join("").split("\n").length - 1).toBe(2)
})

test("a line that conflicts with a change by another program is rejected, the others are saved", async () => {
  await program.load([item("elif", 2), purchase("c", 2)])
  const refund = { type: "purchase", purchase_code: "c", patch: true, revoked: true }
  const deletion = { type: "purchase", purchase_code: "c", deleted: true }
  const lines = [...purchases.slice(0, 2), refund]
  expect(await importing(lines, () => program.load([deletion]))).toEqual({
    accepted: 2,
    adjusted: 0,
    waiting: 0,
    rejected: 1,
    removed: 0,
    revoked: 0,
    restored: 0,
    isApplied: true,
    readings: 2,
    rejectedLines: [{ line: 3, field: "purchase_code", code: "unknown_purchase" }],
  })
  expect(await program.dump()).toContain('"purchase_code":"b"')
})
