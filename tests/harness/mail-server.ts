/** A real SMTP server that keeps what it accepts. Tests can make it slow or let it reject. */
import { readFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer } from "smtp-server"

/** `to` and `from` are those of the envelope. */
export type ReceivedEmail = Pick<Email, "headers" | "subject"> &
  Readonly<{ to: readonly string[]; from: string; sender: string; text: string; html: string }>

type Behavior = {
  /** How long the server needs to accept an e-mail. */
  delayMs: number
  /** The status of RCPT TO; 250 accepts. */
  recipientStatus: number
}

type ServerOptions = Readonly<{
  port?: number
  user?: Readonly<{ name: string; password: string }>
  /** `starttls` and `tls` use the certificate of the tests. */
  encryption?: "none" | "starttls" | "tls"
}>

export type MailServer = Readonly<{
  port: number
  received: ReceivedEmail[]
  behavior: Behavior
  isEncrypted(): boolean
  /** Resolves with the next e-mail that matches. */
  next(matches?: (email: ReceivedEmail) => boolean): Promise<ReceivedEmail>
  close(): Promise<void>
}>

const pemOf = (name: string) =>
  readFileSync(new URL(`./certificate/server.${name}`, import.meta.url), "utf8")

export async function openMailServer(options: ServerOptions = {}): Promise<MailServer> {
  const { port = 0, user, encryption = "none" } = options
  const behavior: Behavior = { delayMs: 0, recipientStatus: 250 }
  const received: ReceivedEmail[] = []
  const waiting = new Set<(email: ReceivedEmail) => void>()
  let isEncrypted = false
  const server = new SMTPServer({
    secure: encryption === "tls",
    key: pemOf("key"),
    cert: pemOf("crt"),
    disabledCommands: [
      ...(user === undefined ? ["AUTH"] : []),
      ...(encryption === "starttls" ? [] : ["STARTTLS"]),
    ],
    allowInsecureAuth: true,
    authOptional: user === undefined,
    closeTimeout: 1,
    onAuth({ username, password }, _, done) {
      if (username === user?.name && password === user?.password) done(null, { user: username })
      else done(new Error(`no user ${username}`))
    },
    onRcptTo({ address }, _, done) {
      const { recipientStatus: status } = behavior
      if (status === 250) return done()
      done(Object.assign(new Error(`<${address}> is rejected`), { responseCode: status }))
    },
    async onData(stream, session, done) {
      // A client that disconnects has sent nothing.
      const raw = await new Response(stream).text().catch(() => null)
      if (raw === null) return done(new Error("the e-mail is incomplete"))
      await Bun.sleep(behavior.delayMs)
      isEncrypted = session.secure
      const { mailFrom, rcptTo } = session.envelope
      const to = rcptTo.map(({ address }) => address)
      const from = mailFrom === false ? "" : mailFrom.address
      const { text = "", html = "", ...message } = await PostalMime.parse(raw)
      const sender = message.from?.name ?? ""
      const email = { ...message, to, from, sender, text: text.trimEnd(), html: html.trimEnd() }
      received.push(email)
      for (const take of waiting) take(email)
      done()
    },
  })
  server.on("error", () => {})
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening))
  // `as`: it listens on a TCP port.
  const { port: own } = server.server.address() as AddressInfo
  return {
    port: own,
    received,
    behavior,
    isEncrypted: () => isEncrypted,
    next: (matches = () => true) =>
      new Promise((resolve) => {
        const take = (email: ReceivedEmail) => {
          if (!matches(email)) return
          waiting.delete(take)
          resolve(email)
        }
        waiting.add(take)
      }),
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

/** The link of an e-mail as a path. */
export const pathIn = ({ text }: ReceivedEmail) =>
  /^https?:\/\/[^/\s]+(\/\S+)$/m.exec(text)?.[1] ?? ""

export const smtpSettings = ({ port }: Pick<MailServer, "port">) => ({
  PAZAR_SMTP_URL: `smtp://127.0.0.1:${port}`,
  PAZAR_MAIL_FROM: "shop@example.com",
})
