/** SMTP by nodemailer. Errors never contain a server's response, which may repeat addresses. */
import { createTransport } from "nodemailer"
import { findErrorCode } from "../platform/error.ts"
import { describe, type Message, message } from "../platform/problem.ts"
import { describeMailServer, emailTimeoutMs, type MailServer } from "./email.ts"
import type { RenderedEmail } from "./render-email.ts"

export type OutgoingEmail = RenderedEmail & Readonly<{ id: string; to: string }>

export type MailTransport = Readonly<{
  /** Throws MailFailed. */
  send(email: OutgoingEmail): Promise<void>
  /** Connects and signs in. Throws MailFailed. */
  verify(): Promise<void>
  /** Also ends attempts in progress, which fail. */
  close(): void
}>

export class MailFailed extends Error {
  override name = "MailFailed"
  readonly problem: Message
  /** True if the server responded to this e-mail: others may succeed. */
  readonly isAboutEmail: boolean
  /** Whether the server rejected this e-mail with 5xx. */
  readonly isRejected: boolean

  constructor(problem: Message, isAboutEmail: boolean, isRejected: boolean) {
    super(describe(problem))
    this.problem = problem
    this.isAboutEmail = isAboutEmail
    this.isRejected = isRejected
  }
}

/** E-mails that are sent at the same time, each on its own connection. */
export const connectionsMax = 4

/** An attempt ends after `attemptMsMax`, even if the server continues to send lines. */
export function openMailTransport(
  server: MailServer,
  siteName: string,
  attemptMsMax = emailTimeoutMs,
): MailTransport {
  const { host, port, tls, credentials, from } = server
  const transport = createTransport({
    pool: true,
    maxConnections: connectionsMax,
    host,
    port,
    secure: tls === "immediate",
    requireTLS: tls === "required",
    ignoreTLS: tls === "none",
    ...(credentials !== null && { auth: { user: credentials.user, pass: credentials.password } }),
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 30_000,
    socketTimeout: attemptMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const orFailed = async (work: Promise<unknown>) => {
    try {
      await work
    } catch (error) {
      throw toMailFailed(server, error)
    }
  }
  return {
    // The same id for every attempt: a receiver can recognize a second copy.
    send: ({ id, to, subject, text, html }) =>
      orFailed(
        transport.sendMail({
          from: { name: siteName, address: from },
          to: { name: "", address: to },
          messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
          headers: { "Auto-Submitted": "auto-generated" },
          subject,
          text,
          html,
          signal: AbortSignal.timeout(attemptMsMax),
        }),
      ),
    verify: () => orFailed(transport.verify()),
    close: () => transport.close({ force: true }),
  }
}

const certificateErrors =
  /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|certificate|self.signed|altname|issuer/i

type SmtpError = Readonly<{ code?: string; command?: string; responseCode?: number }>

function toMailFailed(server: MailServer, error: unknown): MailFailed {
  if (!(error instanceof Error)) throw error
  const { command = "", responseCode: status }: Error & SmtpError = error
  const code = findErrorCode(error) ?? error.name
  const at = { server: describeMailServer(server) }
  const ofServer = (problem: Message) => new MailFailed(problem, false, false)
  if (code === "EAUTH") return ofServer(message("mail_credentials", { ...at, status: status ?? 0 }))
  // Before the codes, because nodemailer wraps the errors of TLS.
  if (status === undefined && certificateErrors.test(`${code} ${error.message}`)) {
    return ofServer(message("mail_certificate", { ...at, reason: error.message }))
  }
  if (code === "ETLS") return ofServer(message("mail_no_tls", at))
  if (code === "EDNS") return ofServer(message("mail_host", at))
  if (status === undefined) {
    const isAboutEmail = command === "API" || code === "EENVELOPE" || code === "EMESSAGE"
    const problem = message("mail_connection", { ...at, reason: code })
    return new MailFailed(problem, isAboutEmail, isAboutEmail)
  }
  const isAboutEmail = /^(RCPT TO|DATA|BDAT)/.test(command) && status !== 421
  const problem = message("mail_response", { ...at, status })
  return new MailFailed(problem, isAboutEmail, isAboutEmail && status >= 500)
}
