/** Delivers pending messages on one thread of each process. Leases keep nodes from sending the same message. */
import { createHmac } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { StoreUnavailable } from "../platform/error.ts"
import { message as problem } from "../platform/problem.ts"
import type { Every } from "../platform/timers.ts"
import type { EndpointCipher } from "./endpoint.ts"
import {
  type Attempt,
  type BusySlot,
  chooseDue,
  dueOfEndpointMax,
  evaluateAttempt,
  isDelivered,
  type LeasedMessage,
  leaseMs,
  type MessageStore,
} from "./message.ts"
import { type FindTarget, type PostResult, post, TargetRejected } from "./post.ts"

export type SenderOptions = Readonly<{
  messages: Pick<MessageStore, "hasPending" | "listDue" | "lease" | "completeAttempt">
  cipher: Pick<EndpointCipher, "decrypt">
  bodyOf(message: LeasedMessage): string
  findTarget: FindTarget
  /** The wall clock, because other nodes compare its timestamps. */
  nowMs(): number
  every: Every
  random(): number
  version: string
  onSent(result: "delivered" | "failed"): void
  onFault(fault: unknown): void
}>

const timeoutMs = 10_000
const pollEveryMs = 1_000
/** The pause between two queries for due messages, so that attempts that end together cause one query. */
const [pauseMsMin, pauseMsMax] = [5, 50]
/** The pause is a multiple of the duration of the query, because the thread also handles requests. */
const pausePerQuery = 4
/** The pause before a result that the store did not take is recorded again. */
const recordEveryMs = 1_000
const closeMs = 2_000

export function openSender(options: SenderOptions) {
  const { messages, nowMs, every, random, onSent, onFault } = options
  const busy = new Map<string, BusySlot>()
  const attempts = new Set<Promise<void>>()
  const stop = new AbortController()
  let running: Promise<void> | null = null
  let isWoken = false
  /** Only the query after a poll includes failing endpoints, because many of them make it slow. */
  let includesFailing = true
  let isMoreDue = false
  let isClosed = false

  async function sendDue(): Promise<void> {
    const withFailing = includesFailing
    includesFailing = false
    const due = await messages.listDue(nowMs(), withFailing)
    const chosen = chooseDue(due, busy.values())
    isMoreDue = due.some(
      ({ messageIds }) =>
        messageIds.length === dueOfEndpointMax || !messageIds.every((id) => chosen.has(id)),
    )
    if (chosen.size === 0 || isClosed) return
    const leased = await messages.lease([...chosen.keys()], nowMs(), nowMs() + leaseMs)
    for (const message of leased) {
      const slot = chosen.get(message.id)
      if (slot === undefined) throw new Error("leased a message that was not due")
      busy.set(message.id, slot)
      const sending = send(message).catch(onFault)
      attempts.add(sending)
      void sending.finally(() => attempts.delete(sending))
    }
  }
  async function send(message: LeasedMessage): Promise<void> {
    const startedMs = performance.now()
    const result = await attemptOf(options, message, stop.signal)
    // The slot is free before the attempt is recorded: the lease keeps the message from being sent again.
    busy.delete(message.id)
    if (isMoreDue) wake()
    // Not a failure of the endpoint: the message is retried after its lease.
    if (stop.signal.aborted && !isDelivered(result)) return
    onSent(isDelivered(result) ? "delivered" : "failed")
    const attempt = { ...result, durationMs: Math.round(performance.now() - startedMs) }
    await record(message, attempt)
  }
  /** Repeated while the store is unavailable, because a message whose attempt was not recorded is sent again. */
  async function record(message: LeasedMessage, attempt: Attempt): Promise<void> {
    const atMs = nowMs()
    for (;;) {
      try {
        return await messages.completeAttempt(message, attempt, atMs, (earlier) =>
          evaluateAttempt(attempt, message.attempts + 1, earlier, atMs, random()),
        )
      } catch (fault) {
        const isOver = stop.signal.aborted || nowMs() >= message.leasedUntilMs
        if (isOver || !(fault instanceof StoreUnavailable)) throw fault
      }
      await sleep(recordEveryMs, null, { signal: stop.signal }).catch(() => {})
    }
  }
  async function runWhileWoken(): Promise<void> {
    while (isWoken && !isClosed) {
      isWoken = false
      const startedMs = performance.now()
      await sendDue().catch(onFault)
      const pauseMs = pausePerQuery * (performance.now() - startedMs)
      await Bun.sleep(Math.min(pauseMsMax, Math.max(pauseMsMin, pauseMs)))
    }
    running = null
  }
  function wake(): void {
    isWoken = true
    if (!isClosed) running ??= runWhileWoken()
  }
  async function poll(): Promise<void> {
    if (!(await messages.hasPending())) return
    includesFailing = true
    wake()
  }
  const stopPolling = every(pollEveryMs, () => {
    poll().catch(onFault)
  })
  wake()
  return {
    /** Waits up to two seconds for attempts in progress. Aborted attempts are retried after their lease. */
    async close() {
      isClosed = true
      stopPolling()
      await running
      const timer = setTimeout(() => stop.abort(), closeMs)
      await Promise.all(attempts)
      clearTimeout(timer)
    },
  }
}

async function attemptOf(
  { cipher, bodyOf, findTarget, nowMs, version }: SenderOptions,
  message: LeasedMessage,
  signal: AbortSignal,
): Promise<PostResult> {
  const { id, endpoint } = message
  try {
    const target = await findTarget(endpoint.url, endpoint.accountId, signal)
    const body = bodyOf(message)
    const seconds = Math.floor(nowMs() / 1000)
    const headers = {
      "Content-Type": "application/json; charset=utf-8",
      "User-Agent": `Pazar/${version}`,
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": listSecrets(cipher, endpoint, nowMs())
        .map((secret) => sign(secret, `${id}.${seconds}.${body}`))
        .join(" "),
    }
    return await post(target, headers, body, { timeoutMs, signal })
  } catch (error) {
    const isSystemError = error instanceof Error && "code" in error
    const reason = isSystemError ? `${error.code}` : `${error}`
    const failure =
      error instanceof TargetRejected ? error.problem : problem("connection_failed", { reason })
    return { status: null, problem: failure, response: "" }
  }
}

/** During the overlap period of a rotation, both secrets sign. */
function listSecrets(
  cipher: Pick<EndpointCipher, "decrypt">,
  { id, encrypted, oldSecret }: LeasedMessage["endpoint"],
  nowMs: number,
): readonly string[] {
  const isOldValid = oldSecret !== null && Date.parse(oldSecret.until) > nowMs
  const all = isOldValid ? [encrypted, oldSecret.encrypted] : [encrypted]
  return all.map((each) => cipher.decrypt(each, id))
}

/** Signature of Standard Webhooks: `v1,` and the HMAC with the base64-decoded secret. */
function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`
}
