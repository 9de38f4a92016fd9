/** Endpoints: the addresses that an author or the operators want events sent to. */
import { UserError } from "../values/error.ts"
import { daySeconds, type Timestamp } from "../values/time/timestamp.ts"
import {
  authorEventTypes,
  type EventOwner,
  type EventType,
  type NewEvent,
  operatorEventTypes,
} from "./event.ts"

/**
 * Why an endpoint is off. `owner`: by hand. `gone`: it answered 410. `failing`: every try failed for five days.
 * `full`: too many messages waited for it.
 */
export const disabledReasons = ["owner", "gone", "failing", "full"] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** For operators: “it was turned off:” … */
export const disabledReasonTexts: Readonly<Record<DisabledReason, string>> = {
  owner: "by hand",
  gone: "its address answered 410",
  failing: "every try failed for five days",
  full: "too many messages waited for it",
}

export type Endpoint = Readonly<{
  id: string
  /** Null for one of the operators. */
  accountId: number | null
  url: string
  /** Null for all that there are and will be. */
  events: readonly EventType[] | null
  createdAt: Timestamp
  encrypted: Uint8Array
  /** The secret before this one: both sign until then. */
  oldSecret: Readonly<{ encrypted: Uint8Array; until: Timestamp }> | null
  /** Null while it is on. */
  disabled: Readonly<{ at: Timestamp; reason: DisabledReason }> | null
  pendingMessages: number
  /** The first failed try since the last message that it took; null if there was none. */
  failingSince: Timestamp | null
}>

/** `username` is null for one of the operators. */
export type ListedEndpoint = Endpoint & Readonly<{ username: string | null }>

/** The ones of an author, or of the operators. */
export type EndpointOwner = number | null

export interface EndpointStore {
  /** `known`: one of this id was inserted before, and may be removed since. `full`: the owner has `endpointsMax`. */
  insert(endpoint: Endpoint): Promise<"inserted" | "known" | "full">
  /** In the order in which they were made. */
  list(owner: EndpointOwner): Promise<readonly Endpoint[]>
  /** Those of all owners: the operators' first, then by author. */
  listAll(): Promise<readonly ListedEndpoint[]>
  /** Null when there is none, or it was removed. */
  find(id: string): Promise<ListedEndpoint | null>
  /** False when there is no such endpoint, here and below. */
  change(id: string, change: Pick<Endpoint, "url" | "events">): Promise<boolean>
  /** The secret until now signs too, until `until`. */
  rotateSecret(id: string, encrypted: Uint8Array, until: Timestamp): Promise<boolean>
  /** One that is off already keeps its reason. */
  disable(id: string, at: Timestamp, reason: DisabledReason): Promise<boolean>
  /** What waits is sent at once. */
  enable(id: string, nowMs: number): Promise<boolean>
  /** Nothing is sent any more; its messages are removed little by little. */
  remove(id: string, at: Timestamp): Promise<boolean>
}

/** Of each author, and of the operators together. */
export const endpointsMax = 20
/** More than a wrong import of a large marketplace and its correction; an endpoint with more waiting is disabled. */
export const pendingMessagesMax = 1_000_000
/** The same for an endpoint that has failed for an hour: more than an outage of a busy shop brings. */
export const failingMessagesMax = 100_000
const failingMs = 3_600_000
/** While both secrets sign, a receiver can change over. */
export const oldSecretSeconds = daySeconds
const urlCharactersMax = 2_000

/** Secrets of endpoints, each bound to its endpoint. */
export interface EndpointCipher {
  createEndpointId(): string
  /** The same id for the same text, under the same master key. */
  deriveEndpointId(text: string): string
  /** `whsec_` and the base64 of 32 random bytes. */
  createSecret(): string
  encrypt(secret: string, endpointId: string): Uint8Array
  decrypt(encrypted: Uint8Array, endpointId: string): string
}

export const eventTypesFor = (owner: EndpointOwner): readonly EventType[] =>
  owner === null ? operatorEventTypes : authorEventTypes

/** Null for all. Throws RefusedError. */
export function parseEventTypes(
  owner: EndpointOwner,
  names: readonly string[],
): readonly EventType[] | null {
  const types = eventTypesFor(owner)
  const unknown = names.find((name) => !types.some((type) => type === name))
  if (unknown !== undefined) {
    throw new UserError(`there is no event ${unknown}: choose from ${types.join(", ")}`)
  }
  const chosen = types.filter((type) => names.includes(type))
  return chosen.length === 0 || chosen.length === types.length ? null : chosen
}

const urlProblems = {
  protocol: "an address of a webhook begins with https://",
  length: "the address is too long",
  password: "the address must not hold a user name or password",
  network:
    "the URL has a private address; only operators' webhooks may reach the networks in PAZAR_WEBHOOK_NETWORKS",
} as const

export type UrlProblem = keyof typeof urlProblems

/** Checks the host of an owner's URL without resolving names. */
export type FindHostProblem = (url: URL, owner: EndpointOwner) => "protocol" | "network" | null

/** Why an owner cannot use a URL; null if they can. */
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

/** The addresses of a host that has a name are judged when a message is sent. Throws RefusedError. */
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

/** An endpoint as far as it decides which events it is told of. */
export type Listener = Pick<Endpoint, "id" | "accountId" | "events" | "createdAt"> & PendingCount

/** The messages that wait for an endpoint, and since when it fails; null while it does not. */
export type PendingCount = Readonly<{ pendingMessages: number; failingSinceMs: number | null }>

const isSubscribed = (
  { accountId, events, createdAt }: Listener,
  { type, account, soldAt }: NewEvent,
): boolean =>
  (accountId === null || (accountId === account?.id && type !== "account.invited")) &&
  (events === null || events.includes(type)) &&
  (soldAt === undefined || soldAt >= createdAt)

export type RoutedEvents<Event> = Readonly<{
  messages: readonly Readonly<{ endpointId: string; event: Event }>[]
  /** These cannot hold all of theirs. */
  full: readonly string[]
}>

/** Messages that an endpoint can still hold. */
export function roomOf(
  { pendingMessages: waiting, failingSinceMs }: PendingCount,
  nowMs: number,
): number {
  const isFailing = failingSinceMs !== null && nowMs - failingSinceMs >= failingMs
  return Math.max(0, (isFailing ? failingMessagesMax : pendingMessagesMax) - waiting)
}

export function routeEvents<Event extends NewEvent>(
  events: readonly Event[],
  listeners: readonly Listener[],
  nowMs: number,
): RoutedEvents<Event> {
  const full: string[] = []
  const messages = listeners.flatMap((listener) => {
    const told = events.filter((event) => isSubscribed(listener, event))
    const room = roomOf(listener, nowMs)
    if (told.length > room) full.push(listener.id)
    return told.slice(0, room).map((event) => ({ endpointId: listener.id, event }))
  })
  return { messages, full }
}

/** In the audit and in messages, without what a query may hold. */
export const shownUrl = (url: string) => url.replace(/\?.*$/s, "")

export const ownerOf = ({ accountId, username }: ListedEndpoint): EventOwner | null =>
  accountId === null || username === null ? null : { id: accountId, username }
