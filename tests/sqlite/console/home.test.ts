import { afterAll, beforeAll, expect, test } from "bun:test"
import { version } from "../../../package.json"
import { commandLine } from "../../../src/access/actor.ts"
import type { Reason } from "../../../src/platform/error.ts"
import { formatDateTime } from "../../../src/platform/pages/elements.tsx"
import { formatTimestamp, lastDays } from "../../../src/platform/time.ts"
import { unescapeHtml } from "../../harness/browser/docs-page.ts"
import type { Visitor } from "../../harness/browser/visitor.ts"
import { consoleViewAt, textOf } from "../../harness/http/page-views.ts"
import { type Program, startProgram } from "../../harness/program.ts"
import { account } from "../../harness/records.ts"
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
const shownOf = (html: string) => textOf(html)
const read = async (path: string) => unescapeHtml((await deniz.get(path)).text)

test("200: version, database, schema and servers", async () => {
  expect(await read("/console")).toContain(texts.imports.none)
  await program.load([account("ada"), account("bob")])
  const { store } = program.app
  const lastSeenAt = formatTimestamp(new Date())
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
  const { ready, disk, postgresBackup } = texts.home
  const isEmbedded = (await storeOf(program.folder)) === null
  for (const fact of [
    ...[version, `<dd>${store.schemaVersion}</dd>`, isEmbedded ? "SQLite" : "PostgreSQL"],
    ...[ready, "web-1", "http://10.0.0.7:8080", "9.9.9"],
    isEmbedded ? `<dt>${disk}</dt>` : postgresBackup,
  ]) {
    expect(text).toContain(fact)
  }
  if (isEmbedded) expect(html).toMatch(/<dd>[^<]*\d [kMGT]B[^<]*\d [kMGT]?B[^<]*<\/dd>/)
})

test("200: requests of today and yesterday, busiest authors, latest imports and changes", async () => {
  const before = shownOf(await read("/console"))
  expect(before).toContain(`${texts.home.latency} –`)
  const { key, secret } = await program.issue("ada")
  const other = await program.issue("bob")
  const [yesterday = "", today = ""] = lastDays(formatTimestamp(new Date()), 2)
  const count = (keyId: string, day: string, outcome: Reason, calls: number) =>
    ({ keyId, day, operation: "validate_purchase", outcome, calls }) as const
  await program.app.store.counts.add(`${today}T00:00:00Z`, {
    calls: [
      ...[count(key.id, today, "ok", 800), count(key.id, today, "unknown_code", 100)],
      ...[count(key.id, today, "rate_limited", 60), count(key.id, today, "unavailable", 40)],
      ...[
        count(other.key.id, yesterday, "ok", 3),
        count(other.key.id, yesterday, "unavailable", 1),
      ],
    ],
  })
  await fetch(`${program.url}/api/purchases/validation?api_key=${secret}&purchase_code=none`)
  const shown = shownOf(await read("/console"))
  const { home } = texts
  expect(shown).toContain(`${home.requests} 1,000 ${home.yesterday("4")}`)
  expect(shown).toContain(`${home.successRate} 80% ${home.yesterday("75%")}`)
  expect(shown).toContain(`${home.errors} 100 ${home.errorsNote("40", "1")}`)
  expect(shown).toMatch(new RegExp(`${home.latency} [\\d.,]+ ms`))
  const busiest = shown.split(home.busiest)[1] ?? ""
  expect(busiest).toMatch(/^.*?ada 1,000 bob 4 /)
  expect(shown.split(home.latestImports)[1]).toMatch(/^.*? test /)
  expect(shown.split(home.latestChanges)[1]).toContain(texts.audit.actions.key.created)
})

test("200: the warnings of doctor, in the language of the page, each with what to do", async () => {
  await program.app.store.audit.insert({
    at: "2099-01-31T12:00:00Z",
    actor: commandLine,
    kind: "operator",
    action: "invited",
    account: null,
    subjectId: "ece",
    subjectName: "",
    count: 1,
  })
  const readWarnings = async (path: string) =>
    /id="attention-title".*?<\/section>/s.exec(await read(path))?.[0]
  const warning = (await readWarnings("/console")) ?? ""
  // A time for people, and a command to copy.
  expect(warning).toContain(formatDateTime("2099-01-31T12:00:00Z", "en"))
  expect(warning).toMatch(/<button [^>]*data-copy="timedatectl [^"]+"/)
  const text = await readWarnings("/console?lang=tr")
  expect(text).toContain('<span class="pill danger">Saat</span>')
  expect(text).not.toContain('lang="en"')
  await deniz.get("/console?lang=en")
})

test("200: settings with their origin, and no secret", async () => {
  const { status, text } = await deniz.get("/console/settings")
  expect(status).toBe(200)
  expect(text).toContain("PAZAR_METRICS_TOKEN")
  expect(text).toContain("••••")
  expect(text).not.toContain(token)
  expect(text).toMatch(/PORT<\/bdi><\/td><td [^>]*><bdi>0<\/bdi>/)
})
