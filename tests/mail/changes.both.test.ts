/** E-mails to a person about changes of how they sign in and what they may do. */
import { afterAll, beforeAll, expect, setSystemTime, test } from "bun:test"
import { tokens } from "../../src/access/token.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { invite } from "../../src/people/invitation-operations.ts"
import { addPasskey } from "../harness/browser/passkey-pages.ts"
import { givePassword, samplePassword } from "../harness/browser/sample-workspace.ts"
import { openVisitor, type Visitor } from "../harness/browser/visitor.ts"
import { inviteOwner } from "../harness/invite-owner.ts"
import {
  type MailServer,
  openMailServer,
  pathIn,
  type ReceivedEmail,
  smtpSettings,
} from "../harness/mail-server.ts"
import { nextTotpCode } from "../harness/next-totp-code.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { createAuthenticator } from "../harness/software-authenticator.ts"
import { addOperator, openOperator, operatorPassword, totpCode } from "../harness/test-operators.ts"
import { until } from "../harness/until.ts"

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
const ipRange = "198.51.100.0/24"
const from = { "X-Forwarded-For": "198.51.100.7", "User-Agent": firefox }

let mail: MailServer
let program: Program
let ada: Visitor
let deniz: Visitor
beforeAll(async () => {
  mail = await openMailServer()
  const settings = {
    ...smtpSettings(mail),
    PAZAR_SITE_NAME: "Çarşı",
    PAZAR_TRUSTED_PROXIES: "127.0.0.1",
  }
  program = await startProgram(settings)
  const people = ["ada", "bora"].map((name) => account(name, { email: `${name}@example.com` }))
  await program.load([...people, account("none", { email: "" })])
  for (const name of ["ada", "bora", "none"]) await givePassword(program, name)
  ada = openVisitor(program.url, from)
  await ada.signIn("ada")
  await addOperator(program, "deniz")
  await addOperator(program, "ece", operatorPassword, "viewer")
  deniz = await openOperator(program.url, "deniz")
  program.startHousekeeping()
})
afterAll(async () => {
  setSystemTime()
  await program.close()
  await mail.close()
})

/** The e-mails that `work` causes, by recipient. */
async function emailsOf(work: () => Promise<unknown>): Promise<readonly ReceivedEmail[]> {
  const before = mail.received.length
  await work()
  // Reads of one turn of the event loop share a snapshot, which may be older than a command's write.
  await new Promise((next) => setImmediate(next))
  await until(async () => (await program.app.store.emails.findWaiting()) === null || undefined)
  return mail.received
    .slice(before)
    .toSorted((one, other) => `${one.to}`.localeCompare(`${other.to}`))
}
const subjectsOf = async (work: () => Promise<unknown>) =>
  (await emailsOf(work)).map(({ to, subject }) => `${to} ${subject}`)
const personOf = async (name: string) => {
  const person = await program.app.store.people.findByName(name)
  if (person === null) throw new Error(`nobody is named ${name}`)
  return person
}
const securityPath = "/workspace/ada/settings/security"

test("a change of one's own password says when, from where and with which browser, without a link that signs in", async () => {
  const form = { current: samplePassword, password: "elma armut kiraz", repeat: "elma armut kiraz" }
  const [email, ...others] = await emailsOf(() =>
    ada.submit(`${securityPath}/password`, form, securityPath),
  )
  expect([email?.to, email?.subject, others]).toEqual([
    ["ada@example.com"],
    "Çarşı: your password was changed",
    [],
  ])
  const text = email?.text ?? ""
  expect(text).toContain("Hello ada,\n\nYour password was changed.\n\nTime: ")
  expect(text).toContain(`UTC. IP range: ${ipRange}. Browser: Firefox · Linux`)
  expect(text.match(/https?:\S+/g)).toEqual([`${program.url}/login`])
  expect(text).not.toContain("elma")
})

test("two-factor authentication is enabled and disabled: one e-mail each, without secrets", async () => {
  const path = `${securityPath}/second-factor`
  const page = await ada.get(path)
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1]?.replaceAll(" ", "") ?? ""
  const form = { secret, code: totpCode(secret), password: "elma armut kiraz" }
  const [on] = await emailsOf(() => ada.submit(path, form, path))
  expect(on?.subject).toBe("Çarşı: two-factor authentication was enabled")
  expect(on?.text).not.toContain(secret)
  const code = nextTotpCode(secret)
  expect(await subjectsOf(() => ada.submit(`${path}/off`, { code }, securityPath))).toEqual([
    "ada@example.com Çarşı: two-factor authentication was disabled",
  ])
  setSystemTime()
})

test("a passkey is added and removed", async () => {
  const authenticator = createAuthenticator("ed25519")
  const path = `${securityPath}/passkeys/new`
  await ada.submit(path, { password: "elma armut kiraz" }, path)
  expect(await subjectsOf(() => addPasskey(ada, path, authenticator))).toEqual([
    "ada@example.com Çarşı: a passkey was added",
  ])
  const removePath = `${securityPath}/passkeys/${authenticator.id}/remove`
  expect(await subjectsOf(() => ada.submit(removePath, {}, removePath))).toEqual([
    "ada@example.com Çarşı: a passkey was removed",
  ])
})

test("a new address, to the old and the new one, which do not learn which operator changed it", async () => {
  const { id } = await personOf("ece")
  const path = `/console/operators/${id}/email`
  const put = (email: string) => deniz.submit(path, { email, password: operatorPassword }, path)
  const subject = "Çarşı: your e-mail address was changed"
  expect(await subjectsOf(() => put("ece@example.com"))).toEqual([`ece@example.com ${subject}`])
  const emails = await emailsOf(() => put("ece@example.org"))
  expect(emails.map(({ to }) => to)).toEqual([["ece@example.com"], ["ece@example.org"]])
  for (const { text } of emails) {
    expect(text).toContain("Changed by: Çarşı")
    expect(text).not.toContain("deniz")
    expect(text).not.toContain("127.0.0.0")
  }
})

test("a role as operator is given, changed and taken", async () => {
  const { id } = await personOf("ece")
  const change = (action: string, fields = {}) => {
    const path = `/console/operators/${id}/${action}`
    return () => deniz.submit(path, { ...fields, password: operatorPassword }, path)
  }
  expect(await subjectsOf(change("role", { role: "support" }))).toEqual([
    "ece@example.org Çarşı: your role as operator is now: support",
  ])
  expect(await subjectsOf(change("remove"))).toEqual([
    "ece@example.org Çarşı: you are no longer an operator",
  ])
})

test("a role in a team, to whoever takes it by an invitation, in their language", async () => {
  const bora = openVisitor(program.url, from)
  await bora.signIn("bora")
  await program.app.store.people.putLocale((await personOf("bora")).id, "tr")
  const { id: accountId } = await requireAccount(program.app.store.accounts, "ada")
  const invitee = { accountId, role: "developer", name: "x", email: "x@example.com" } as const
  const { token } = await invite({ ...program.app.store, ...program.app, tokens }, invitee)
  const path = `/invite/${token}`
  const [email] = await emailsOf(() => bora.submit(`${path}/join`, {}, path))
  expect([email?.to, email?.subject]).toEqual([
    ["bora@example.com"],
    "Çarşı: ada ekibindeki yeni rolünüz: geliştirici",
  ])
  expect(email?.text).toContain(`IP aralığı: ${ipRange}. Tarayıcı: Firefox · Linux`)
  expect(email?.html).toContain('<html lang="tr">')
})

test("another role in a team, and leaving it, by the name of the colleague who decided", async () => {
  const path = `/workspace/ada/settings/people/${(await personOf("bora")).id}`
  const [email] = await emailsOf(() =>
    ada.submit(`${path}/role`, { role: "support", password: "elma armut kiraz" }, `${path}/role`),
  )
  expect(email?.subject).toBe("Çarşı: ada ekibindeki yeni rolünüz: destek")
  expect(email?.text).toContain("Değiştiren: ada")
  expect(email?.text).not.toContain(ipRange)
  expect(await subjectsOf(() => ada.submit(`${path}/remove`, {}, `${path}/remove`))).toEqual([
    "bora@example.com Çarşı: ada ekibinden çıkarıldınız",
  ])
})

test("`account invite --role --email --send` sends a link to the address", async () => {
  const args = "account invite ada --role support --email kaan@example.com --send"
  const emails = await emailsOf(() =>
    runInProcess(program.folder, args.split(" "), {
      env: { ...smtpSettings(mail), PAZAR_PUBLIC_URL: program.url },
    }),
  )
  expect(emails.map(({ to }) => to)).toEqual([["kaan@example.com"]])
  const kaan = openVisitor(program.url)
  expect((await kaan.get(emails.map(pathIn).join())).status).toBe(200)
})

test("a password by a link, and changes by commands", async () => {
  const { token } = await inviteOwner(
    { ...program.app.store, tokens, now: program.app.now },
    await requireAccount(program.app.store.accounts, "ada"),
  )
  const path = `/invite/${token}`
  const form = { password: samplePassword, repeat: samplePassword }
  expect(await subjectsOf(() => openVisitor(program.url).submit(path, form, path))).toEqual([
    "ada@example.com Çarşı: your password was changed",
  ])
  const run = (args: string, input = "", env = smtpSettings(mail)) =>
    runInProcess(program.folder, args.split(" "), { env, input })
  const [byCommand] = await emailsOf(() => run("account password ada", `${samplePassword}\n`))
  expect(byCommand?.text).toContain("Changed by: ")
  const { id } = await personOf("bora")
  await program.app.store.twoFactor.put(id, "", {
    encrypted: new Uint8Array([1]),
    usedStep: 0,
    recoveryDigests: [],
  })
  expect(await subjectsOf(() => run("person second-factor bora --remove"))).toEqual([
    "bora@example.com Çarşı: iki adımlı doğrulama devre dışı bırakıldı",
  ])
  expect(await subjectsOf(() => run("person remove bora"))).toEqual([
    "bora@example.com Çarşı: erişiminiz kaldırıldı",
  ])
})

test("nothing is sent to a person without an address, or without a mail server", async () => {
  const run = (name: string, env = {}) =>
    runInProcess(program.folder, ["account", "password", name], { env, input: samplePassword })
  expect(await emailsOf(() => run("none", smtpSettings(mail)))).toEqual([])
  expect(await emailsOf(() => run("ada"))).toEqual([])
})
