import { afterAll, beforeAll, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { tokens } from "../../src/access/token.ts"
import { listIncidents, sendAlerts } from "../../src/doctor/alerts.ts"
import { findOrCreateOwner } from "../../src/people/sign-in-operations.ts"
import { message } from "../../src/platform/problem.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openVisitor, type Visitor, withoutFormTokens } from "../harness/browser/visitor.ts"
import {
  type MailServer,
  openMailServer,
  pathIn,
  type ReceivedEmail,
  smtpSettings,
} from "../harness/mail-server.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, type Line, toFeed } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { queryStore, storeText } from "../harness/stores/stored-rows.ts"
import { openNewOperator, operatorPassword, signInOperator } from "../harness/test-operators.ts"
import { until } from "../harness/until.ts"

const operatorToken = "operator-token-of-32-characters-or-more"
const emailOf = (name: string) => `${name}@example.com`

let mail: MailServer
let program: Program
let now = new Date()
let deniz: Visitor
beforeAll(async () => {
  mail = await openMailServer()
  const settings = {
    ...smtpSettings(mail),
    PAZAR_SITE_NAME: "Çarşı",
    PAZAR_TRUSTED_PROXIES: "127.0.0.1",
    PAZAR_OPERATOR_TOKEN: operatorToken,
  }
  program = await startProgram(settings, {}, undefined, () => now)
  const authors = ["ada", "bora", "cem", "elif"].map((name) =>
    account(name, { email: emailOf(name) }),
  )
  await program.load([...authors, account("none", { email: "" })])
  deniz = await openNewOperator(program, "deniz")
  program.startHousekeeping()
})
afterAll(async () => {
  await program.close()
  await mail.close()
})
const to = (address: string) => (email: ReceivedEmail) => email.to.includes(address)
async function isEmpty(): Promise<void> {
  // Reads of one turn of the event loop share a snapshot, which may be older than a command's write.
  await new Promise((next) => setImmediate(next))
  await until(async () => (await program.app.store.emails.findWaiting()) === null || undefined)
}

let visitors = 0
/** Each visitor has another IP range. */
function openStranger(): Visitor {
  visitors += 1
  return openVisitor(program.url, { "X-Forwarded-For": `198.51.${visitors}.7` })
}

const resetPath = "/login/reset"
const requestReset = (email: string, visitor = openStranger(), path = resetPath) =>
  visitor.submit(path, { email }, path)

const password = "elma armut pencere"
const accept = (path: string, visitor = openStranger()) =>
  visitor.submit(path, { password, repeat: password }, path)

test("an author resets a forgotten password: sessions end, and the link works once", async () => {
  await givePassword(program, "ada")
  const browser = openStranger()
  await browser.signIn("ada")
  expect((await browser.get("/login")).location).toBe("/workspace")
  expect((await openStranger().get("/login")).text).toContain("Forgot your password?")
  const arriving = mail.next(to("ada@example.com"))
  const { status, text } = await requestReset(" ADA@example.com ")
  expect([
    status,
    unescapeHtml(text).includes(
      "If somebody signs in here with this address, a link is on its way. It works once, within an hour. 2FA stays enabled.",
    ),
  ]).toEqual([200, true])
  const email = await arriving
  expect(email.text).toContain("ada")
  expect(email.subject).toContain("Çarşı")
  const path = pathIn(email)
  expect(path).toStartWith("/invite/")
  expect((await accept(path)).location).toBe("/workspace?done=welcome")
  expect((await browser.get("/workspace/ada")).status).toBe(303)
  expect((await openStranger().get(path)).status).toBe(404)
  await isEmpty()
})

test("a link expires after an hour", async () => {
  const arriving = mail.next(to("bora@example.com"))
  await requestReset("bora@example.com")
  const path = pathIn(await arriving)
  expect((await openStranger().get(path)).status).toBe(200)
  now = new Date(now.getTime() + 3_600_000)
  expect((await openStranger().get(path)).status).toBe(404)
})

test("known, unknown and suspended addresses get the same response; only the known get an e-mail", async () => {
  await program.load([account("elif", { email: emailOf("elif"), suspended: true })])
  const before = mail.received.length
  const responses = await Promise.all(
    ["cem@example.com", "nobody@example.com", "elif@example.com", "deniz@example.com"].map(
      async (address) => {
        const { status, text } = await requestReset(address)
        return { status, text: withoutFormTokens(text) }
      },
    ),
  )
  expect(responses[0]?.status).toBe(200)
  expect(new Set(responses.map((each) => JSON.stringify(each))).size).toBe(1)
  await isEmpty()
  expect(mail.received.slice(before).map((email) => email.to)).toEqual([["cem@example.com"]])
})

test("422: a text that is not an address", async () => {
  const { status, text } = await requestReset("a@b.com, c@d.com")
  expect([status, unescapeHtml(text).includes("Enter an e-mail address.")]).toEqual([422, true])
})

test.each([["bora@example.com"], ["unknown@example.com"]])(
  "429: three requests an hour for %s, from anywhere",
  async (address) => {
    now = new Date(now.getTime() + 3_600_000)
    const statuses: number[] = []
    for (let i = 0; i < 4; i += 1) statuses.push((await requestReset(address)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    now = new Date(now.getTime() + 3_600_000)
    expect((await requestReset(address)).status).toBe(200)
    await isEmpty()
  },
)

test("an author with two-factor authentication still needs a code", async () => {
  const { store } = program.app
  await givePassword(program, "cem")
  const cem = await store.people.findByName("cem")
  await store.twoFactor.put(cem?.id ?? 0, "", {
    encrypted: new Uint8Array([1]),
    usedStep: 0,
    recoveryDigests: [],
  })
  const arriving = mail.next(to("cem@example.com"))
  await requestReset("cem@example.com")
  expect((await accept(pathIn(await arriving))).location).toBe("/login/code?done=first_password")
  await store.twoFactor.remove(cem?.id ?? 0)
})

let denizPassword = operatorPassword
const change = (path: string, fields: Readonly<Record<string, string>> = {}) =>
  deniz.submit(path, { ...fields, password: denizPassword }, path)

test("an operator gets an address in the console, resets the password, and is audited", async () => {
  const id = (await program.app.store.operators.findByName("deniz"))?.id ?? 0
  const path = `/console/operators/${id}/email`
  const wrong = await change(path, { email: "deniz" })
  expect([wrong.status, unescapeHtml(wrong.text).includes("Enter an e-mail address.")]).toEqual([
    422,
    true,
  ])
  const saved = await change(path, { email: "deniz@example.com" })
  expect(saved.location).toBe("/console/operators?done=operator_email")
  expect((await deniz.get("/console/operators")).text).toContain("deniz@example.com")
  const [event] = await program.app.store.audit.list({ accountId: null, kind: "person" }, null, 1)
  expect(event).toMatchObject({ action: "email", subjectId: "deniz", actor: { name: "deniz" } })
  await isEmpty()
  const arriving = mail.next(to("deniz@example.com"))
  await requestReset("deniz@example.com", openStranger())
  const link = pathIn(await arriving)
  expect(link).toStartWith("/invite/")
  expect((await accept(link)).location).toBe("/console?done=welcome")
  expect((await deniz.get("/console")).status).toBe(303)
  deniz = openVisitor(program.url)
  denizPassword = password
  await signInOperator(deniz, "deniz", { password })
})

test("the console sends an invitation to an author in the author's language, instead of showing it", async () => {
  const account = await program.app.store.accounts.findByUsername("bora")
  if (account === null) throw new Error("no author")
  const { id } = await findOrCreateOwner({ ...program.app.store, now: program.app.now }, account)
  await program.app.store.people.putLocale(id, "tr")
  const path = `/console/authors/${account?.id}/invite`
  expect((await deniz.get(path)).text).toContain("Send by e-mail")
  const arriving = mail.next(to("bora@example.com"))
  const sent = await change(path, { send: "1" })
  expect(sent.location).toBe(`/console/authors/${account?.id}?done=link_sent`)
  const email = await arriving
  expect(email.text).toContain("Merhaba bora,")
  expect(email.html).toContain('<html lang="tr">')
  expect((await accept(pathIn(email))).location).toBe("/workspace?done=welcome")
  const shown = await change(path)
  expect(shown.text).toContain(`${program.url}/invite/`)
  const none = await program.app.store.accounts.findByUsername("none")
  const without = `/console/authors/${none?.id}/invite`
  expect((await deniz.get(without)).text).not.toContain("Send by e-mail")
  expect((await change(without, { send: "1" })).text).toContain("/invite/")
})

test("the console sends an invitation to an operator", async () => {
  const path = "/console/operators/invite"
  const missing = await change(path, { name: "filiz", send: "1" })
  expect([missing.status, missing.text.includes("Enter an e-mail address.")]).toEqual([422, true])
  const arriving = mail.next(to("filiz@example.com"))
  const form = { name: "filiz", email: "filiz@example.com", role: "support", send: "1" }
  expect((await change(path, form)).location).toBe("/console/operators?done=link_sent")
  expect((await accept(pathIn(await arriving))).location).toBe("/console?done=welcome")
  const viewer = { name: "hakan", email: "hakan@example.com", role: "viewer" }
  const link = /\/invite\/[\w-]+/.exec((await change(path, viewer)).text)?.[0] ?? ""
  expect((await accept(link)).location).toBe("/console?done=welcome")
  const pending = { name: "pelin", email: "pelin@example.com", role: "admin" }
  expect((await change(path, pending)).status).toBe(200)
})

test("`account invite --send` queues e-mails and prints the other links", async () => {
  const run = (...args: readonly string[]) =>
    runInProcess(program.folder, ["account", "invite", ...args], {
      env: { ...smtpSettings(mail), PAZAR_PUBLIC_URL: program.url },
    })
  const arriving = mail.next(to("ada@example.com"))
  const one = await run("ada", "--send")
  expect([one.status, one.stdout]).toEqual([0, ""])
  expect((await openStranger().get(pathIn(await arriving))).status).toBe(200)
  await isEmpty()
  const before = mail.received.length
  const all = await run("--all", "--send", "--json")
  const lines: Record<string, unknown>[] = all.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(lines.map(({ username, sent }) => [username, sent])).toEqual([
    ...[
      ["ada", true],
      ["bora", true],
      ["cem", true],
      ["none", false],
    ],
  ])
  expect(lines.map((line) => "url" in line)).toEqual([false, false, false, true])
  await isEmpty()
  expect(
    mail.received
      .slice(before)
      .flatMap((email) => email.to)
      .toSorted(),
  ).toEqual(["ada", "bora", "cem"].map(emailOf))
  const without = await runInProcess(program.folder, ["account", "invite", "ada", "--send"])
  expect([without.status, without.stderr]).toEqual([1, expect.stringContaining("PAZAR_SMTP_URL")])
})

/** Checks as two nodes at the same time. Returns recipients and subjects of new e-mails. */
async function alert() {
  const { store, emailCipher } = program.app
  const consoleUrl = `${program.url}/console`
  const services = {
    ...store,
    emailCipher,
    tokens,
    now: () => now,
    locale: "en",
    consoleUrl,
  } as const
  const before = mail.received.length
  for (const [about, incidents] of await listIncidents(store, now))
    await Promise.all([1, 2].map(() => sendAlerts(services, about, incidents)))
  await isEmpty()
  const emails = mail.received.slice(before)
  return emails.map((email) => `${email.to[0]} ${email.subject}`).toSorted()
}
const passHour = () => {
  now = new Date(now.getTime() + 3_600_000)
}
/** Not to a viewer or to who has not accepted the invitation. */
const about = (subject: string) =>
  ["deniz", "filiz"].map((name) => `${emailOf(name)} Çarşı: ${subject}`)

test("operators get one e-mail per incident, and one per hour and kind", async () => {
  const { store } = program.app
  const fail = async (source: string) => {
    const runBefore = (await store.feed.listRuns(1))[0]?.id ?? 0
    const times = { startedAt: formatTimestamp(now), endedAt: formatTimestamp(now) }
    const problem = message("internal_error")
    const run = { source, via: "file", ...times, problem, outcome: null, line: 0 } as const
    await store.feed.recordFailure({ ...run, runBefore })
  }
  const expected = about("an import failed")
  expect(await alert()).toEqual([])
  await fail("shop.ndjson")
  expect(await alert()).toEqual(expected)
  expect(mail.received.at(-1)?.text).toContain("shop.ndjson failed")
  await fail("other.ndjson")
  expect(await alert()).toEqual([])
  passHour()
  expect(await alert()).toEqual(expected)
  expect(mail.received.at(-1)?.text).not.toContain("shop.ndjson")
  passHour()
  expect(await alert()).toEqual([])
})

const importLines = async (name: string, lines: readonly Line[], ...args: readonly string[]) => {
  const path = join(program.folder, name)
  writeFileSync(path, toFeed(lines))
  const isTyped = args.includes("typed")
  const options = args.filter((each) => each !== "typed")
  return (await runInProcess(program.folder, ["import", path, ...options], { isTyped })).status
}
async function push(lines: readonly Line[]): Promise<number> {
  const headers = { Authorization: `Bearer ${operatorToken}` }
  const body = toFeed(lines)
  const path = "/operator/feed?max_deletes=0"
  return (await fetch(`${program.url}${path}`, { method: "POST", headers, body })).status
}
const rejected = { type: "account" }
const deletion = { type: "account", username: "none", deleted: true }

test("a stopped mass change is mailed at once, whatever was mailed before", async () => {
  passHour()
  expect(await importLines("nightly.ndjson", [rejected])).toBe(1)
  expect(await alert()).toEqual(about("an import failed"))
  const stop = (name: string) => importLines(name, [deletion], "--max-deletes", "0")
  expect(await stop("one.ndjson")).toBe(1)
  expect(await alert()).toEqual(about("too many deletions or revocations were stopped"))
  expect(mail.received.at(-1)?.text).toContain("--max-deletes")
  expect(await stop("two.ndjson")).toBe(1)
  expect(await alert()).toEqual(about("too many deletions or revocations were stopped"))
  // The same incident until an import of this source succeeds.
  expect(await stop("two.ndjson")).toBe(1)
  passHour()
  expect(await alert()).toEqual([])
  passHour()
  // Pushes are unrelated: one that succeeds does not end the incident of another.
  expect(await push([deletion])).toBe(422)
  expect(await push([account("ada", { email: emailOf("ada") })])).toBe(200)
  expect(await alert()).toEqual(about("too many deletions or revocations were stopped"))
})

test("each operator can turn alerts off and on again", async () => {
  const path = "/console/security"
  const turn = (alerts: "on" | "off") => deniz.submit(`${path}/alerts`, { alerts }, path)
  passHour()
  expect((await turn("off")).location).toBe(`${path}?done=alerts_off`)
  expect(await importLines("nightly.ndjson", [rejected])).toBe(1)
  expect(await alert()).toEqual(about("an import failed").slice(1))
  passHour()
  expect((await turn("on")).location).toBe(`${path}?done=alerts_on`)
  expect(await importLines("nightly.ndjson", [rejected])).toBe(1)
  expect(await alert()).toEqual(about("an import failed"))
})

test("rejected lines are not mailed if they are allowed, or if a person sees them", async () => {
  passHour()
  passHour()
  expect(await importLines("allowed.ndjson", [rejected], "--max-refused", "1")).toBe(0)
  expect(await importLines("typed.ndjson", [rejected], "typed")).toBe(1)
  expect(await importLines("strict.ndjson", [rejected], "--strict", "typed")).toBe(1)
  expect(await alert()).toEqual([])
  expect(await importLines("typed.ndjson", [rejected])).toBe(1)
  expect(await alert()).toEqual(about("an import failed"))
})

test("no link, address or password is in the log or in the database", async () => {
  const links = mail.received.map((email) => pathIn(email).split("/").at(-1) ?? "")
  expect(links.length).toBeGreaterThan(10)
  mail.behavior.recipientStatus = 550
  await requestReset("ada@example.com")
  await until(() => program.logged().includes("rejected an e-mail") || undefined)
  const stored = await storeText(program)
  const log = program.logged()
  for (const secret of [...links.filter((link) => link !== "console"), password]) {
    expect(log).not.toContain(secret)
    expect(stored).not.toContain(secret)
  }
  expect(log).not.toMatch(/\w@example\.com/)
  // The e-mail is kept for another attempt.
  const kept = await queryStore(program, "SELECT id FROM emails WHERE attempts = 1")
  expect(kept).toHaveLength(1)
  mail.behavior.recipientStatus = 250
})
