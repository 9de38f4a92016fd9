/** Sends the messages that wait, on one thread of each program. Other nodes do the same; leases keep them apart. */
import { createHmac } from "node:crypto"
import type { EndpointCipher } from "../domain/events/endpoint.ts"
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
} from "../domain/events/message.ts"
import type { Every } from "../domain/values/time/timers.ts"
import { NoLookupSlotError } from "./dns-resolver.ts"
import { post } from "./post.ts"
import { type FindTarget, TargetRejected } from "./target.ts"

export type SendResult = "delivered" | "failed"

export type SenderOptions = Readonly<{
  messages: Pick<
    MessageStore,
    "hasPending" | "listDue" | "lease" | "completeAttempt" | "countPending"
  >
  cipher: Pick<EndpointCipher, "decrypt">
  bodyOf(message: LeasedMessage): string
  findTarget: FindTarget
  /** The wall clock, in milliseconds: other nodes compare what it says. */
  nowMs(): number
  every: Every
  random(): number
  version: string
  onSent(result: SendResult): void
  onPending(messages: number): void
  onFault(fault: unknown): void
}>

export type Sender = Readonly<{
  /** Resolves when nothing is under way any more. Tries that do not end soon are given up; they are made again. */
  close(): Promise<void>
}>

const timeoutMs = 10_000
const pollEveryMs = 1_000
/** Between two looks: many messages that end together cost one look. */
const [pauseMsMin, pauseMsMax] = [5, 50]
/** A look takes longer where many endpoints wait. The thread also answers requests. */
const pauseOfLook = 4
const closeMs = 2_000

export function openSender(options: SenderOptions): Sender {
  const { messages, nowMs, every, random, onSent, onPending, onFault } = options
  const busy = new Map<string, BusySlot>()
  const underWay = new Set<Promise<void>>()
  const stop = new AbortController()
  let looking: Promise<void> | null = null
  let isAsked = false
  /** Only a look after a poll includes endpoints that fail: with many of them it takes a millisecond. */
  let isPolled = true
  let isMoreDue = false
  let isClosed = false

  async function look(): Promise<void> {
    const isWithFailing = isPolled
    isPolled = false
    const due = await messages.listDue(nowMs(), isWithFailing)
    const chosen = chooseDue(due, busy.values())
    isMoreDue = due.some(
      ({ messageIds }) =>
        messageIds.length === dueOfEndpointMax || !messageIds.every((id) => chosen.has(id)),
    )
    if (chosen.size === 0 || isClosed) return
    const leased = await messages.lease([...chosen.keys()], nowMs(), nowMs() + leaseMs)
    for (const message of leased) {
      const slot = chosen.get(message.id)
      if (slot === undefined) throw new Error("a message was leased that was not due")
      busy.set(message.id, slot)
      const sending = send(message, slot).catch(onFault)
      underWay.add(sending)
      void sending.finally(() => underWay.delete(sending))
    }
  }
  async function send(message: LeasedMessage, slot: BusySlot): Promise<void> {
    const attempt = await attemptOf(options, message, slot, stop.signal)
    // The next one need not wait until this one is noted: its lease keeps it from being sent again.
    busy.delete(message.id)
    if (isMoreDue) wake()
    // Not the endpoint's fault; it is tried again when the lease ends.
    if (attempt === null || (stop.signal.aborted && !isDelivered(attempt))) return
    onSent(isDelivered(attempt) ? "delivered" : "failed")
    const atMs = nowMs()
    await messages.completeAttempt(message, attempt, atMs, (earlier) =>
      evaluateAttempt(attempt, message.attempts + 1, earlier, atMs, random()),
    )
  }
  async function lookWhileAsked(): Promise<void> {
    while (isAsked && !isClosed) {
      isAsked = false
      const begunMs = performance.now()
      await look().catch(onFault)
      const pauseMs = pauseOfLook * (performance.now() - begunMs)
      await Bun.sleep(Math.min(pauseMsMax, Math.max(pauseMsMin, pauseMs)))
    }
    looking = null
  }
  function wake(): void {
    isAsked = true
    if (!isClosed) looking ??= lookWhileAsked()
  }
  async function poll(): Promise<void> {
    const isIdle = !(await messages.hasPending())
    onPending(isIdle ? 0 : await messages.countPending())
    if (isIdle) return
    isPolled = true
    wake()
  }
  const stopPolling = every(pollEveryMs, () => {
    poll().catch(onFault)
  })
  wake()
  return {
    async close() {
      isClosed = true
      stopPolling()
      await looking
      const timer = setTimeout(() => stop.abort(), closeMs)
      await Promise.all(underWay)
      clearTimeout(timer)
    },
  }
}

/** Null if the host could not be looked up because others are. */
async function attemptOf(
  { cipher, bodyOf, findTarget, nowMs, version }: SenderOptions,
  message: LeasedMessage,
  slot: BusySlot,
  signal: AbortSignal,
): Promise<Attempt | null> {
  const { id, endpoint } = message
  try {
    const target = await findTarget(endpoint.url, slot, signal)
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
    if (error instanceof NoLookupSlotError) return null
    return { status: null, problem: explain(error), response: "" }
  }
}

/** The one before is still valid for a day after it was replaced. */
function listSecrets(
  cipher: Pick<EndpointCipher, "decrypt">,
  { id, encrypted, oldSecret }: LeasedMessage["endpoint"],
  nowMs: number,
): readonly string[] {
  const isOldValid = oldSecret !== null && Date.parse(oldSecret.until) > nowMs
  const all = isOldValid ? [encrypted, oldSecret.encrypted] : [encrypted]
  return all.map((each) => cipher.decrypt(each, id))
}

/** Standard Webhooks: `v1,` and the HMAC of id, timestamp and body under the bytes that the secret spells. */
function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`
}

function explain(error: unknown): string {
  if (error instanceof TargetRejected) return error.message
  if (error instanceof Error && "code" in error) return `${error.code}`
  return error instanceof Error ? error.message : "unknown"
}
