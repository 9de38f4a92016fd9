import { afterAll, beforeAll, expect, test } from "bun:test"
import { version } from "../../package.json"
import { commandLine } from "../../src/access/actor.ts"
import type { Reason } from "../../src/platform/error.ts"
import { formatDateTime } from "../../src/platform/pages/elements.tsx"
import { t } from "../../src/platform/t.ts"
import { formatTimestamp, lastDays } from "../../src/platform/time.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import type { Visitor } from "../harness/browser/visitor.ts"
import { textOf } from "../harness/http/page-views.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { storeOf } from "../harness/stores/test-stores.ts"
import { openNewOperator } from "../harness/test-operators.ts"

const token = "0123456789abcdefghijklmnopqrstuv"

let program: Program
let deniz: Visitor
beforeAll(async () => {
  program = await startProgram({ PAZAR_METRICS_TOKEN: token, LOG_LEVEL: "error" })
  deniz = await openNewOperator(program, "deniz")
})
afterAll(() => program.close())
const shownOf = (html: string) => textOf(html)
const read = async (path: string) => unescapeHtml((await deniz.get(path)).text)

test("200: version, database, schema and servers", async () => {
  expect(await read("/console")).toContain("No imports yet. Run “pazar import FILE” on the server.")
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
  const isEmbedded = (await storeOf(program.folder)) === null
  for (const fact of [
    ...[version, `<dd>${store.schemaVersion}</dd>`, isEmbedded ? "SQLite" : "PostgreSQL"],
    ...["Ready", "web-1", "http://10.0.0.7:8080", "9.9.9"],
    isEmbedded ? `<dt>Disk</dt>` : "Use the tools of PostgreSQL. Their backups are not shown here.",
  ]) {
    expect(text).toContain(fact)
  }
  if (isEmbedded) expect(html).toMatch(/<dd>[^<]*\d [kMGT]B[^<]*\d [kMGT]?B[^<]*<\/dd>/)
})

test("200: requests of today and yesterday, busiest authors, latest imports and changes", async () => {
  const before = shownOf(await read("/console"))
  expect(before).toContain(`p99 of validations –`)
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
  expect(shown).toContain(`Requests today (UTC) 1,000 ${t("yesterday {value}", { value: "4" })}`)
  expect(shown).toContain(`Success rate today 80% ${t("yesterday {value}", { value: "75%" })}`)
  expect(shown).toContain(
    `Errors today 100 ${t("{server} server errors; yesterday {before}", { server: "40", before: "1" })}`,
  )
  expect(shown).toMatch(/p99 of validations [\d.,]+ ms/)
  const busiest = shown.split("Busiest authors since yesterday")[1] ?? ""
  expect(busiest).toMatch(/^.*?ada 1,000 bob 4 /)
  expect(shown.split("Latest imports")[1]).toMatch(/^.*? test /)
  expect(shown.split("Latest changes")[1]).toContain("Key created")
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
  expect(warning).toContain(formatDateTime("2099-01-31T12:00:00Z"))
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
