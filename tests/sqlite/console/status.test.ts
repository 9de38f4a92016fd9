import { afterAll, beforeAll, expect, test } from "bun:test"
import { version } from "../../../package.json"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import { account } from "../../contracts/records.ts"
import { unescapeHtml } from "../../harness/browser/docs-page.ts"
import type { Visitor } from "../../harness/browser/visitor.ts"
import { consoleViewAt } from "../../harness/http/page-views.ts"
import { type Program, startProgram } from "../../harness/program.ts"
import { storeOf } from "../../harness/stores/test-stores.ts"
import { addOperator, openOperator } from "../../harness/test-operators.ts"

const token = "0123456789abcdefghijklmnopqrstuv"

let program: Program
let deniz: Visitor
beforeAll(async () => {
  program = await startProgram({ PAZAR_METRICS_TOKEN: token, LOG_LEVEL: "error" })
  await addOperator(program, "deniz")
  deniz = await openOperator(program.url, "deniz")
})
afterAll(() => program.close())

const { texts } = consoleViewAt("/console", "en")
const read = async (path: string) => unescapeHtml((await deniz.get(path)).text)

test("200: version, database, schema, servers and the last import", async () => {
  expect(await read("/console")).toContain(texts.imports.none)
  await program.load([account("ada"), account("bob")])
  const { store } = program.app
  const lastSeenAt = new Date().toISOString().replace(/\.\d+Z/, "Z")
  await store.nodes.put({
    id: "1",
    host: "web-1",
    url: "http://10.0.0.7:8080",
    version: "9.9.9",
    threads: 3,
    startedAt: lastSeenAt,
    lastSeenAt,
  })
  const { status, text: html } = await deniz.get("/console")
  expect(status).toBe(200)
  const text = unescapeHtml(html)
  const { ready, counts, disk, postgresBackup } = texts.status
  const isEmbedded = (await storeOf(program.folder)) === null
  for (const fact of [
    ...[version, `<dd>${store.schemaVersion}</dd>`, isEmbedded ? "SQLite" : "PostgreSQL"],
    ...[ready, "web-1", "http://10.0.0.7:8080", "9.9.9"],
    ...[counts(2, 0, 0), isEmbedded ? `<dt>${disk}</dt>` : postgresBackup],
  ]) {
    expect(text).toContain(fact)
  }
  if (isEmbedded) expect(html).toMatch(/<dd>[^<]*\d [kMGT]B[^<]*\d [kMGT]?B[^<]*<\/dd>/)
})

test("200: in Turkish too", async () => {
  const turkish = consoleViewAt("/console", "tr").texts
  expect(await read("/console?lang=tr")).toContain(turkish.status.lastImport)
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
  const findWarning = async (path: string) =>
    (await read(path)).match(/<li>.*?<\/li>/gs)?.find((each) => each.includes("2099-01-31T12:00"))
  expect(await findWarning("/console")).toContain(`>${texts.status.levels.problem}<`)
  const turkish = consoleViewAt("/console", "tr").texts
  const text = await findWarning("/console?lang=tr")
  expect(text).toContain(`>${turkish.status.levels.problem}</span> saat:`)
  expect(text).not.toContain('lang="en"')
  await deniz.get("/console?lang=en")
})

test("200: settings with their origin, and no secret", async () => {
  const { status, text } = await deniz.get("/console/settings")
  expect(status).toBe(200)
  expect(text).toContain("PAZAR_METRICS_TOKEN")
  expect(text).toContain("••••")
  expect(text).not.toContain(token)
  expect(text).toMatch(/PORT<\/td><td class="mono"[^>]*>0<\/td>/)
})
