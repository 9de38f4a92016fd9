/** The audit log: what people and programs did. Only the count of an event changes. */

import { type DayRange, daySeconds, type Timestamp } from "../platform/time.ts"
import type { Actor } from "./actor.ts"

export const auditActions = {
  key: ["created", "revealed", "renamed", "replaced", "revoked"],
  /** `feed_word`: the feed changed a value that an operator override hides. */
  account: [
    ...(["invited", "sign_in_link", "suspended", "resumed", "feed_word"] as const),
    ...(["member_owner", "member_developer", "member_support", "member_removed"] as const),
  ],
  /** `rejected`: what the role does not allow. */
  person: [
    ...(["email", "password", "invited", "removed", "rejected"] as const),
    ...(["second_factor_on", "second_factor_off", "passkey_added", "passkey_removed"] as const),
    ...(["identity_connected", "identity_removed"] as const),
  ],
  /** `key_revoked`: a previous author's key, for this item. */
  item: ["moved", "key_revoked", "site_limit"],
  purchase: [
    ...(["refunded", "refund_taken_back", "feed_word"] as const),
    ...(["site_released", "site_restored", "site_limit"] as const),
  ],
  operator: [
    ...(["invited", "removed", "role_admin", "role_support", "role_viewer"] as const),
    ...(["second_factor_required", "second_factor_optional"] as const),
    ...(["signed_in", "sign_in_failed", "sign_in_slowed", "rejected"] as const),
  ],
  /** Records that were pushed, and keys in any feed. */
  feed: ["pushed", "keys"],
  token: ["created", "replaced", "removed"],
  signing_key: ["rotated", "removed"],
  webhook: [
    ...(["created", "changed", "revealed", "replaced"] as const),
    ...(["turned_off", "turned_on", "redelivered", "removed"] as const),
  ],
} as const

export type AuditKind = keyof typeof auditActions
export type AuditAction<Kind extends AuditKind> = (typeof auditActions)[Kind][number]

// Object.keys returns string[].
export const auditKinds = Object.keys(auditActions) as readonly AuditKind[]

export type AuditSubject = {
  [Kind in AuditKind]: Readonly<{ kind: Kind; action: AuditAction<Kind> }>
}[AuditKind]

export type AuditEvent = AuditSubject &
  Readonly<{
    at: Timestamp
    actor: Actor
    /** The account concerned, with its name at that time. */
    account: Readonly<{ id: number; username: string }> | null
    /** The id of the key, signing key, item or endpoint, the purchase code, a name, or a route; empty for several. */
    subjectId: string
    /** The name of the key, the released site, the site limit of a purchase, or the URL of the endpoint; otherwise empty. */
    subjectName: string
    /** Records, keys or accounts; with a `subjectId`, how often it happened. */
    count: number
    /** Whether the feed suspended the account or refunded the purchase at that time; absent from other events. */
    isByFeed?: boolean | undefined
    /** An operator's reason, the authors of a moved item, or the key that was revoked for an item. */
    note?: string | undefined
  }>

export const noteUnitsMax = 500

/** `account.id` is null after the account was deleted. */
export type ListedAuditEvent = AuditSubject &
  Omit<AuditEvent, "account" | "kind" | "action"> &
  Readonly<{
    id: number
    account: Readonly<{ id: number | null; username: string }> | null
  }>

export type AuditEventOf<Kind extends AuditKind> = Extract<ListedAuditEvent, { kind: Kind }>

export type AuditFilter<Kind extends AuditKind = AuditKind> = Readonly<{
  accountId: number | null
  kind: Kind | null
  action?: string
  subjectId?: string
  /** Without a name: everybody of this kind. */
  actor?: Readonly<{ kind: Actor["kind"]; name?: string }>
  range?: DayRange
}>

export interface AuditStore {
  insert(...events: readonly AuditEvent[]): Promise<void>
  /** Adds the count to an event with the same action, actor and subject since `since`, or inserts the event. */
  tally(event: AuditEvent, since: Timestamp): Promise<void>
  /** Newest first. `before` is the last id of the previous page. */
  list<Kind extends AuditKind>(
    filter: AuditFilter<Kind>,
    before: number | null,
    rowsMax: number,
  ): Promise<readonly AuditEventOf<Kind>[]>
  deleteExpired(before: Timestamp, rowsMax: number): Promise<number>
}

/** What an operation needs to record an event. */
export type Recording = Readonly<{
  audit: Pick<AuditStore, "insert" | "tally">
  now: () => Date
  actor: Actor
}>

/** A little more than a year, like the usage counts. */
export const auditSeconds = 400 * daySeconds
