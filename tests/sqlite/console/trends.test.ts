/** A wrong import and unknown codes are noticed, although every request gets a correct response. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { divide } from "../../../src/domain/values/divide.ts"
import { daysBefore, formatTimestamp } from "../../../src/domain/values/time/timestamp.ts"
import { recordTrends } from "../../../src/operations/running/record-trends.ts"
import { account, item, purchase } from "../../contracts/records.ts"
import { addUsage } from "../../contracts/store-records.ts"
import { until } from "../../contracts/until.ts"
import { unescapeHtml } from "../../harness/browser/docs-page.ts"
import type { Visitor } from "../../harness/browser/visitor.ts"
import { consoleViewAt, textOf } from "../../harness/http/page-views.ts"
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

const { texts } = consoleViewAt("/console", "en")
const readPage = async (path: string) => unescapeHtml(textOf((await deniz.get(path)).text))

type Check = Readonly<{ check: string; level: string; detail: string }>

async function listChecks(): Promise<readonly Check[]> {
  const { stdout } = await runInProcess(program.folder, ["doctor", "--quick", "--json"])
  return JSON.parse(stdout)
    .checks.filter(({ check }: Check) => ["purchases", "unknown codes"].includes(check))
    .map(({ check, level, detail }: Check) => ({ check, level, detail }))
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
  expect(await readPage("/console")).not.toContain(texts.status.trends.title)
  expect(await listChecks()).toEqual([])
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
  expect(await listChecks()).toEqual([])

  // In small imports, which the limits of deleted and revoked records do not stop.
  for (const some of divide(codes.slice(0, 80), 20)) {
    await program.load(some.map((code) => purchase(code, 1, { revoked: true })))
  }
  await countUsage(now, 900, 100)
  program.startHousekeeping()
  expect(await until(findPurchases)).toEqual([1_120, 80])

  const checks = await listChecks()
  expect(checks.map(({ check, level }) => [check, level])).toEqual([
    ["purchases", "warning"],
    ["unknown codes", "warning"],
  ])
  const [drop = "", jump = ""] = checks.map(({ detail }) => detail)
  for (const fact of ["1,120", "7 %", "1,200"]) expect(drop).toContain(fact)
  for (const fact of ["10 %", "1,000", "2 %"]) expect(jump).toContain(fact)
  const page = await readPage("/console")
  const { levels, trends } = texts.status
  expect(page).toContain(`${levels.warning} purchases: ${drop}.`)
  expect(page).toContain(`${levels.warning} unknown codes: ${jump}.`)
  expect(page).toContain(`${trends.valid} 1,120 1,200 ${trends.revoked} 80 0`)
  const [now10, before2] = [trends.ofValidations("10%", 1_000), trends.ofValidations("2%", 2_000)]
  expect(page).toContain(`${trends.unknown} ${now10} ${before2}`)
  const told = consoleViewAt("/console", "tr").texts.imports.told(jump)
  for (const fact of ["%10", "1.000", "%2"]) expect(told.own).toContain(fact)
  const { text: turkish } = await deniz.get("/console?lang=tr")
  expect(unescapeHtml(textOf(turkish))).toContain(told.own)
  expect(turkish).not.toContain('<span lang="en">')
  await deniz.get("/console?lang=en")
})
