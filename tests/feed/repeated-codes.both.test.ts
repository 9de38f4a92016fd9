import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { type FeedOptionValues, parseFeedOptions } from "../../src/feed/load-feed-commands.ts"

import { endpointRecord } from "../harness/endpoint-records.ts"
import { pullSales } from "../harness/feed/pull-sales.ts"
import { loadText } from "../harness/load-text.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"

let program: Program
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "silent" })
  await program.load([account("ada"), item("ada", 1)])
  const db = new Database(join(program.folder, "shop.db"))
  db.run("CREATE TABLE sales (code, refunded)")
  const insert = db.query("INSERT INTO sales VALUES (?, ?)")
  insert.run("refunded", 1)
  for (let sale = 0; sale < 1_500; sale += 1) insert.run(`sale-${sale}`, 0)
  for (const code of ["refunded", "sale-1", "sale-2"]) insert.run(code, 0)
  db.close()
})
afterAll(() => program.close())

const noOptions = { strict: false, "dry-run": false, full: false }

const pull = (condition: string, values: Partial<FeedOptionValues> = {}) =>
  pullSales(
    program,
    `refunded AS revoked FROM sales WHERE ${condition} ORDER BY rowid`,
    parseFeedOptions({ ...noOptions, ...values }, "pull.json"),
  )

const explained =
  "3 rows repeat an earlier one; a revoked row takes precedence, then the first one; select each record once"

test("exit 0: a pull reports repeated codes, in a dry run too, and the refund stays", async () => {
  const dryRun = await pull("true", { "dry-run": true })
  expect(dryRun.summary).toMatchObject({ accepted: 1_504, repeated: 3 })
  expect(dryRun.messages).toContain(explained)
  const { status, summary, messages } = await pull("true")
  expect(status).toBe(0)
  expect(summary).toMatchObject({ accepted: 1_504, rejected: 0, repeated: 3 })
  expect(messages).toEqual([explained])
  const refunded = (await program.dump()).split("\n").find((line) => line.includes('"refunded"'))
  expect(refunded).toContain('"revoked":true')
  expect(await program.app.store.feed.findLastRun("shop")).toMatchObject({
    outcome: { remarks: { repeated: 3 } },
  })
  expect((await pull("rowid < 1000")).summary).not.toHaveProperty("repeated")
})

const eventCount = async () => {
  const count = "SELECT count(*) AS count FROM webhook_events"
  return Number((await queryStore<{ count: number | string }>(program, count))[0]?.count)
}

/** Far apart: they are in different batches. */
const filler = Array.from({ length: 1_500 }, (_, at) => purchase(`filler-${at}`, 1))

test("exit 0: rows with one identity do not alternate in full syncs, whatever their order", async () => {
  await program.app.store.endpoints.insert(endpointRecord("ep_all"))
  const gone = { type: "purchase", purchase_code: "p-gone", deleted: true }
  const [live, refunded] = [purchase("p-1", 1), purchase("p-1", 1, { revoked: true })]
  const rows = [
    ...[account("ada"), account("ada", { balance: 7 })],
    ...[item("ada", 1), item("ada", 1, { name: "Other" })],
    ...[live, purchase("p-2", 1), purchase("p-3", 1), purchase("p-3", 1, { revoked: true })],
    ...[purchase("p-gone", 1), ...filler, gone, account("ada", { balance: 8 })],
    ...[item("ada", 1, { name: "Third" }), purchase("p-2", 1, { buyer: "other" }), refunded],
  ]
  const end = { type: "end", accounts: 3, items: 3, purchases: 1_508 }
  const load = () =>
    loadText(
      program,
      toFeed([...rows, end]),
      parseFeedOptions({ ...noOptions, full: true, "max-deletes": "100%" }, "feed.ndjson"),
    )
  const first = await load()
  expect(first).toMatchObject({ status: 0, summary: { repeated: 8, rejected: 0 } })
  expect(first.messages.at(-1)).toContain("8 rows repeat an earlier one")
  const [dump, events] = [await program.dump(), await eventCount()]
  const lines = dump.split("\n")
  const find = (code: string) => lines.find((line) => line.includes(`"${code}"`)) ?? ""
  expect(find("p-1")).toContain('"revoked":true')
  expect(find("p-3")).toContain('"revoked":true')
  expect(find("p-2")).not.toContain("other")
  expect(find("p-gone")).not.toBe("")
  expect(dump).not.toContain("Other")
  for (let round = 0; round < 2; round += 1) {
    expect((await load()).summary).toMatchObject({ revoked: 0, restored: 0, removed: 0 })
    expect(await program.dump()).toBe(dump)
  }
  expect(await eventCount()).toBe(events)
})

test("exit 0: a refunded row after a live one changes nothing when it is pulled again", async () => {
  const db = new Database(join(program.folder, "shop.db"))
  db.run("BEGIN")
  db.run("DELETE FROM sales")
  const insert = db.query("INSERT INTO sales VALUES (?, ?)")
  insert.run("twice", 0)
  for (let sale = 0; sale < 1_500; sale += 1) insert.run(`more-${sale}`, 1)
  insert.run("twice", 1)
  db.run("COMMIT")
  await pull("true")
  db.run("UPDATE sales SET refunded = 0 WHERE code <> 'twice'")
  db.close()
  const events = await eventCount()
  for (const restored of [1_500, 0]) {
    const { status, summary } = await pull("true")
    const { revoked, repeated } = summary
    expect([status, revoked, summary.restored, repeated]).toEqual([0, 0, restored, 1])
  }
  const twice = (await program.dump()).split("\n").find((line) => line.includes('"twice"'))
  expect(twice).toContain('"revoked":true')
  expect(await eventCount()).toBe(events + 1_500)
})
