import { afterAll, afterEach, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { type MailServer, openMailServer } from "../../tests/harness/mail-server.ts"
import { message } from "../platform/problem.ts"
import type * as settings from "./email.ts"
import { type Email, findEmailAddress } from "./email.ts"
import { renderEmail } from "./render-email.ts"
import { MailFailed, openMailTransport } from "./sender.ts"

const open: MailServer[] = []
const systemCertificates = getCACertificates("default")
afterEach(async () => {
  setDefaultCACertificates(systemCertificates)
  for (const server of open.splice(0)) await server.close()
})
const trust = () =>
  setDefaultCACertificates([
    readFileSync("tests/harness/certificate/server.crt", "utf8"),
    ...systemCertificates,
  ])

async function serve(options: Parameters<typeof openMailServer>[0] = {}): Promise<MailServer> {
  const server = await openMailServer(options)
  open.push(server)
  return server
}

const rendered = { subject: "Hello", text: "Text\n", html: "<p>Text</p>\n" }
const email = { id: "mail_1", to: "ada@example.com", ...rendered }
const user = { name: "shop@example.com", password: "hunter2-secret" }
const credentials = { user: user.name, password: user.password }

const settingsFor = (
  { port }: Pick<MailServer, "port">,
  changes: Partial<settings.MailServer> = {},
): settings.MailServer => ({
  host: "127.0.0.1",
  port,
  tls: "none",
  credentials: null,
  from: "shop@example.com",
  ...changes,
})

/** Returns null if the e-mail was sent. */
async function send(server: settings.MailServer, outgoing = email): Promise<MailFailed | null> {
  const transport = openMailTransport(server, "Shop")
  try {
    await transport.send(outgoing)
    return null
  } catch (error) {
    if (error instanceof MailFailed) return error
    throw error
  } finally {
    transport.close()
  }
}

test("sends text and HTML from the name of the site, with an id that retries repeat", async () => {
  const server = await serve({ user })
  expect(await send(settingsFor(server, { credentials }))).toBeNull()
  const [received] = server.received
  expect([received?.from, received?.to]).toEqual(["shop@example.com", ["ada@example.com"]])
  const header = (name: string) =>
    received?.headers.filter(({ key }) => key === name).map(({ value }) => value)
  expect(["from", "to", "subject", "message-id", "auto-submitted"].map(header)).toEqual([
    ["Shop <shop@example.com>"],
    ["ada@example.com"],
    ["Hello"],
    ["<mail_1@example.com>"],
    ["auto-generated"],
  ])
  expect([received?.text, received?.html]).toEqual(["Text", "<p>Text</p>"])
})

const remote = { host: "localhost", credentials }
const tlsBy = { starttls: "required", tls: "immediate" } as const

test.each(["starttls", "tls"] as const)("%s encrypts the connection", async (encryption) => {
  trust()
  const server = await serve({ user, encryption })
  expect(await send(settingsFor(server, { ...remote, tls: tlsBy[encryption] }))).toBeNull()
  expect(server.isEncrypted()).toBe(true)
})

test.each(["starttls", "tls"] as const)(
  "%s: an untrusted certificate is named",
  async (encryption) => {
    const server = await serve({ user, encryption })
    const failure = await send(settingsFor(server, { ...remote, tls: tlsBy[encryption] }))
    expect(failure?.problem).toEqual({
      code: "mail_certificate",
      params: {
        server: `localhost:${server.port}`,
        reason: expect.stringMatching(/self.signed/i),
      },
    })
    expect([failure?.isAboutEmail, server.received]).toEqual([false, []])
  },
)

test("a password is not sent without TLS to another machine", async () => {
  const server = await serve({ user })
  const failure = await send(settingsFor(server, { ...remote, tls: "required" }))
  expect(failure?.problem).toEqual(message("mail_no_tls", { server: `localhost:${server.port}` }))
  expect(server.received).toEqual([])
})

test("wrong credentials are an error of the server, and are not repeated", async () => {
  const server = await serve({ user })
  const wrong = { ...credentials, password: "another-secret" }
  const failure = await send(settingsFor(server, { credentials: wrong }))
  const at = `127.0.0.1:${server.port}`
  expect(failure?.problem).toEqual(message("mail_credentials", { server: at, status: 535 }))
  expect(failure?.message).not.toContain("another-secret")
})

test("a closed port is an error of the server", async () => {
  const server = await openMailServer()
  await server.close()
  const failure = await send(settingsFor(server))
  expect([failure?.problem.code, failure?.isAboutEmail]).toEqual(["mail_connection", false])
})

test("a host name that does not resolve is named", async () => {
  const failure = await send(settingsFor({ port: 587 }, { host: "mail.invalid" }))
  expect(failure?.problem).toEqual(message("mail_host", { server: "mail.invalid:587" }))
  expect([failure?.isAboutEmail, failure?.isRejected]).toEqual([false, false])
})

test("closing ends an attempt that the server leaves open", async () => {
  const server = await serve()
  server.behavior.delayMs = 60_000
  const transport = openMailTransport(settingsFor(server), "Shop")
  const failure = transport.send(email).catch((error) => error)
  await Bun.sleep(200)
  transport.close()
  expect(await failure).toBeInstanceOf(MailFailed)
})

test("an attempt ends although the server continues to send lines", async () => {
  const timers = new Set<NodeJS.Timeout>()
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) => void timers.add(setInterval(() => socket.write("220-wait\r\n"), 50)),
      data: () => {},
    },
  })
  const transport = openMailTransport(settingsFor(server), "Shop", 300)
  const failure = await transport.send(email).catch((error) => error)
  expect(failure).toBeInstanceOf(MailFailed)
  expect([failure.isAboutEmail, failure.isRejected]).toEqual([false, false])
  for (const timer of timers) clearInterval(timer)
  transport.close()
  server.stop(true)
})

test.each([
  [550, true],
  [450, false],
])(
  "%d to the recipient is about this e-mail, and its address is not logged",
  async (status, isRejected) => {
    const server = await serve()
    server.behavior.recipientStatus = status
    const failure = await send(settingsFor(server))
    const at = `127.0.0.1:${server.port}`
    expect(failure?.problem).toEqual(message("mail_response", { server: at, status }))
    expect([failure?.isAboutEmail, failure?.isRejected]).toEqual([true, isRejected])
    expect(failure?.message).not.toContain("ada@")
  },
)

const lineBreaks = fc.constantFrom(
  "\r\n",
  "\n",
  "\r",
  "\r\nBcc: eve@example.com\r\n",
  "\u2028",
  "\0",
)
const hostileText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme" }),
      lineBreaks,
      fc.constantFrom(",", "<eve@x.com>", '"', ".\r\n"),
    ),
  )
  .map((parts) => parts.join(""))

let shared: MailServer
test("no name becomes a header, a recipient or markup", async () => {
  shared = await openMailServer()
  await fc.assert(
    fc.asyncProperty(hostileText, hostileText, async (name, siteName) => {
      shared.received.length = 0
      const link: Email = {
        kind: "author_invitation",
        to: "ada@example.com",
        locale: "tr",
        name,
        url: "https://api.example.com/invite/token",
        expiresAt: "2026-06-08T08:00:00Z",
      }
      const transport = openMailTransport(settingsFor(shared), siteName)
      await transport.send({ id: "mail_1", to: link.to, ...renderEmail(link, siteName, "") })
      transport.close()
      const [received, ...others] = shared.received
      expect([received?.to, received?.from, others]).toEqual([
        ["ada@example.com"],
        "shop@example.com",
        [],
      ])
      expect(received?.headers.map(({ key }) => key).toSorted()).toEqual([
        ...["auto-submitted", "content-type", "date", "from", "message-id", "mime-version"],
        ...["subject", "to"],
      ])
      expect(received?.headers.find(({ key }) => key === "to")?.value).toBe("ada@example.com")
      expect(received?.html.match(/<[a-z]/g)?.length).toBe(8)
    }),
    { numRuns: propertyRuns(300) },
  )
})
afterAll(() => shared?.close())

test("the name of the site is readable in Turkish", async () => {
  const server = await serve()
  const transport = openMailTransport(settingsFor(server), "Çarşı")
  await transport.send(email)
  transport.close()
  expect(server.received[0]).toMatchObject({ sender: "Çarşı", from: "shop@example.com" })
})

test.each([
  "ada@example.com, eve@example.com",
  "ada@example.com\r\nBcc: eve@example.com",
  "Ada <ada@example.com>",
  '"a b"@example.com',
  "ada@",
  "@example.com",
  "ada@example..com",
  "a@-",
  `${"a".repeat(250)}@example.com`,
  "",
])("%j is not an e-mail address", (text) => {
  expect(findEmailAddress(text)).toBeNull()
})

test.each(["ada@example.com", "Ada.Lovelace+shop@mail.example.co.uk", "ö@çarşı.example"])(
  "%s is an e-mail address",
  (text) => {
    expect(findEmailAddress(` ${text} `)).toBe(text)
  },
)
