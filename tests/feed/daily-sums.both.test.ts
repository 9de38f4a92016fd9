import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Finding } from "../../src/doctor/finding.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { accountId } from "../harness/stores/store-records.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"

let program: Program
beforeAll(async () => {
  program = await startProgram()
  await program.load([
    ...[account("ada"), account("bob"), item("ada", 1), item("ada", 2), item("bob", 3)],
    ...["a", "b", "c"].map((code) => purchase(code, 1)),
    ...[purchase("d", 2, { currency: "TRY" }), purchase("e", 3)],
  ])
})
afterAll(() => program.close())

async function checkSums(...options: readonly string[]) {
  const { status, stdout } = await runInProcess(program.folder, ["doctor", "--json", ...options])
  const checks: readonly Finding[] = JSON.parse(stdout).checks
  return [status, checks.find(({ check }) => check === "sums")?.level]
}

async function readSums() {
  const { store } = program.app
  const ids = [await accountId(store, "ada"), await accountId(store, "bob")]
  const filters = [null, [1], [2], [3]].map((itemIds) => ({ itemIds, state: null, range: null }))
  const sums = [null, ...ids].flatMap((id) =>
    filters.map((filter) => store.sales.sumByDay(id, filter)),
  )
  return {
    sums: await Promise.all(sums),
    counts: await store.authorSearch.find(ids[0] ?? 0, "2026-06-30T12:00:00Z"),
  }
}

test.each([
  "UPDATE daily_sales SET sales = sales + 1 WHERE item_id = 1",
  "UPDATE daily_sales SET amount = amount - 1 WHERE item_id = 0",
  "DELETE FROM daily_sales WHERE item_id = 3",
  "UPDATE daily_sales SET sales = sales + 1 WHERE account_id = 0",
  "DELETE FROM account_counts",
  "UPDATE account_counts SET items = items + 1, purchases = purchases - 1",
  "INSERT INTO daily_sales SELECT account_id + 99, item_id, day, currency, is_refunded, sales, amount FROM daily_sales",
])("doctor reports wrong sums, and repairs them with --repair: %s", async (damage) => {
  const before = await readSums()
  expect(await checkSums("--full")).toEqual([0, "ok"])
  await queryStore(program, damage)
  expect(await checkSums("--full")).toEqual([1, "problem"])
  expect(await checkSums("--full")).toEqual([1, "problem"])
  expect(await checkSums("--full", "--repair")).toEqual([0, "warning"])
  expect(await checkSums("--full")).toEqual([0, "ok"])
  expect(await readSums()).toEqual(before)
})

test("only a full doctor repairs", async () => {
  const { status, stderr } = await runInProcess(program.folder, ["doctor", "--repair"])
  expect([status, stderr]).toEqual([2, expect.stringContaining("--repair needs --full")])
})
