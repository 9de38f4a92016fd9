import type {
  AuditEvent,
  AuditEventOf,
  AuditFilter,
  AuditKind,
  AuditStore,
  ListedAuditEvent,
} from "../../../domain/sign-in/audit-event.ts"
import { dayAfter } from "../../../domain/values/time/timestamp.ts"
import { deleteRows, type SqlDatabase, type Statement } from "../sql-database.ts"
import { sql } from "../statement.ts"

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

const columns = `id, at, actor_kind, actor_name, ip_range, kind, action,
  account_id, username, subject_id, subject_name,
  subject_count AS count, is_by_feed, note`

const isSame = `kind = $1 AND action = $2 AND actor_kind = $3 AND actor_name = $4 AND ip_range = $5
  AND subject_id = $6 AND at >= $7`

export const createAuditStore = (db: SqlDatabase): AuditStore => ({
  insert: (...events) => db.writeAll(...events.map(insertEvent)),
  async tally(event, since) {
    const { kind, action, actor, account, subjectId, subjectName, count } = event
    const same = [kind, action, actor.kind, actor.name, actor.ipRange, subjectId]
    const [isOfAccount, ids] =
      account === null ? ["account_id IS NULL", []] : ["account_id = $10", [account.id]]
    const found = await db.writeOne(
      `UPDATE audit_events SET subject_count = subject_count + $8, subject_name = $9 WHERE id =
         (SELECT max(id) FROM audit_events WHERE ${isSame} AND ${isOfAccount}) RETURNING id`,
      [...same, since, count, subjectName, ...ids],
    )
    if (found === null) await db.writeAll(insertEvent(event))
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
    const used = filters.flatMap(([test, value = null]) =>
      value === null ? [] : [{ test, value }],
    )
    const where = used.map(({ test }, at) => `${at === 0 ? "WHERE" : "AND"} ${test} $${at + 1}`)
    const rows = await db.read<Row>(
      `SELECT ${columns} FROM audit_events ${where.join(" ")}
       ORDER BY id DESC LIMIT $${used.length + 1}`,
      [...used.map(({ value }) => value), limit],
    )
    return rows.map(toEvent<Kind>)
  },
  deleteExpired: (before, rowsMax) =>
    deleteRows(db, "audit_events", "id", sql`at < ${before}`, rowsMax),
})

function insertEvent(event: AuditEvent): Statement {
  const { at, actor, kind, action, account, subjectId, subjectName, count, isByFeed, note } = event
  return [
    `INSERT INTO audit_events (at, actor_kind, actor_name, ip_range, kind, action, account_id,
       username, subject_id, subject_name, subject_count, is_by_feed, note)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      ...[at, actor.kind, actor.name, actor.ipRange, kind, action],
      ...[account?.id ?? null, account?.username ?? null, subjectId, subjectName, count],
      ...[isByFeed ?? null, note ?? ""],
    ],
  ]
}

const insertFeedEvent = `INSERT INTO audit_events (at, actor_kind, actor_name, ip_range, kind, action,
  subject_id, subject_name, is_by_feed, account_id, username) SELECT $1, 'feed', $2, '',`

/** Parameters: time, source of the feed, account id. */
export const insertSuspensionEvent = `${insertFeedEvent} 'account', 'feed_word', username, '',
  is_suspended_by_feed, id, username FROM accounts WHERE id = $3`

/** Parameters: time, source of the feed, folded code, code. */
export const insertRefundEvent = `${insertFeedEvent} 'purchase', 'feed_word', p.code, '', p.is_revoked_by_feed, a.id, a.username
   FROM purchases p JOIN items i ON i.id = p.item_id JOIN accounts a ON a.id = i.account_id
   WHERE p.folded = $3 AND p.code = $4`

/** Selects from moves `new`, with the new author `a`. */
export const insertMoveEvents = `INSERT INTO audit_events (at, actor_kind, actor_name, ip_range, kind,
    action, account_id, username, subject_id, subject_name, note)
  SELECT at, 'feed', source, '', 'item', 'moved', a.id, a.username, CAST(new.id AS text), '',
    "from" || ' → ' || author`

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
