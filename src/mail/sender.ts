/**
 * Sends e-mails of the outbox by SMTP, on one thread of each process. Leases keep nodes from sending the same e-mail.
 * Errors never contain a server's response, which may repeat addresses.
 */
import { createTransport } from "nodemailer"
import { findErrorCode } from "../platform/error.ts"
import { describe, type Message, message } from "../platform/problem.ts"
import type { Every } from "../platform/timers.ts"
import {
  describeMailServer,
  type EmailCipher,
  type EmailStore,
  type LeasedEmail,
  type MailServer,
  type OutboxEntry,
} from "./email.ts"
import { type RenderedEmail, renderEmail } from "./render-email.ts"

type MailTransport = Readonly<{
  /** Throws MailFailed. */
  send(email: RenderedEmail & Readonly<{ id: string; to: string }>): Promise<void>
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
  readonly isRejected: boolean

  constructor(problem: Message, isAboutEmail: boolean, isRejected: boolean) {
    super(describe(problem))
    this.problem = problem
    this.isAboutEmail = isAboutEmail
    this.isRejected = isRejected
  }
}

const minuteMs = 60_000
/** A mail server may take ten minutes (RFC 5321, 4.5.3.2). The lease is longer than an attempt, which would be repeated. */
const [timeoutMs, leaseMs] = [12 * minuteMs, 15 * minuteMs]
/** After each attempt, then every hour until the e-mail expires. */
const retryMs = [0.5 * minuteMs, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs] as const
const lastRetryMs = 60 * minuteMs

const connectionsMax = 4

/** An attempt ends after `attemptMsMax`, even if the server continues to send lines. */
export function openMailTransport(
  server: MailServer,
  siteName: string,
  attemptMsMax = timeoutMs,
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

const pollEveryMs = 1_000
/**
 * One e-mail takes 4 ms of a thread that also responds to requests: at two a second, fewer than 1 % of them wait. A
 * thousand invitations take eight minutes.
 */
const startedPerPoll = 2
const closeMs = 2_000
/** A mail server also responds 5xx if it is configured incorrectly: an operator has an hour to correct it. */
const rejectionsMax = 5
/** While the mail server does not respond, few e-mails are attempted. */
const [pauseMsMin, pauseMsMax] = [5_000, 300_000]

type SenderOptions = Readonly<{
  emails: Pick<EmailStore, "lease" | "retry" | "remove">
  cipher: Pick<EmailCipher, "decrypt">
  transport: MailTransport
  siteName: string
  signInUrl: string
  answerReset(email: string): Promise<void>
  /** The wall clock, because other nodes compare its timestamps. */
  nowMs(): number
  every: Every
  /** Whether the mail server failed before this process started. */
  wasFailing(): Promise<boolean>
  /** Called after each attempt; null if the mail server responded. */
  onServer(problem: Message | null): Promise<void>
  onFault(fault: unknown): void
  onGivenUp(failure: MailFailed): void
}>

/** `close` waits up to two seconds for e-mails in progress. The others are sent again after their lease. */
export function openEmailSender(options: SenderOptions): Readonly<{ close(): Promise<void> }> {
  const { emails, transport, nowMs, onFault } = options
  const sending = new Set<Promise<void>>()
  let polling: Promise<void> | null = null
  let [pausedUntilMs, pauseMs] = [0, pauseMsMin]
  let isFailing: boolean | null = null
  let isClosed = false

  /** Each e-mail gets a connection at once: waiting behind others, it could outlive its lease. */
  async function start(): Promise<void> {
    isFailing ??= await options.wasFailing()
    const count = Math.min(startedPerPoll, connectionsMax - sending.size)
    if (count === 0 || nowMs() < pausedUntilMs) return
    const leased = await emails.lease(nowMs(), nowMs() + leaseMs, count)
    for (const email of leased) track(attempt(email))
    // Without a due e-mail, nothing else would show that the mail server works again.
    if (isFailing && sending.size === 0) track(attempt(null))
  }
  function track(work: Promise<void>): void {
    const tracked = work.catch(onFault).finally(() => sending.delete(tracked))
    sending.add(tracked)
  }
  /** Null tests the mail server without an e-mail. */
  async function attempt(email: LeasedEmail | null): Promise<void> {
    let isServed = true
    try {
      if (email === null) await transport.verify()
      else isServed = await deliver(options, email)
    } catch (fault) {
      // The transport was closed: the server may have accepted the e-mail.
      if (isClosed) return
      if (email !== null) await retry(options, email, fault)
      else if (!(fault instanceof MailFailed)) throw fault
      if (!(fault instanceof MailFailed)) return
      const hasResponded = email !== null && fault.isAboutEmail
      return recordServer(hasResponded ? null : fault.problem)
    }
    if (email !== null) await emails.remove(email.id)
    if (isServed) await recordServer(null)
  }
  async function recordServer(problem: Message | null): Promise<void> {
    isFailing = problem !== null
    if (problem === null) pauseMs = pauseMsMin
    // Connections that fail together are one failure.
    else if (nowMs() >= pausedUntilMs) {
      pausedUntilMs = nowMs() + pauseMs
      pauseMs = Math.min(pauseMsMax, 2 * pauseMs)
    }
    await options.onServer(problem)
  }
  function poll(): void {
    if (isClosed) return
    polling ??= start()
      .catch(onFault)
      .finally(() => {
        polling = null
      })
  }
  const stopPolling = options.every(pollEveryMs, poll)
  poll()
  return {
    async close() {
      isClosed = true
      stopPolling()
      await polling
      await Promise.race([Promise.all(sending), Bun.sleep(closeMs)])
      transport.close()
      await Promise.all(sending)
    },
  }
}

/** Returns false for a reset request, which is not sent itself. */
async function deliver(
  { cipher, transport, siteName, signInUrl, answerReset }: SenderOptions,
  { id, encrypted }: LeasedEmail,
): Promise<boolean> {
  // `as`: encrypted by `encryptEmail`.
  const entry = JSON.parse(cipher.decrypt(encrypted, id)) as OutboxEntry
  if (entry.kind === "reset_request") {
    await answerReset(entry.to)
    return false
  }
  await transport.send({ id, to: entry.to, ...renderEmail(entry, siteName, signInUrl) })
  return true
}

async function retry(
  { emails, nowMs, onFault, onGivenUp }: SenderOptions,
  email: LeasedEmail,
  fault: unknown,
): Promise<void> {
  onFault(fault)
  if (fault instanceof MailFailed && fault.isRejected && email.attempts >= rejectionsMax) {
    onGivenUp(fault)
    return emails.remove(email.id)
  }
  await emails.retry(email, nowMs() + (retryMs[email.attempts - 1] ?? lastRetryMs))
}
