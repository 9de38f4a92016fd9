/** Messages: an event on its way to an endpoint, sent until the endpoint takes it. */
import type { Timestamp } from "../values/time/timestamp.ts"
import type { DisabledReason, Endpoint, EndpointOwner } from "./endpoint.ts"
import type { NewEvent, StoredEvent } from "./event.ts"

export type MessageState = "waiting" | "delivered" | "failed"

export type Attempt = Readonly<{
  /** Of the answer; null where there was none. */
  status: number | null
  /** Why there was no answer; null where there was one. */
  problem: string | null
  /** The first kilobyte of it. */
  response: string
}>

/** A message with its last try, as its owner sees it. */
export type Delivery = Readonly<{
  id: string
  endpointId: string
  type: StoredEvent["type"]
  createdAt: Timestamp
  state: MessageState
  attempts: number
  /** When it is tried again; null for one that is not. */
  nextAt: Timestamp | null
  attemptedAt: Timestamp | null
  last: Attempt | null
}>

/** The messages of an endpoint that could be sent now, those that are due longest first. */
export type DueEndpoint = Readonly<{
  id: string
  accountId: EndpointOwner
  isFailing: boolean
  messageIds: readonly string[]
}>

/** A message that this node sends: no other does until the lease ends. */
export type LeasedMessage = Readonly<{
  id: string
  leasedUntilMs: number
  attempts: number
  endpoint: Pick<Endpoint, "id" | "accountId" | "url" | "encrypted" | "oldSecret">
  event: StoredEvent
}>

export type AttemptResult = Readonly<{
  state: MessageState
  /** Null where it is not tried again. */
  nextAtMs: number | null
  failingSinceMs: number | null
  /** The endpoint is turned off for this reason. */
  disabled: DisabledReason | null
}>

/** The tries of an endpoint before this one. */
export type PreviousAttempts = Readonly<{
  failingSinceMs: number | null
  /** The last one; 0 before the first. */
  attemptedAtMs: number
}>

type Inserted = Readonly<{ messageId: string }>

export interface MessageStore {
  /** The latest first, at most `rowsMax`; before that of the id `before`, where one is given. */
  list(endpointId: string, before: string | null, rowsMax: number): Promise<readonly Delivery[]>
  /** With its event, as `lease` returns it; null when there is none. */
  find(id: string): Promise<Readonly<{ delivery: Delivery; event: StoredEvent }> | null>
  /**
   * Sends it at once, with the same id, whatever came of it before. False when there is no such message, and when its
   * endpoint holds too many, which turns that off.
   */
  redeliver(id: string, nowMs: number): Promise<boolean>
  /**
   * A test event for one endpoint alone, and its message's id; null when there is no such endpoint, or it is full as
   * above. `limited`: its author has sent `testEventsMax` in the last minute.
   */
  insertTest(endpointId: string, at: Timestamp): Promise<Inserted | "limited" | null>
  /** An event that tells of no change in the store. */
  enqueue(event: NewEvent): Promise<void>
  /** Whether any waits, due or not: what an idle sender asks each second, from an index that is empty then. */
  hasPending(): Promise<boolean>
  /**
   * Those of endpoints that are on, the endpoint that was tried longest ago first; a few of each. None to a suspended
   * author: they wait. Without those that fail it is quick however many of them wait for their next try.
   */
  listDue(nowMs: number, isWithFailing: boolean): Promise<readonly DueEndpoint[]>
  /**
   * Leaves out those that another node leased meanwhile, and those that are gone. The item of a purchase is the
   * current one. If the item was deleted, or the endpoint's author no longer has it, it is what was stored with the
   * event: its id and name, or the whole item as of 0.12.3.
   */
  lease(ids: readonly string[], nowMs: number, untilMs: number): Promise<readonly LeasedMessage[]>
  /** Changes nothing if the lease is another one by now. */
  completeAttempt(
    message: Pick<LeasedMessage, "id" | "leasedUntilMs" | "endpoint">,
    attempt: Attempt,
    nowMs: number,
    decide: (earlier: PreviousAttempts) => AttemptResult,
  ): Promise<void>
  /** Those that wait for an endpoint are given up, at most `rowsMax`; gives their number. */
  failPending(endpointId: string, rowsMax: number): Promise<number>
  /** Of all endpoints that are on, but those of suspended authors. */
  countPending(): Promise<number>
  /**
   * Removes what is older than the newest `deliveriesMax` of the first endpoint after this id, but nothing that waits;
   * at most `rowsMax`. Returns where to go on, null after the last endpoint.
   */
  prune(afterId: string, rowsMax: number): Promise<string | null>
  /** Those made before, and those of removed endpoints; gives the number of removed rows. */
  deleteExpired(before: Timestamp, rowsMax: number): Promise<number>
}

/** Deliveries are shown for so long, and can be sent again. */
export const messageDays = 30
/** Per endpoint. */
export const deliveriesMax = 1_000
/** Per author and minute. */
export const testEventsMax = 10

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const retryMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
/** Of the pause: messages that failed together are not tried again together. */
const jitter = 0.1
const failingMsMax = 5 * 24 * hour
/** Longer than any pause between two tries of a message: nothing was to be sent. */
const idleMs = 2 * 24 * hour

/** After a node died, another one goes on. Longer than a try can take. */
export const leaseMs = 60_000

/** `random` is from 0 to 1. Null after the last try. */
export function retryAfterMs(attempts: number, random: number): number | null {
  const pause = retryMs[attempts - 1]
  return pause === undefined ? null : Math.round(pause * (1 + jitter * (2 * random - 1)))
}

export const isDelivered = ({ status }: Attempt) => status !== null && status >= 200 && status < 300

/** `attempts` includes the one that was made `nowMs`. */
export function evaluateAttempt(
  attempt: Attempt,
  attempts: number,
  { failingSinceMs, attemptedAtMs }: PreviousAttempts,
  nowMs: number,
  random: number,
): AttemptResult {
  if (isDelivered(attempt)) {
    return { state: "delivered", nextAtMs: null, failingSinceMs: null, disabled: null }
  }
  // Days without a try are no failures: one try after them does not turn it off.
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

/** Tries at once on a node. The sockets of a process are limited. */
const slotsMax = 512
/** Of them, so that endpoints that do not answer leave room for those that do. */
const failingSlotsMax = 128
/** Of one author on a node. */
const authorSlotsMax = 4
/** Of the operators, who are told of the events of all authors. */
const operatorSlotsMax = 16
/** An endpoint that fails is tried with one message at a time. */
const failingEndpointSlotsMax = 1

export type BusySlot = Readonly<{
  endpointId: string
  accountId: EndpointOwner
  isFailing: boolean
}>

/** The messages to send now, as far as there is room for them. */
export function chooseDue(
  due: readonly DueEndpoint[],
  busy: Iterable<BusySlot>,
): ReadonlyMap<string, BusySlot> {
  const ofOwner = new Map<EndpointOwner, number>()
  const ofEndpoint = new Map<string, number>()
  let [all, failing] = [0, 0]
  function take({ endpointId, accountId, isFailing }: BusySlot): void {
    ofOwner.set(accountId, (ofOwner.get(accountId) ?? 0) + 1)
    ofEndpoint.set(endpointId, (ofEndpoint.get(endpointId) ?? 0) + 1)
    all += 1
    if (isFailing) failing += 1
  }
  function hasRoom({ endpointId, accountId, isFailing }: BusySlot): boolean {
    const ownerMax = accountId === null ? operatorSlotsMax : authorSlotsMax
    if (all >= slotsMax || (ofOwner.get(accountId) ?? 0) >= ownerMax) return false
    if (!isFailing) return true
    return failing < failingSlotsMax && (ofEndpoint.get(endpointId) ?? 0) < failingEndpointSlotsMax
  }
  for (const slot of busy) take(slot)
  const chosen = new Map<string, BusySlot>()
  const depth = Math.max(0, ...due.map(({ messageIds }) => messageIds.length))
  // One message of each endpoint, then the next of each: an endpoint with many does not hold up the others.
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

/** Due messages of one endpoint that are looked at together: no owner has more slots. */
export const dueOfEndpointMax = operatorSlotsMax
