import { afterAll, beforeAll, expect, test } from "bun:test"
import { formatDay } from "../../src/platform/pages/elements.tsx"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import type { Visitor } from "../harness/browser/visitor.ts"
import { textOf } from "../harness/http/page-views.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { openNewOperator } from "../harness/test-operators.ts"

const now = new Date("2026-06-15T12:00:00Z")
let program: Program
let deniz: Visitor

beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" }, {}, undefined, () => now)
  deniz = await openNewOperator(program, "deniz")
  const event = { kind: "purchase", action: "refunded", account: null, count: 1 } as const
  const by = (name: string, at: string, subjectId: string, kind: "operator" | "author") =>
    ({ ...event, at, actor: { kind, name, ipRange: "" }, subjectId, subjectName: "" }) as const
  await program.app.store.audit.insert(
    by("cem", "2026-06-13T08:09:10Z", "older", "author"),
    by("ece", "2026-06-14T23:59:59Z", "of-ece", "operator"),
    by("deniz", "2026-06-15T00:00:00Z", "of-deniz", "operator"),
  )
})
afterAll(() => program.close())

/** The table only: the filters name every action and operator. */
async function readRows(query: string): Promise<string> {
  const [, table = ""] = (await deniz.get(`/console/audit?kind=purchase&${query}`)).text.split(
    "<tbody",
  )
  return unescapeHtml(textOf(`<tbody${table}`))
}

test("200: events are grouped by day, with exact times in UTC", async () => {
  const rows = await readRows("")
  const day = formatDay("2026-06-13")
  const order = [
    ...["Today", "00:00:00", "of-deniz"],
    ...["Yesterday", "23:59:59", "of-ece"],
    ...[day, "08:09:10", "older"],
  ]
  const found = order.map((text) => rows.indexOf(text))
  expect(found).toEqual(found.toSorted((one, other) => one - other))
  expect(found).not.toContain(-1)
})

test("200: the filter selects everybody of a kind, or one operator", async () => {
  const operators = await readRows("actor=operator")
  expect([operators.includes("of-ece"), operators.includes("older")]).toEqual([true, false])
  const own = await readRows("actor=operator:deniz")
  expect([own.includes("of-deniz"), own.includes("of-ece")]).toEqual([true, false])
  const csv = (await deniz.get("/console/audit.csv?actor=operator:ece")).text
  expect([csv.includes("of-ece"), csv.includes("of-deniz")]).toEqual([true, false])
})
