import {
  allOf,
  deleteRows,
  rawSql,
  type Sql,
  type SqlDatabase,
  sql,
} from "../platform/database/sql.ts"
import { dayAfter, type Timestamp } from "../platform/time.ts"
import type {
  AuditEvent,
  AuditEventOf,
  AuditFilter,
  AuditKind,
  AuditStore,
  ListedAuditEvent,
} from "./audit-event.ts"
import { createOperatorTokenStore } from "./token-store.ts"

type Row = Omit<ListedAuditEvent, "actor" | "account" | "isByFeed" | "note"> &
  Readonly<{
    isByFeed: boolean | null
    note: string
    actorKind: ListedAuditEvent["actor"]["kind"]
    actorName: string
    ipRange: string
    accountId: number | null
    username: string | null
  }>

const createAuditStore = (db: SqlDatabase): AuditStore => ({
  insert: (...events) => db.writeAll(...events.map(insertEvent)),
  async tally(event, since) {
    const { kind, action, actor, account, subjectId, subjectName, count } = event
    const isFound = await db.hasWritten`
      UPDATE audit_events SET count = count + ${count}, subject_name = ${subjectName} WHERE id = (
        SELECT max(id) FROM audit_events WHERE kind = ${kind} AND action = ${action}
          AND actor_kind = ${actor.kind} AND actor_name = ${actor.name}
          AND ip_range = ${actor.ipRange} AND subject_id = ${subjectId} AND at >= ${since}
          AND ${account === null ? sql`account_id IS NULL` : sql`account_id = ${account.id}`})
      RETURNING id`
    if (!isFound) await db.write(insertEvent(event))
  },
  async list<Kind extends AuditKind>(
    { accountId, kind, action, subjectId, actor, range }: AuditFilter<Kind>,
    before: number | null,
    limit: number,
  ) {
    const filters = Object.entries({
      "account_id =": accountId,
      "kind =": kind,
      "action =": action,
      "subject_id =": subjectId,
      "actor_kind =": actor?.kind,
      "actor_name =": actor?.name,
      "at >=": range?.from,
      "at <": range && dayAfter(range.to),
      "id <": before,
    })
    // Only the conditions in use, so that the database can choose an index for them.
    const used = filters.map(([test, value = null]) =>
      value === null ? null : sql`${rawSql(test)} ${value}`,
    )
    const rows = await db.read<Row>`
      SELECT * FROM audit_events WHERE ${allOf(used)} ORDER BY id DESC LIMIT ${limit}`
    return rows.map(toEvent<Kind>)
  },
  deleteExpired: (before, rowsMax) =>
    deleteRows(db, "audit_events", "id", sql`at < ${before}`, rowsMax),
})

function insertEvent(event: AuditEvent): Sql {
  const { at, actor, kind, action, account, subjectId, subjectName, count, isByFeed, note } = event
  return sql`
    INSERT INTO audit_events (at, actor_kind, actor_name, ip_range, kind, action, account_id,
      username, subject_id, subject_name, count, is_by_feed, note)
    VALUES (${at}, ${actor.kind}, ${actor.name}, ${actor.ipRange}, ${kind}, ${action},
      ${account?.id ?? null}, ${account?.username ?? null}, ${subjectId}, ${subjectName}, ${count},
      ${isByFeed ?? null}, ${note ?? ""})`
}

export const insertFeedEvent = (at: Timestamp, source: string) => sql`
  INSERT INTO audit_events (at, actor_kind, actor_name, ip_range, kind, action, subject_id,
    subject_name, is_by_feed, account_id, username) SELECT ${at}, 'feed', ${source}, '',`

export const insertSuspensionEvent = (at: Timestamp, source: string, accountId: number | null) =>
  sql`${insertFeedEvent(at, source)} 'account', 'feed_word', username, '', is_suspended_by_feed,
    id, username FROM accounts WHERE id = ${accountId}`

function toEvent<Kind extends AuditKind>(row: Row): AuditEventOf<Kind> {
  const { actorKind, actorName, ipRange, accountId, username, isByFeed, note, ...event } = row
  const actor = { kind: actorKind, name: actorName, ipRange }
  const account = username === null ? null : { id: accountId, username }
  // `as`: the filter selects the kind, and an action is stored with its kind.
  return {
    ...event,
    ...(isByFeed === null ? {} : { isByFeed }),
    ...(note === "" ? {} : { note }),
    actor,
    account,
  } as AuditEventOf<Kind>
}

/** The stores of this room. */
export const createAccessStores = (db: SqlDatabase) => ({
  audit: createAuditStore(db),
  operatorTokens: createOperatorTokenStore(db),
})
