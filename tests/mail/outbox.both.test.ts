import { afterAll, beforeAll, expect, test } from "bun:test"
import { commandLine } from "../../src/access/actor.ts"
import { tokens } from "../../src/access/token.ts"
import { findMailFailure, recordMailServer } from "../../src/mail/email.ts"
import { openEmailSender, openMailTransport } from "../../src/mail/sender.ts"
import { inviteAccounts } from "../../src/people/invitation-operations.ts"
import { invitationLink } from "../../src/people/person-email-operations.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import type { Every } from "../../src/platform/timers.ts"
import { type MailServer, openMailServer, pathIn } from "../harness/mail-server.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { until, workMsMax } from "../harness/until.ts"

const authorCount = 200
const names = Array.from({ length: authorCount }, (_, index) => `author-${index}`)

let program: Program
let mail: MailServer
beforeAll(async () => {
  program = await startProgram()
  await program.load(names.map((name) => account(name, { email: `${name}@example.com` })))
})
afterAll(async () => {
  await program.close()
  await mail?.close()
})

/** The time of all nodes, which the test moves. */
let offsetMs = 0
const nowMs = () => Date.now() + offsetMs
const faults: string[] = []

function openNode(port: number): ReturnType<typeof openEmailSender> & Readonly<{ poll(): void }> {
  let poll = () => {}
  const every: Every = (_, work) => {
    poll = work
    return () => {}
  }
  const { store, emailCipher } = program.app
  const server = {
    host: "127.0.0.1",
    port,
    tls: "none",
    credentials: null,
    from: "shop@example.com",
  } as const
  const sender = openEmailSender({
    emails: store.emails,
    cipher: emailCipher,
    transport: openMailTransport(server, "Shop"),
    siteName: "Shop",
    signInUrl: "https://api.example.com/login",
    answerReset: async () => {},
    nowMs,
    every,
    wasFailing: async () => (await findMailFailure(store.metadata)) !== null,
    onServer: (problem) =>
      recordMailServer(store.metadata, problem, formatTimestamp(new Date(nowMs()))),
    onFault: (fault) => faults.push(`${fault}`),
    onGivenUp: (failure) => faults.push(`gave up: ${failure}`),
  })
  return { ...sender, poll: () => poll() }
}

const createReset = (id: string) => ({
  id,
  encrypted: program.app.emailCipher.encrypt(
    JSON.stringify({
      kind: "password_reset",
      to: "ada@example.com",
      locale: "en",
      name: id,
      url: "https://api.example.com/invite/token",
      expiresAt: "2099-01-01T00:00:00Z",
    }),
    id,
  ),
  createdAt: "2026-01-01T00:00:00Z",
  expiresAt: "2099-01-01T00:00:00Z",
})

test("invitations are sent once or twice while the mail server is slow, dead and back", async () => {
  const { store, emailCipher, eventCipher, now } = program.app
  const url = "https://api.example.com"
  const linkOf = (token: string) => invitationLink(url, token)
  const mailing = { emailCipher, now, siteLocale: "en", linkOf } as const
  const services = { ...store, tokens, now, eventCipher, linkOf, mailing, actor: commandLine }
  for await (const page of inviteAccounts(services, "all"))
    expect(page.every(({ isSent }) => isSent)).toBe(true)

  mail = await openMailServer()
  mail.behavior.delayMs = 20
  const { port } = mail
  const nodes = [openNode(port), openNode(port)]
  const pollAll = () => {
    for (const node of nodes) node.poll()
  }
  await until(() => {
    pollAll()
    return mail.received.length >= authorCount / 5 || undefined
  }, workMsMax)
  // Connections break, some after the e-mail was accepted.
  const slow = mail
  await slow.close()
  const failures = faults.length
  await until(() => {
    offsetMs += 60_000
    pollAll()
    return faults.length > failures + 20 || undefined
  }, workMsMax)
  for (const node of nodes) await node.close()
  expect(await store.emails.findWaiting()).not.toBeNull()

  mail = await openMailServer({ port })
  // All leases and pauses are over.
  offsetMs += 2 * 3_600_000
  const last = openNode(port)
  await until(async () => {
    last.poll()
    return (await store.emails.findWaiting()) === null || undefined
  }, workMsMax)
  await last.close()

  const received = [...slow.received, ...mail.received]
  const counts = new Map<string, number>()
  for (const { to } of received) counts.set(to.join(), (counts.get(to.join()) ?? 0) + 1)
  expect([...counts.keys()].toSorted()).toEqual(
    names.map((name) => `${name}@example.com`).toSorted(),
  )
  expect([...counts].filter(([, count]) => count > 2)).toEqual([])
  // Every link works: it is in the database.
  const links = received.map((email) => pathIn(email).split("/").at(-1) ?? "")
  const found = await Promise.all(
    links.map((token) => store.invitations.find(tokens.digest(token), now().toISOString())),
  )
  expect(found.filter((id) => id === null)).toEqual([])
  expect(faults.join("\n")).not.toMatch(/author-\d|invite/)
})

test("a mail server that is down and back is noticed, also when no e-mail is due", async () => {
  const { store } = program.app
  const { port } = mail
  const [one, two] = ["mail_8", "mail_9"].map(createReset)
  if (one === undefined || two === undefined) throw new Error("no e-mail")
  await mail.close()
  await store.emails.insert([one])
  const node = openNode(port)
  const failure = await until(async () => {
    node.poll()
    return (await findMailFailure(store.metadata)) ?? undefined
  })
  expect(failure.problem).toEqual({
    code: "mail_connection",
    params: { server: `127.0.0.1:${port}`, reason: "ESOCKET" },
  })
  await node.close()

  // Another process, after the e-mail was given up.
  await store.emails.remove(one.id)
  mail = await openMailServer({ port })
  const next = openNode(port)
  await until(async () => {
    next.poll()
    return (await findMailFailure(store.metadata)) === null || undefined
  })
  await next.close()
  expect(mail.received).toEqual([])
})

test("an e-mail that the server rejects five times is given up, and others are sent", async () => {
  const { store } = program.app
  faults.length = 0
  mail.behavior.recipientStatus = 550
  await store.emails.insert([createReset("mail_1")])
  const node = openNode(mail.port)
  for (let failures = 1; failures <= 5; failures += 1) {
    // The retry may be written after the failure is reported.
    await until(() => {
      node.poll()
      return faults.length >= failures || undefined
    })
    offsetMs += 2 * 3_600_000
  }
  await until(async () => (await store.emails.findWaiting()) === null || undefined)
  await node.close()
  const rejected = `MailFailed: the mail server 127.0.0.1:${mail.port} rejected an e-mail (550)`
  expect(faults).toEqual([...Array(5).fill(rejected), `gave up: ${rejected}`])
})
