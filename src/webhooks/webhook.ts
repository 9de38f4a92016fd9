/**
 * Webhook events, and the endpoints that receive them. Receivers rely on the type, so bodies are stable: a new body is
 * a new type.
 */

import { randomBytes } from "node:crypto"
import type { Purchase } from "../../sdk/src/wire.ts"
import {
  createCipher,
  deriveId,
  idLength,
  keysOf,
  type MasterKey,
  type MasterKeys,
  randomBase62,
  subKey,
} from "../platform/crypto/cipher.ts"
import { UserError } from "../platform/error.ts"
import { daySeconds, type Timestamp } from "../platform/time.ts"

const authorEventTypes = [
  "purchase.created",
  "purchase.changed",
  "purchase.revoked",
  "purchase.restored",
  "site.refused",
  "key.leaked",
  "key.called_after_stop",
] as const

/** Operators also receive the events of all authors. */
export const operatorEventTypes = [
  ...authorEventTypes,
  "account.invited",
  "import.failed",
  "pull.overdue",
] as const

export type EventType = (typeof operatorEventTypes)[number]

/** Sent on request to one endpoint, whatever events it selected. */
export const testEventType = "endpoint.test"

type PurchaseData = Readonly<{ purchase: Purchase }>
type KeyData = Readonly<{ key_id: string; name: string }>

/** The data for authors. For operators, `username` is added in front if the event belongs to an author. */
type EventData = Readonly<{
  "purchase.created": PurchaseData
  "purchase.changed": PurchaseData
  /** Refunded, charged back or deleted. */
  "purchase.revoked": PurchaseData
  "purchase.restored": PurchaseData
  /** A valid code was used beyond its site limit. Sent once per code and day, with the first site. */
  "site.refused": Readonly<{ purchase_code: string; site: string; limit: number }>
  /** The author revoked or rotated the key because others may know it. */
  "key.leaked": KeyData
  /** A revoked or expired key was used. Sent once per key and day. */
  "key.called_after_stop": KeyData
  /** The link lets its holder choose a password, once. `email` is absent if the account has none. */
  "account.invited": Readonly<{ email?: string; url: string }>
  "import.failed": Readonly<{ source: string; via: string; problem: string }>
  /** Sent once when a pull becomes overdue. */
  "pull.overdue": Readonly<{ name: string; due_at: Timestamp; last_success_at?: Timestamp }>
  "endpoint.test": Readonly<{ endpoint_id: string }>
}>

type EventOwner = Readonly<{ id: number; username: string }>

export type NewEvent = Readonly<{
  type: EventType
  at: Timestamp
  account: EventOwner | null
  data: string
  /** `data` contains a secret: it is ciphertext in base64. */
  isEncrypted?: boolean
  /** The date of a purchase. Endpoints that were created later do not receive the event. */
  soldAt?: Timestamp
  /** Events with the same key in the last 30 days are one event. */
  idempotencyKey?: string
}>

export type StoredEvent = Readonly<{
  type: EventType | typeof testEventType
  at: Timestamp
  /** The author's name at that time; null if the event belongs to no author. */
  username: string | null
  data: string
  isEncrypted: boolean
}>

export const renderData = <Type extends keyof EventData>(_type: Type, data: EventData[Type]) =>
  JSON.stringify(data)

const parsePurchaseData = (data: string): EventData["purchase.created"] => JSON.parse(data)

export const findItemId = ({ type, data }: Pick<StoredEvent, "type" | "data">): number | null =>
  type.startsWith("purchase.") ? parsePurchaseData(data).purchase.item.id : null

export function withItem(data: string, item: string): string {
  const { purchase } = parsePurchaseData(data)
  return JSON.stringify({ purchase: { ...purchase, item: JSON.parse(item) } })
}

export function renderEvent(
  { type, at, username, data }: Omit<StoredEvent, "isEncrypted">,
  audience: "author" | "operator",
): string {
  const named =
    audience === "operator" && username !== null
      ? `{"username":${JSON.stringify(username)},${data.slice(1)}`
      : data
  return `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(at)},"data":${named}}`
}

/** The full item is rendered on delivery: copies of it would take most of the space. */
export const renderPurchaseData = (
  { beforeItem, afterItem }: Readonly<{ beforeItem: string; afterItem: string }>,
  { id, name }: Readonly<{ id: number; name: string }>,
) => `{"purchase":${beforeItem}${JSON.stringify({ id, name })}${afterItem}}`

/** Encrypts event data that contains a secret, bound to the event type. */
export const createEventCipher = (master: MasterKey | MasterKeys) =>
  createCipher<string>(master, "event", (type) => [type])

export type EventCipher = ReturnType<typeof createEventCipher>

/** `gone`: responded 410. `failing`: every attempt failed for five days. `full`: too many pending messages. */
export const disabledReasons = ["owner", "gone", "failing", "full"] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** For operators, after "disabled:". */
export const disabledReasonTexts: Readonly<Record<DisabledReason, string>> = {
  owner: "by its owner",
  gone: "its URL responded 410",
  failing: "every attempt failed for five days",
  full: "too many pending messages",
}

export type Endpoint = Readonly<{
  id: string
  accountId: number | null
  url: string
  /** Null for all event types, including future ones. */
  events: readonly EventType[] | null
  createdAt: Timestamp
  encrypted: Uint8Array
  oldSecret: Readonly<{ encrypted: Uint8Array; until: Timestamp }> | null
  disabled: Readonly<{ at: Timestamp; reason: DisabledReason }> | null
  pendingMessages: number
  /** The first failed attempt since the last delivery; null if there was none. */
  failingSince: Timestamp | null
  attemptedAt: Timestamp | null
}>

export type ListedEndpoint = Endpoint & Readonly<{ username: string | null }>

/** The account id of an author; null for the operators. */
export type EndpointOwner = number | null

export interface EndpointStore {
  /** `known`: the id was inserted before, and may have been removed. `full`: the owner has `endpointsMax`. */
  insert(endpoint: Endpoint): Promise<"inserted" | "known" | "full">
  /** Oldest first. */
  list(owner: EndpointOwner): Promise<readonly Endpoint[]>
  /** The operators' endpoints first, then by author. */
  listAll(): Promise<readonly ListedEndpoint[]>
  /** Returns null for a removed endpoint too. */
  find(id: string): Promise<ListedEndpoint | null>
  /** Returns false if there is no such endpoint, here and below. */
  change(id: string, change: Pick<Endpoint, "url" | "events">): Promise<boolean>
  /** The old secret also signs until `until`. */
  rotateSecret(id: string, encrypted: Uint8Array, until: Timestamp): Promise<boolean>
  /** An endpoint that is already disabled keeps its reason. */
  disable(id: string, at: Timestamp, reason: DisabledReason): Promise<boolean>
  enable(id: string, nowMs: number): Promise<boolean>
  /** Stops deliveries; messages are deleted later in batches. */
  remove(id: string, at: Timestamp): Promise<boolean>
}

/** Per author, and for the operators together. */
export const endpointsMax = 20
/** More than a wrong import of a large marketplace and its correction. A full endpoint is disabled. */
const pendingMessagesMax = 1_000_000
/** For an endpoint that has failed for an hour: more than an outage of a busy marketplace causes. */
const failingMessagesMax = 100_000
const failingMs = 3_600_000
/** Time for receivers to switch to the new secret. */
export const oldSecretSeconds = daySeconds
const urlCharactersMax = 2_000

export const eventTypesFor = (owner: EndpointOwner): readonly EventType[] =>
  owner === null ? operatorEventTypes : authorEventTypes

/** Returns null for all event types. Throws UserError. */
export function parseEventTypes(
  owner: EndpointOwner,
  names: readonly string[],
): readonly EventType[] | null {
  const types = eventTypesFor(owner)
  const unknown = names.find((name) => !types.some((type) => type === name))
  if (unknown !== undefined) {
    throw new UserError(`unknown event ${unknown}; choose from ${types.join(", ")}`)
  }
  const chosen = types.filter((type) => names.includes(type))
  return chosen.length === 0 || chosen.length === types.length ? null : chosen
}

const urlProblems = {
  protocol: "the URL of a webhook must begin with https://",
  length: `the URL must have at most ${urlCharactersMax} characters`,
  password: "the URL must not contain a user name or password",
  privateAddress:
    "the URL has a private IP address; only operators' webhooks may use those, if PAZAR_WEBHOOK_NETWORKS contains them",
} as const

type UrlProblem = keyof typeof urlProblems

export type FindHostProblem = (
  url: URL,
  owner: EndpointOwner,
) => "protocol" | "privateAddress" | null

export function findUrlProblem(
  text: string,
  owner: EndpointOwner,
  findHostProblem: FindHostProblem,
): UrlProblem | null {
  const url = URL.parse(text.trim())
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "protocol"
  if (url.href.length > urlCharactersMax) return "length"
  return url.username === "" && url.password === "" ? findHostProblem(url, owner) : "password"
}

/** Throws UserError. The addresses that a host name resolves to are checked on delivery. */
export function parseEndpointUrl(
  text: string,
  owner: EndpointOwner,
  findHostProblem: FindHostProblem,
): string {
  const problem = findUrlProblem(text, owner, findHostProblem)
  if (problem !== null) throw new UserError(urlProblems[problem])
  const url = new URL(text.trim())
  url.hash = ""
  return url.href
}

export type Listener = Pick<Endpoint, "id" | "accountId" | "events" | "createdAt">

export type PendingCount = Readonly<{
  endpointId: string
  isSuspended: boolean
  pendingMessages: number
  failingSinceMs: number | null
}>

const isSubscribed = (
  { accountId, events, createdAt }: Listener,
  { type, account, soldAt }: NewEvent,
): boolean =>
  (accountId === null || (accountId === account?.id && type !== "account.invited")) &&
  (events === null || events.includes(type)) &&
  (soldAt === undefined || soldAt >= createdAt)

export function isFull({ pendingMessages, failingSinceMs }: PendingCount, nowMs: number): boolean {
  const isFailing = failingSinceMs !== null && nowMs - failingSinceMs >= failingMs
  return pendingMessages >= (isFailing ? failingMessagesMax : pendingMessagesMax)
}

export const routeEvents = <Event extends NewEvent>(
  events: readonly Event[],
  listeners: readonly Listener[],
) =>
  listeners.flatMap((listener) =>
    events
      .filter((event) => isSubscribed(listener, event))
      .map((event) => ({ endpointId: listener.id, event })),
  )

/** For the audit log and messages: a query may contain secrets. */
export const shownUrl = (url: string) => url.replace(/\?.*$/s, "")

export const ownerOf = ({ accountId, username }: ListedEndpoint): EventOwner | null =>
  accountId === null || username === null ? null : { id: accountId, username }

const secretBytes = 32

/** Each secret is bound to its endpoint. */
export function createEndpointCipher(master: MasterKey | MasterKeys) {
  const idKey = subKey(keysOf(master).current, "webhook id")
  return {
    createEndpointId: () => `ep_${randomBase62(idLength)}`,
    /** The same text and master key give the same id. */
    deriveEndpointId: (text: string) => `ep_${deriveId(idKey, text)}`,
    createSecret: () => `whsec_${randomBytes(secretBytes).toString("base64")}`,
    ...createCipher<string>(master, "webhook", (endpointId) => [endpointId]),
  }
}

export type EndpointCipher = ReturnType<typeof createEndpointCipher>
