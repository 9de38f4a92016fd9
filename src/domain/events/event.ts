/** The events that endpoints are told of. Bodies are stable: receivers go by the type, so a new body is a new type. */
import type { ItemBody } from "../catalog/item.ts"
import type { PurchaseBody, PurchaseText } from "../catalog/purchase.ts"
import type { Timestamp } from "../values/time/timestamp.ts"

export const authorEventTypes = [
  "purchase.created",
  "purchase.changed",
  "purchase.revoked",
  "purchase.restored",
  "site.refused",
  "key.leaked",
  "key.called_after_stop",
] as const

/** An operator is told of the events of all authors too. */
export const operatorEventTypes = [
  ...authorEventTypes,
  "account.invited",
  "import.failed",
  "pull.overdue",
] as const

export type EventType = (typeof operatorEventTypes)[number]

/** Sent when its owner asks for it, whatever the endpoint chose. */
export const testEventType = "endpoint.test"

type OfPurchase = Readonly<{ purchase: PurchaseBody }>
type OfKey = Readonly<{ key_id: string; name: string }>

/** What an author receives. An operator's data begins with `username` where the event is one of an author. */
export type EventData = Readonly<{
  "purchase.created": OfPurchase
  "purchase.changed": OfPurchase
  /** Refunded, charged back or removed: its code is no longer valid. */
  "purchase.revoked": OfPurchase
  "purchase.restored": OfPurchase
  /** A valid code was asked for on one site too many. Once a day for a code, with the first site. */
  "site.refused": Readonly<{ purchase_code: string; site: string; limit: number }>
  /** Its author stopped it because others may know it. */
  "key.leaked": OfKey
  /** A revoked or expired key was used. Once a day for a key. */
  "key.called_after_stop": OfKey
  /** The link lets its holder choose a password, once. `email` is absent if the account has none. */
  "account.invited": Readonly<{ email?: string; url: string }>
  "import.failed": Readonly<{ source: string; via: string; problem: string }>
  /** Once for each time that a pull stops succeeding. */
  "pull.overdue": Readonly<{ name: string; due_at: Timestamp; last_success_at?: Timestamp }>
  "endpoint.test": Readonly<{ endpoint_id: string }>
}>

export type EventOwner = Readonly<{ id: number; username: string }>

export type NewEvent = Readonly<{
  type: EventType
  at: Timestamp
  /** The author; null for an event that is not one of an author. */
  account: EventOwner | null
  /** The JSON text of an object. */
  data: string
  /** `data` is the base64 of a sealed text: it holds a secret. */
  isEncrypted?: boolean
  /** The date of a purchase. Endpoints that were made later are not told. */
  soldAt?: Timestamp
  /** An event with the same text in the last 30 days is the same event. */
  idempotencyKey?: string
}>

export type StoredEvent = Readonly<{
  type: EventType | typeof testEventType
  at: Timestamp
  /** The author's name at that time; null for an event that is not one of an author. */
  username: string | null
  data: string
  isEncrypted: boolean
}>

export const renderData = <Type extends keyof EventData>(_type: Type, data: EventData[Type]) =>
  JSON.stringify(data)

/**
 * The stored data of an event of a purchase. Its item is rendered when it is sent: a copy of it in each event would
 * take most of the space.
 */
export const renderPurchaseData = (
  { beforeItem, afterItem }: PurchaseText,
  { id, name }: Pick<ItemBody, "id" | "name">,
) => `{"purchase":${beforeItem}${JSON.stringify({ id, name })}${afterItem}}`

const parsePurchaseData = (data: string): EventData["purchase.created"] => JSON.parse(data)

/** The item of an event of a purchase; null for other events. */
export const itemIdOf = ({ type, data }: Pick<StoredEvent, "type" | "data">): number | null =>
  type.startsWith("purchase.") ? parsePurchaseData(data).purchase.item.id : null

/** `item` is the contract's JSON text. */
export function withItem(data: string, item: string): string {
  const { purchase } = parsePurchaseData(data)
  return JSON.stringify({ purchase: { ...purchase, item: JSON.parse(item) } })
}

/** Texts of events that hold a secret, sealed under the master key and bound to their type. */
export interface EventCipher {
  encrypt(text: string, type: string): Uint8Array
  decrypt(encrypted: Uint8Array, type: string): string
}

/** The body of a message, the same for each kind of owner. `data` is not sealed here. */
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
