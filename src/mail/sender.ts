/** Sends e-mails of the outbox on one thread of each process. Leases keep nodes from sending the same e-mail. */

import type { Message } from "../platform/problem.ts"
import type { Every } from "../platform/timers.ts"
import {
  type EmailCipher,
  type EmailStore,
  emailLeaseMs,
  type LeasedEmail,
  type OutboxEntry,
  retryEmailAfterMs,
} from "./email.ts"
import { renderEmail } from "./render-email.ts"
import { connectionsMax, MailFailed, type MailTransport } from "./transport.ts"

export type EmailSenderOptions = Readonly<{
  emails: Pick<EmailStore, "lease" | "retry" | "remove">
  cipher: Pick<EmailCipher, "decrypt">
  transport: MailTransport
  siteName: string
  /** The sign-in page. */
  signInUrl: string
  /** Puts the links for a reset request into the outbox. */
  answerReset(email: string): Promise<void>
  /** The wall clock, because other nodes compare its timestamps. */
  nowMs(): number
  every: Every
  /** Whether the mail server failed before this process started. */
  wasFailing(): Promise<boolean>
  /** Called after each attempt; null if the mail server responded. */
  onServer(problem: Message | null): Promise<void>
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
  let isFailing: boolean | null = null
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
    isFailing ??= await options.wasFailing()
    const count = Math.min(startedPerPoll, connectionsMax - sending.size)
    if (count === 0 || nowMs() < pausedUntilMs) return
    const leased = await emails.lease(nowMs(), nowMs() + emailLeaseMs, count)
    for (const email of leased) track(attempt(email))
    if (isFailing && sending.size === 0) track(probe())
  }
  function track(work: Promise<void>): void {
    const tracked = work.catch(onFault).finally(() => sending.delete(tracked))
    sending.add(tracked)
  }
  /** Without a due e-mail, nothing else would show that the mail server works again. */
  async function probe(): Promise<void> {
    try {
      await transport.verify()
    } catch (fault) {
      if (isClosed) return
      if (!(fault instanceof MailFailed)) throw fault
      return recordServer(fault.problem)
    }
    await recordServer(null)
  }
  async function recordServer(problem: Message | null): Promise<void> {
    isFailing = problem !== null
    if (problem === null) pauseMs = pauseMsMin
    else pause()
    await options.onServer(problem)
  }
  async function attempt(email: LeasedEmail): Promise<void> {
    let isSent: boolean
    try {
      isSent = await deliver(options, email)
    } catch (fault) {
      // The transport was closed: the server may have accepted the e-mail.
      if (isClosed) return
      onFault(fault)
      const failure = fault instanceof MailFailed ? fault : null
      if (failure?.isRejected && email.attempts >= rejectionsMax) {
        options.onGivenUp(failure)
        await emails.remove(email.id)
      } else await emails.retry(email, nowMs() + retryEmailAfterMs(email.attempts))
      if (failure !== null) await recordServer(failure.isAboutEmail ? null : failure.problem)
      return
    }
    await emails.remove(email.id)
    if (isSent) await recordServer(null)
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

/** Returns false for a reset request, which is not sent itself. */
async function deliver(
  options: EmailSenderOptions,
  { id, encrypted }: LeasedEmail,
): Promise<boolean> {
  const { cipher, transport, siteName, signInUrl, answerReset } = options
  // `as`: encrypted by `encryptEmail`.
  const entry = JSON.parse(cipher.decrypt(encrypted, id)) as OutboxEntry
  if (entry.kind === "reset_request") {
    await answerReset(entry.to)
    return false
  }
  await transport.send({ id, to: entry.to, ...renderEmail(entry, siteName, signInUrl) })
  return true
}
