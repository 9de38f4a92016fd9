import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { pullRound } from "../../../src/cli/commands/pull-command.ts"
import { type FeedOptionValues, parseFeedOptions } from "../../../src/cli/feed/feed-options.ts"
import { parsePullFile } from "../../../src/pull/pull-file.ts"
import { account, item } from "../../contracts/records.ts"
import { captureOutput } from "../../harness/load-text.ts"
import { type Program, startProgram } from "../../harness/program.ts"

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

async function pull(condition: string, values: Partial<FeedOptionValues> = {}) {
  const { context, messages, written } = captureOutput()
  const file = {
    connection: "sqlite:shop.db",
    purchases: `SELECT code AS purchase_code, 1 AS item_id, 'Regular' AS license_type, 19 AS price, 'USD' AS currency,
      0 AS downloaded, '2025-01-02T00:00:00Z' AS date, refunded AS revoked FROM sales WHERE ${condition} ORDER BY rowid`,
  }
  const options = { strict: false, "dry-run": false, full: false, ...values }
  const status = await pullRound(program.app, context, {
    file: parsePullFile(JSON.stringify(file), {
      env: {},
      readText: () => null,
      resolvePath: (path) => join(program.folder, path),
    }),
    name: "shop",
    everySeconds: 30,
    since: null,
    options: parseFeedOptions(options, "pull.json"),
    checkStopped: () => {},
  })
  return { status, summary: JSON.parse(written()), messages }
}
const explained =
  "3 rows repeat the purchase code of an earlier row: row 1502 of purchases, row 1503 of purchases, row 1504 of purchases; a revoked row takes precedence, then the last one; select each code once"

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
    outcome: { repeated: { records: 3, firstLines: [1_502, 1_503, 1_504] } },
  })
  expect((await pull("rowid < 1000")).summary).not.toHaveProperty("repeated")
})
