/** The first page of the console, and the settings. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { version } from "../../../package.json"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import { account } from "../../contracts/records.ts"
import type { Visitor } from "../../harness/browser/visitor.ts"
import { addOperator, openOperator } from "../../harness/operators.ts"
import { type Program, startProgram } from "../../harness/program.ts"
import { storeOf } from "../../harness/stores/stores.ts"

const token = "0123456789abcdefghijklmnopqrstuv"

let program: Program
let deniz: Visitor
beforeAll(async () => {
  program = await startProgram({ PAZAR_METRICS_TOKEN: token, LOG_LEVEL: "error" })
  await addOperator(program, "deniz")
  deniz = await openOperator(program.url, "deniz")
})
afterAll(() => program.close())

test("200: version, store, schema, servers and the last import", async () => {
  const empty = (await deniz.get("/console")).text
  expect(empty).toContain("Nothing was imported yet.")
  await program.load([account("ada"), account("bob")])
  const { store } = program.app
  const seen = new Date().toISOString().replace(/\.\d+Z/, "Z")
  await store.nodes.put({
    id: "1",
    host: "web-1",
    url: "http://10.0.0.7:8080",
    version: "9.9.9",
    threads: 3,
    startedAt: seen,
    lastSeenAt: seen,
  })
  const { status, text } = await deniz.get("/console")
  expect(status).toBe(200)
  const isEmbedded = (await storeOf(program.folder)) === null
  for (const fact of [
    ...[version, `<dd>${store.schemaVersion}</dd>`, isEmbedded ? "SQLite" : "PostgreSQL"],
    ...["Ready", "web-1", "http://10.0.0.7:8080", "9.9.9"],
    ...["2 accepted, 0 rejected, 0 removed", isEmbedded ? "free; the store takes" : "No replicas"],
  ]) {
    expect(text).toContain(fact)
  }
})

test("200: in Turkish too", async () => {
  const { text } = await deniz.get("/console?lang=tr")
  expect(text).toContain("Son içe aktarma")
  await deniz.get("/console?lang=en")
})

test("200: the warnings of doctor, in the language of the page", async () => {
  await program.app.store.audit.insert({
    at: "2099-01-31T12:00:00Z",
    actor: commandLine,
    kind: "operator",
    action: "created",
    account: null,
    subjectId: "ece",
    subjectName: "",
    count: 1,
  })
  const english = (await deniz.get("/console")).text
  expect(english).toMatch(
    /clock: it shows \S+, but the store has an entry of 2099.+ Keep the clocks/,
  )
  const turkish = (await deniz.get("/console?lang=tr")).text
  expect(turkish).toMatch(/saat: \S+ gösteriyor, oysa veri deposunda 2099.+ Saatleri NTP ile/)
  expect(turkish).not.toMatch(/it shows|lang="en">(?!English)/)
  await deniz.get("/console?lang=en")
})

test("200: settings with their origin, and no secret", async () => {
  const { status, text } = await deniz.get("/console/settings")
  expect(status).toBe(200)
  expect(text).toContain("PAZAR_METRICS_TOKEN")
  expect(text).toContain("••••")
  expect(text).not.toContain(token)
  expect(text).toMatch(/PORT<\/td><td class="mono" data-label="Value">0<\/td>/)
})
