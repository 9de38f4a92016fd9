/** A wrong import and unknown codes are noticed, although every request gets a correct response. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { divide } from "../../../src/domain/values/divide.ts"
import { daysBefore, formatTimestamp } from "../../../src/domain/values/time/timestamp.ts"
import { recordTrends } from "../../../src/operations/running/record-trends.ts"
import { account, item, purchase } from "../../contracts/records.ts"
import { addUsage } from "../../contracts/store-records.ts"
import { until } from "../../contracts/until.ts"
import type { Visitor } from "../../harness/browser/visitor.ts"
import { findValue, readPrometheusText } from "../../harness/http/prometheus-text.ts"
import { addOperator, openOperator } from "../../harness/operators.ts"
import { type Program, startProgram } from "../../harness/program.ts"
import { runInProcess } from "../../harness/run-in-process.ts"

const token = "metrics-token-of-32-characters-or-more"
let program: Program
let deniz: Visitor
beforeAll(async () => {
  program = await startProgram({ PAZAR_METRICS_TOKEN: token, LOG_LEVEL: "error" })
  await addOperator(program, "deniz")
  deniz = await openOperator(program.url, "deniz")
})
afterAll(() => program.close())

const now = formatTimestamp(new Date())
const weekAgo = daysBefore(now, 7)
const codes = Array.from({ length: 1_200 }, (_, at) => `code-${at}`)

async function readPage(path: string): Promise<string> {
  const { text } = await deniz.get(path)
  return text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")
}

async function listChecks(command: "doctor" | "status"): Promise<readonly string[]> {
  const { stdout } = await runInProcess(program.folder, [command, "--json"])
  const { checks, warnings } = JSON.parse(stdout)
  return (checks ?? warnings)
    .filter(({ check }: { check: string }) => ["purchases", "unknown codes"].includes(check))
    .map(({ level, detail }: { level: string; detail: string }) => `${level}: ${detail}`)
}

/** The valid and the revoked ones, as Prometheus gets them; undefined until they are counted. */
async function findPurchases(): Promise<readonly (number | null)[] | undefined> {
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(`${program.url}/metrics`, { headers })
  const families = readPrometheusText(await response.text())
  const states = ["valid", "revoked"].map((state) =>
    findValue(families, "pazar_purchases", { state }),
  )
  return states.includes(null) ? undefined : states
}

async function countUsage(hour: string, ok: number, unknown: number): Promise<void> {
  const { key } = await program.issue("ada", "vk")
  const count = { keyId: key.id, operation: "validate_purchase", hour } as const
  await addUsage(
    program.app.store,
    [
      { ...count, outcome: "ok", calls: ok },
      { ...count, outcome: "unknown_code", calls: unknown },
    ],
    [],
  )
}

test("without a count there is nothing to compare", async () => {
  expect(await readPage("/console")).not.toContain("Valid purchases")
  expect(await listChecks("doctor")).toEqual([])
  expect(await findPurchases()).toBeUndefined()
})

test("imports that revoke too many purchases, and unknown codes, need attention", async () => {
  await program.load([account("ada"), item("ada", 1)])
  await program.load(codes.map((code) => purchase(code, 1)))
  await countUsage(weekAgo, 1_960, 40)
  // Two days, because this test may run at midnight.
  for (const at of [weekAgo, daysBefore(now, 6)]) {
    await recordTrends(program.app.store, { now: () => new Date(at), pause: async () => {} })
  }
  expect(await listChecks("status")).toEqual([])

  // In small imports, which the limits of deleted and revoked records do not stop.
  for (const some of divide(codes.slice(0, 80), 20)) {
    await program.load(some.map((code) => purchase(code, 1, { revoked: true })))
  }
  await countUsage(now, 900, 100)
  program.startHousekeeping()
  expect(await until(findPurchases)).toEqual([1_120, 80])

  const page = await readPage("/console")
  const [drop = ""] = /1,120 are valid, 7 % fewer than on \S+ \(1,200\)/.exec(page) ?? []
  const jump = "10 % of 1,000 validations since yesterday, 2 % a week before"
  expect(page).toContain(`Warning purchases: ${drop}.`)
  expect(page).toContain(`Warning unknown codes: ${jump}.`)
  expect(page).toContain("Valid purchases 1,120 1,200 Refunded purchases 80 0")
  expect(page).toContain("today and yesterday 10% of 1,000 2% of 2,000")
  for (const command of ["doctor", "status"] as const) {
    expect(await listChecks(command)).toEqual([`warning: ${drop}`, `warning: ${jump}`])
  }
  const turkish = (await deniz.get("/console?lang=tr")).text
  expect(turkish).toContain("dünden beri yapılan 1.000 doğrulamada oran %10; bir hafta önce %2 idi")
  expect(turkish).not.toMatch(/lang="en">(?!English)/)
  await deniz.get("/console?lang=en")
})
