/** What the console says of the traffic: how much, how fast, and who is refused. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import type { TrafficCount } from "../../../src/domain/usage/usage.ts"
import { formatTimestamp, secondsBefore } from "../../../src/domain/values/time/timestamp.ts"
import { TrafficPage } from "../../../src/http/console/traffic.tsx"
import { revokeKey } from "../../../src/operations/keys/change-key.ts"
import { account } from "../../contracts/records.ts"
import { addUsage } from "../../contracts/store-records.ts"
import { unescapeHtml } from "../../harness/browser/docs-page.ts"
import type { Visitor } from "../../harness/browser/visitor.ts"
import { consoleViewAt, textOf } from "../../harness/http/page-views.ts"
import { addOperator, openOperator } from "../../harness/operators.ts"
import { type Program, startProgram } from "../../harness/program.ts"

let program: Program
let deniz: Visitor
const at = formatTimestamp(new Date())
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  await addOperator(program, "deniz")
  deniz = await openOperator(program.url, "deniz")
})
afterAll(() => program.close())

const count = (kind: TrafficCount["kind"], operation: string, detail: string, count: number) => ({
  kind,
  operation,
  detail,
  count,
})
const { texts, words } = consoleViewAt("/console", "en")
const { traffic } = texts
/** The text of a page without its tags. */
const read = async (path: string) => unescapeHtml(textOf((await deniz.get(path)).text))

/** How a screen reader names the chart. */
const chartOf = async (path: string) =>
  unescapeHtml(/role="group" aria-label="([^"]*)"/.exec((await deniz.get(path)).text)?.[1] ?? "")

test("says that there is nothing yet", async () => {
  const html = await TrafficPage({
    view: consoleViewAt("/console/traffic", "en"),
    span: "day",
    since: at,
    periods: [],
    totals: [],
    rejectedKeys: [],
    rejectedAccounts: [],
    shipped: [],
    operatorSignIns: [],
  })
  expect(unescapeHtml(String(html))).toContain(traffic.none)
  expect(unescapeHtml(String(html))).toContain(traffic.noShipped)
})

test("200: requests, durations, sign-ins and limits of the last hour, day and month", async () => {
  const { counts } = program.app.store
  await counts.add(at, {
    traffic: [
      count("request", "validate_purchase", "ok", 1_200),
      count("request", "validate_purchase", "unknown_code", 34),
      count("duration", "validate_purchase", "0.00025", 1_000),
      count("duration", "validate_purchase", "+Inf", 234),
      count("sign_in", "", "wrong", 77),
    ],
  })
  await counts.add(secondsBefore(new Date(), 8 * 3_600), {
    traffic: [count("request", "validate_purchase", "revoked_code", 1_000)],
  })
  await counts.add(secondsBefore(new Date(), 20 * 86_400), {
    traffic: [count("request", "validate_purchase", "ok", 40_000)],
  })
  await counts.add(at, { traffic: [count("request", "workspace", "ok", 500)] })
  const hour = await read("/console/traffic?span=hour")
  const [ofApi = "", others = ""] = hour.split(traffic.otherRequests)
  expect([ofApi.includes("workspace 500"), others.includes("workspace 500")]).toEqual([false, true])
  const { validate_purchase } = words.keyPages.operations
  const { unknown_code, revoked_code } = traffic.reasons
  expect(hour).toContain(
    `${validate_purchase} 1,234 1,200 34 0 0.25 ms ${traffic.beyond("10 sec")}`,
  )
  expect(hour).toContain(`${unknown_code} ${validate_purchase} 34`)
  expect(hour).toContain(`${traffic.wrongPasswords} 77`)
  expect(hour).toContain(`${traffic.outcomes.wrong} 77`)
  expect(hour).not.toContain(`${revoked_code} ${validate_purchase}`)
  expect(await read("/console/traffic")).toContain(`${revoked_code} ${validate_purchase} 1,000`)
  expect(await chartOf("/console/traffic")).toBe(traffic.chart(2_234, 1_200))
  expect(await chartOf("/console/traffic?days=30")).toBe(traffic.chart(42_234, 41_200))
  // A bar of these is an hour, and none is today.
  const hasToday = async (path: string) =>
    unescapeHtml((await deniz.get(path)).text).includes(`>${words.overview.soFar}</text>`)
  expect(await hasToday("/console/traffic")).toBe(false)
  expect(await hasToday("/console/traffic?days=30")).toBe(true)
})

test("200: whose keys are rejected and why, who is being guessed, and which keys look shipped", async () => {
  await program.load([account("ada"), account("bob")])
  const { key } = await program.issue("ada")
  const { store } = program.app
  const call = { keyId: key.id, operation: "read_item", hour: at } as const
  const networks = Array.from({ length: 20 }, (_, index) => ({
    keyId: key.id,
    network: `192.0.${index}.0/24`,
    lastUsedAt: at,
  }))
  await addUsage(store, [{ ...call, outcome: "unknown_item", calls: 31 }], networks)
  await addUsage(store, [{ ...call, outcome: "revoked_key", calls: 1_400 }], [])
  await store.counts.add(at, { signIns: [{ username: "bob", outcome: "wrong", signIns: 999 }] })
  const text = await read("/console/traffic?span=hour")
  const { revoked_key, unknown_item } = traffic.reasons
  const { sk } = words.keys.kinds
  expect(text).toContain(`ada Test ${sk} 1,431 ${revoked_key} 1,400, ${unknown_item} 31`)
  expect(text).toContain("bob 999 0")
  expect(text).toContain(`ada Test ${sk} 20`)
  const { text: html } = await deniz.get("/console/traffic")
  expect(html).toContain(`href="/console/keys/${key.id}"`)
  await revokeKey(program.app.keyServices(commandLine), key)
  expect(await read("/console/traffic")).toContain(traffic.noShipped)
})

test("200: in Turkish too, and an unknown span is a day", async () => {
  const chart = await chartOf("/console/traffic?span=x&lang=tr")
  expect(chart).toBe(consoleViewAt("/console", "tr").texts.traffic.chart(2_234, 1_200))
  await deniz.get("/console?lang=en")
})
