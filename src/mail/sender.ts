/** Sends e-mails of the outbox on one thread of each process. Leases keep nodes from sending the same e-mail. */
import {
  type EmailCipher,
  type EmailStore,
  emailLeaseMs,
  type LeasedEmail,
  type OutboxEntry,
  type ResetRequest,
  retryEmailAfterMs,
} from "../domain/mail/email.ts"
import type { Every } from "../domain/values/timers.ts"
import { renderEmail } from "./render-email.ts"
import { connectionsMax, MailFailed, type MailTransport } from "./transport.ts"

export type EmailSenderOptions = Readonly<{
  emails: Pick<EmailStore, "lease" | "retry" | "remove">
  cipher: Pick<EmailCipher, "decrypt">
  transport: MailTransport
  siteName: string
  /** Puts the links for a reset request into the outbox. */
  answerResetRequest(request: Extract<OutboxEntry, ResetRequest>): Promise<void>
  /** The wall clock, because other nodes compare its timestamps. */
  nowMs(): number
  every: Every
  onFault(fault: unknown): void
  /** Called if the mail server has rejected an e-mail `rejectionsMax` times. */
  onGivenUp(failure: MailFailed): void
}>

export type EmailSender = Readonly<{
  /** Waits up to two seconds for e-mails in progress. The others are sent again after their lease. */
  close(): Promise<void>
}>

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

export function openEmailSender(options: EmailSenderOptions): EmailSender {
  const { emails, transport, nowMs, every, onFault } = options
  const sending = new Set<Promise<void>>()
  let polling: Promise<void> | null = null
  let pausedUntilMs = 0
  let pauseMs = pauseMsMin
  let isClosed = false

  function poll(): void {
    if (isClosed) return
    polling ??= start()
      .catch(onFault)
      .finally(() => {
        polling = null
      })
  }
  /** Each e-mail gets a connection at once: waiting behind others, it could outlive its lease. */
  async function start(): Promise<void> {
    const count = Math.min(startedPerPoll, connectionsMax - sending.size)
    if (count === 0 || nowMs() < pausedUntilMs) return
    for (const email of await emails.lease(nowMs(), nowMs() + emailLeaseMs, count)) {
      const attempted = attempt(email)
        .catch(onFault)
        .finally(() => sending.delete(attempted))
      sending.add(attempted)
    }
  }
  async function attempt(email: LeasedEmail): Promise<void> {
    try {
      await deliver(options, email)
    } catch (fault) {
      // The transport was closed: the server may have accepted the e-mail.
      if (isClosed) return
      onFault(fault)
      if (fault instanceof MailFailed && !fault.isAboutEmail) pause()
      if (fault instanceof MailFailed && fault.isRejected && email.attempts >= rejectionsMax) {
        options.onGivenUp(fault)
        return emails.remove(email.id)
      }
      return emails.retry(email, nowMs() + retryEmailAfterMs(email.attempts))
    }
    pauseMs = pauseMsMin
    await emails.remove(email.id)
  }
  function pause(): void {
    // Connections that fail together are one failure.
    if (nowMs() < pausedUntilMs) return
    pausedUntilMs = nowMs() + pauseMs
    pauseMs = Math.min(pauseMsMax, 2 * pauseMs)
  }
  const stopPolling = every(pollEveryMs, poll)
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

async function deliver(options: EmailSenderOptions, { id, encrypted }: LeasedEmail): Promise<void> {
  const { cipher, transport, siteName, answerResetRequest } = options
  // `as`: encrypted by `encryptEmail`.
  const entry = JSON.parse(cipher.decrypt(encrypted, id)) as OutboxEntry
  if (entry.kind === "reset_request") return answerResetRequest(entry)
  await transport.send({ id, to: entry.to, ...renderEmail(entry, siteName) })
}
