/** Webhook events. Receivers rely on the type, so bodies are stable: a new body is a new type. */

import type { Purchase } from "../../sdk/src/wire.ts"
import { createCipher, type MasterKey, type MasterKeys } from "../platform/crypto/cipher.ts"
import type { Timestamp } from "../platform/time.ts"

export const authorEventTypes = [
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

export type EventOwner = Readonly<{ id: number; username: string }>

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

export const itemIdOf = ({ type, data }: Pick<StoredEvent, "type" | "data">): number | null =>
  type.startsWith("purchase.") ? parsePurchaseData(data).purchase.item.id : null

export function withItem(data: string, item: string): string {
  const { purchase } = parsePurchaseData(data)
  return JSON.stringify({ purchase: { ...purchase, item: JSON.parse(item) } })
}

/** Encrypts event data that contains a secret, bound to the event type. */
export interface EventCipher {
  encrypt(text: string, type: string): Uint8Array
  decrypt(encrypted: Uint8Array, type: string): string
}

/** `data` is plain text here. */
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

export const createEventCipher = (master: MasterKey | MasterKeys): EventCipher =>
  createCipher<string>(master, "event", (type) => [type])
