import { afterAll, beforeAll, expect, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { revokeKey } from "../../src/keys/key-operations.ts"
import { t } from "../../src/platform/t.ts"
import { formatTimestamp, lastDays } from "../../src/platform/time.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import type { Visitor } from "../harness/browser/visitor.ts"
import { textOf } from "../harness/http/page-views.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { addUsage } from "../harness/stores/store-records.ts"
import { openNewOperator } from "../harness/test-operators.ts"

let program: Program
let deniz: Visitor
const days = lastDays(formatTimestamp(new Date()), 40)
const today = days.at(-1) ?? ""
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  deniz = await openNewOperator(program, "deniz")
  await program.load([account("ada"), account("bob")])
})
afterAll(() => program.close())
const read = async (path: string) => unescapeHtml(textOf((await deniz.get(path)).text))
const chartOf = async (path: string) =>
  unescapeHtml(/role="group" aria-label="([^"]*)"/.exec((await deniz.get(path)).text)?.[1] ?? "")

test("200: reports that there are no requests yet", async () => {
  const text = await read("/console/traffic")
  expect(text).toContain("No requests on these days.")
  expect(text).toContain("No secret key looks shipped.")
})

test("200: the requests of all authors by day, operation and error code", async () => {
  const keys = [await program.issue("ada"), await program.issue("bob")]
  const trial = await program.issue("ada", "tk")
  const call = { operation: "validate_purchase", day: today } as const
  await addUsage(program.app.store, {
    calls: [
      ...keys.map(({ key }) => ({ ...call, keyId: key.id, outcome: "ok" as const, calls: 600 })),
      { ...call, keyId: trial.key.id, outcome: "ok", calls: 9_999 },
      { ...call, keyId: keys[0]?.key.id ?? "", outcome: "unknown_code", calls: 34 },
      { ...call, keyId: keys[0]?.key.id ?? "", day: days[1] ?? "", outcome: "ok", calls: 40_000 },
    ],
  })
  const text = await read("/console/traffic")
  expect(text).toContain(`Validate a purchase 1,234 1,200 34 0`)
  expect(text).toContain(`Unknown code 34 100%`)
  expect(await chartOf("/console/traffic")).toBe(
    t("{total request|requests}, {ok} successful.", { total: 1_234, ok: 1_200 }),
  )
  expect(await chartOf("/console/traffic?days=90")).toBe(
    t("{total request|requests}, {ok} successful.", { total: 41_234, ok: 41_200 }),
  )
  expect(await chartOf("/console/traffic?lang=tr")).toBe("1.234 istek; 1.200 tanesi başarılı.")
  await deniz.get("/console?lang=en")
})

test("200: lists failed requests of all authors; an error code leads to its own", async () => {
  const [ada, bob] = [await program.issue("ada"), await program.issue("bob")]
  const at = `${today}T00:00:01Z`
  const failure = { operation: "validate_purchase", reason: "unknown_code", calls: 1 } as const
  const times = { firstAt: at, lastAt: at }
  await addUsage(program.app.store, {
    calls: [
      {
        ...{ operation: "validate_purchase", outcome: "missing_parameter", day: today, calls: 1 },
        keyId: ada.key.id,
      },
    ],
    failures: [
      {
        ...{ ...failure, ...times, reason: "missing_parameter", ipRange: "198.51.100.0/24" },
        ...{ keyId: ada.key.id, code: "" },
      },
      { ...failure, ...times, keyId: ada.key.id, ipRange: "192.0.2.0/24", code: "of-ada" },
      { ...failure, ...times, keyId: bob.key.id, ipRange: "192.0.2.0/24", code: "of-bob" },
    ],
  })
  const { text } = await deniz.get("/console/traffic")
  for (const shown of ["of-ada", "of-bob", "198.51.100.0/24"]) expect(text).toContain(shown)
  const path = /row-link" href="([^"]*unknown_code[^"]*)"/.exec(text)?.[1] ?? ""
  const listed = await read(unescapeHtml(path))
  for (const shown of ["ada", "bob", "of-ada", "of-bob"]) expect(listed).toContain(shown)
  expect(listed).not.toContain("198.51.100.0/24")
})

test("200: lists keys that look shipped", async () => {
  const { key } = await program.issue("ada")
  const ipRanges = Array.from({ length: 20 }, (_, index) => ({
    keyId: key.id,
    ipRange: `192.0.${index}.0/24`,
    lastDay: today,
  }))
  await addUsage(program.app.store, { ipRanges })
  expect(await read("/console/traffic")).toContain(`Test Secret ada 20`)
  expect((await deniz.get("/console/traffic")).text).toContain(
    `href="/workspace/ada/settings/keys/${key.id}"`,
  )
  await revokeKey(program.app.keyServices(commandLine), key)
  expect(await read("/console/traffic")).toContain("No secret key looks shipped.")
})
