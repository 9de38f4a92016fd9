import type { Message } from "../platform/problem.ts"
import type { Timestamp } from "../platform/time.ts"
import type {
  DisabledReason,
  Endpoint,
  EndpointOwner,
  NewEvent,
  PendingCount,
  StoredEvent,
} from "./webhook.ts"

type MessageState = "waiting" | "delivered" | "failed"

/** The state on pages: a waiting message is pending until its first attempt. */
export const deliveryStates = ["pending", "retrying", "delivered", "failed"] as const
export type DeliveryState = (typeof deliveryStates)[number]

export type Attempt = Readonly<{
  status: number | null
  problem: Message | null
  response: string
  durationMs: number
}>

export type RecordedAttempt = Attempt & Readonly<{ at: Timestamp }>

export type Delivery = Readonly<{
  id: string
  endpointId: string
  type: StoredEvent["type"]
  createdAt: Timestamp
  state: MessageState
  attempts: number
  nextAt: Timestamp | null
  last: RecordedAttempt | null
}>

type DeliveryFilter = Readonly<{ state: DeliveryState | null; type: string | null }>

export type DeliveryDetails = Readonly<{
  delivery: Delivery
  event: StoredEvent
  /** Newest first, at most `attemptsMax`. */
  attempts: readonly RecordedAttempt[]
}>

export type DueEndpoint = Omit<BusySlot, "endpointId"> &
  Readonly<{ id: string; messageIds: readonly string[] }>

/** A message that no other node sends until the lease ends. */
export type LeasedMessage = Readonly<{
  id: string
  leasedUntilMs: number
  attempts: number
  endpoint: Pick<Endpoint, "id" | "accountId" | "url" | "encrypted" | "oldSecret">
  event: StoredEvent
}>

export type AttemptResult = Readonly<{
  state: MessageState
  nextAtMs: number | null
  failingSinceMs: number | null
  disabled: DisabledReason | null
}>

export type PreviousAttempts = Readonly<{ failingSinceMs: number | null; attemptedAtMs: number }>

export interface MessageStore {
  /** Newest first. `before` is the last id of the previous page. Filters apply to the next `filteredMax` messages. */
  list(
    endpointId: string,
    before: string | null,
    rowsMax: number,
    filter?: DeliveryFilter,
  ): Promise<readonly Delivery[]>
  find(id: string): Promise<DeliveryDetails | null>
  /** Sends it immediately, with the same id. Returns false if it is unknown. */
  redeliver(id: string, nowMs: number): Promise<boolean>
  /** Returns null if the endpoint is unknown, `limited` if its author has sent `testEventsMax` in a minute. */
  insertTest(
    endpointId: string,
    at: Timestamp,
  ): Promise<Readonly<{ messageId: string }> | "limited" | null>
  enqueue(event: NewEvent): Promise<void>
  /** Whether any message is pending, due or not. An idle sender calls it every second, so it must be cheap. */
  hasPending(): Promise<boolean>
  /** A few messages of each enabled endpoint, oldest attempt first, without suspended authors. `isWithFailing` is slow. */
  listDue(nowMs: number, isWithFailing: boolean): Promise<readonly DueEndpoint[]>
  /**
   * Omits messages that another node leased or that were deleted. The item of a purchase is the current one. If the
   * author no longer has it, it is what was stored: id and name.
   */
  lease(ids: readonly string[], nowMs: number, untilMs: number): Promise<readonly LeasedMessage[]>
  /** Changes nothing if another node has the lease by now. */
  completeAttempt(
    message: Pick<LeasedMessage, "id" | "leasedUntilMs" | "endpoint">,
    attempt: Attempt,
    nowMs: number,
    decide: (earlier: PreviousAttempts) => AttemptResult,
  ): Promise<void>
  failPending(endpointId: string, rowsMax: number): Promise<number>
  /** Of the enabled endpoints that have pending messages. Takes longer with more of them. */
  countPending(): Promise<readonly PendingCount[]>
  /** Keeps pending messages and the newest `deliveriesMax` of one endpoint after the cursor. Null at the end. */
  prune(afterId: string, rowsMax: number): Promise<string | null>
  /** Also deletes messages of removed endpoints. */
  deleteExpired(before: Timestamp, rowsMax: number): Promise<number>
}

export const messageDays = 30
export const deliveriesMax = 1_000
export const testEventsMax = 10
/** Per message. More than the retries; redeliveries replace the oldest. */
export const attemptsMax = 20
/** An endpoint can have a million pending messages. */
export const filteredMax = 10_000
const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const retryHours = [2, 5, 10, 14, 20, 24]
const retryMs = [5 * second, 5 * minute, 30 * minute, ...retryHours.map((hours) => hours * hour)]
/** Share of the pause: messages that failed together are not retried together. */
const jitter = 0.1
const failingMsMax = 5 * 24 * hour
/** Longer than any pause between two attempts: no message was due. */
const idleMs = 2 * 24 * hour

/** After a node died, another one continues. Longer than an attempt can take. */
export const leaseMs = 60_000

export function retryAfterMs(attempts: number, random: number): number | null {
  const pause = retryMs[attempts - 1]
  return pause === undefined ? null : Math.round(pause * (1 + jitter * (2 * random - 1)))
}

export const stateOfDelivery = ({ state, attempts }: Delivery): DeliveryState =>
  state === "waiting" ? (attempts === 0 ? "pending" : "retrying") : state

/** Whether a result is expected soon: the message is due, or a node has the lease. */
export const isAwaited = ({ nextAt }: Delivery, now: Date) =>
  nextAt !== null && Date.parse(nextAt) <= now.getTime() + leaseMs

export const isDelivered = ({ status }: Pick<Attempt, "status">) =>
  status !== null && status >= 200 && status < 300

export function evaluateAttempt(
  attempt: Attempt,
  attempts: number,
  { failingSinceMs, attemptedAtMs }: PreviousAttempts,
  { nowMs, random }: Readonly<{ nowMs: number; random: number }>,
): AttemptResult {
  if (isDelivered(attempt)) {
    return { state: "delivered", nextAtMs: null, failingSinceMs: null, disabled: null }
  }
  // Days without an attempt are not failures: one attempt after them does not disable the endpoint.
  const isIdle = nowMs - attemptedAtMs > idleMs
  const sinceMs = isIdle ? nowMs : (failingSinceMs ?? nowMs)
  const pauseMs = attempt.status === 410 ? null : retryAfterMs(attempts, random)
  const isDead = nowMs - sinceMs >= failingMsMax
  return {
    state: pauseMs === null ? "failed" : "waiting",
    nextAtMs: pauseMs === null ? null : nowMs + pauseMs,
    failingSinceMs: sinceMs,
    disabled: attempt.status === 410 ? "gone" : isDead ? "failing" : null,
  }
}

/** Concurrent attempts on a node. The sockets of a process are limited. */
const slotsMax = 512
/** Endpoints that do not respond leave slots for those that do. */
const failingSlotsMax = 128
const authorSlotsMax = 4
/** Operators receive the events of all authors. */
const operatorSlotsMax = 16
const failingEndpointSlotsMax = 1

export type BusySlot = Readonly<{
  endpointId: string
  accountId: EndpointOwner
  isFailing: boolean
}>

export function chooseDue(
  due: readonly DueEndpoint[],
  busy: Iterable<BusySlot>,
): ReadonlyMap<string, BusySlot> {
  const perOwner = new Map<EndpointOwner, number>()
  const perEndpoint = new Map<string, number>()
  let [all, failing] = [0, 0]
  function take({ endpointId, accountId, isFailing }: BusySlot): void {
    perOwner.set(accountId, (perOwner.get(accountId) ?? 0) + 1)
    perEndpoint.set(endpointId, (perEndpoint.get(endpointId) ?? 0) + 1)
    all += 1
    if (isFailing) failing += 1
  }
  function hasRoom({ endpointId, accountId, isFailing }: BusySlot): boolean {
    const ownerMax = accountId === null ? operatorSlotsMax : authorSlotsMax
    if (all >= slotsMax || (perOwner.get(accountId) ?? 0) >= ownerMax) return false
    if (!isFailing) return true
    return failing < failingSlotsMax && (perEndpoint.get(endpointId) ?? 0) < failingEndpointSlotsMax
  }
  for (const slot of busy) take(slot)
  const chosen = new Map<string, BusySlot>()
  const depth = Math.max(0, ...due.map(({ messageIds }) => messageIds.length))
  // One message of each endpoint, then the next of each: an endpoint with many does not delay the others.
  for (let nth = 0; nth < depth && all < slotsMax; nth += 1) {
    for (const { id: endpointId, accountId, isFailing, messageIds } of due) {
      const messageId = messageIds[nth]
      const slot = { endpointId, accountId, isFailing }
      if (messageId === undefined || !hasRoom(slot)) continue
      take(slot)
      chosen.set(messageId, slot)
    }
  }
  return chosen
}

/** No owner has more slots. */
export const dueOfEndpointMax = operatorSlotsMax
