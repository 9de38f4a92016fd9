/** The audit: what authors, operators and programs did. An event is never changed, but for its count. */
import { type DayRange, daySeconds, type Timestamp } from "../values/time/timestamp.ts"

/** By the kind of its subject. */
export const auditActions = {
  key: ["created", "revealed", "renamed", "replaced", "revoked"],
  /** `feed_word`: the feed says something else than before of what an operator has a word about. */
  account: [
    ...(["invited", "sign_in_link", "password", "suspended", "resumed", "feed_word"] as const),
    ...(["second_factor_on", "second_factor_off"] as const),
  ],
  item: ["site_limit"],
  purchase: ["refunded", "refund_taken_back", "feed_word", "site_released"],
  operator: [
    ...(["created", "invited", "password", "removed"] as const),
    ...(["second_factor_on", "second_factor_off"] as const),
    /** Of all operators. */
    ...(["second_factor_required", "second_factor_optional"] as const),
    ...(["signed_in", "sign_in_failed", "sign_in_slowed"] as const),
  ],
  /** Records that were pushed, and keys that came with any feed; before 0.12 also passwords. */
  feed: ["pushed", "keys", "passwords"],
  token: ["created", "replaced", "removed"],
  webhook: ["created", "changed", "revealed", "replaced", "turned_off", "turned_on", "removed"],
} as const

export type AuditKind = keyof typeof auditActions
export type AuditAction<Kind extends AuditKind> = (typeof auditActions)[Kind][number]

// Object.keys does not say which names.
export const auditKinds = Object.keys(auditActions) as readonly AuditKind[]

export type Actor = Readonly<{
  /** `command`: a person at the command line. `token`: a program with an operator token. */
  kind: "author" | "operator" | "command" | "token" | "feed"
  /**
   * Of the author, the operator, the token or the source of the feed; empty for a command, and for a person who could
   * not sign in as an operator.
   */
  name: string
  /** Empty for a command and a feed. */
  ipRange: string
}>

export const commandLine: Actor = { kind: "command", name: "", ipRange: "" }

type AuditSubject = {
  [Kind in AuditKind]: Readonly<{ kind: Kind; action: AuditAction<Kind> }>
}[AuditKind]

export type AuditEvent = AuditSubject &
  Readonly<{
    at: Timestamp
    actor: Actor
    /** The account that it was about, by its name at that time; null where it was about none. */
    account: Readonly<{ id: number; username: string }> | null
    /** The id of the key, item or endpoint, the purchase code, or the name of the account, operator or token; empty for many. */
    subjectId: string
    /** The name of the key, the site that was released, or the address of the endpoint; else empty. */
    subjectName: string
    /** How many records, keys, passwords or accounts; or how often, where `subjectId` names what it was about. */
    count: number
    /** Whether the feed suspended the account or refunded the purchase at that time; left out of other events. */
    isByFeed?: boolean | undefined
    /** Why, in the words of the operator; left out where none was given. */
    note?: string | undefined
  }>

/** `account.id` is null once the account was deleted. */
export type ListedAuditEvent = AuditSubject &
  Omit<AuditEvent, "account" | "kind" | "action"> &
  Readonly<{
    id: number
    account: Readonly<{ id: number | null; username: string }> | null
  }>

export type AuditEventOf<Kind extends AuditKind> = Extract<ListedAuditEvent, { kind: Kind }>

/** Null stands for all. */
export type AuditFilter<Kind extends AuditKind = AuditKind> = Readonly<{
  accountId: number | null
  kind: Kind | null
  action?: string
  subjectId?: string
  range?: DayRange
}>

export interface AuditStore {
  /** All of them or none. */
  insert(...events: readonly AuditEvent[]): Promise<void>
  /**
   * Adds the count to the event of the same action by the same actor about the same subject since `since`; inserts the
   * event where there is none. A repeated action is so one event.
   */
  tally(event: AuditEvent, since: Timestamp): Promise<void>
  /** Newest first, those before the event with the id `before`; null begins with the newest. */
  list<Kind extends AuditKind>(
    filter: AuditFilter<Kind>,
    before: number | null,
    rowsMax: number,
  ): Promise<readonly AuditEventOf<Kind>[]>
  /** Removes events before this moment, at most `rowsMax`, and says how many. */
  deleteExpired(before: Timestamp, rowsMax: number): Promise<number>
}

/** A little more than a year, as the counts of calls. */
export const auditSeconds = 400 * daySeconds
