import { type Sql, type SqlDatabase, sql, tuples } from "../platform/database/sql.ts"
import { foldLetters } from "../platform/text.ts"
import { lastDays, lastRange, type Timestamp } from "../platform/time.ts"
import {
  type Account,
  type AccountStore,
  type AuthorFacts,
  type AuthorSearch,
  type AuthorSort,
  authorCallDays,
} from "./account.ts"

export const selectAccounts = sql`SELECT id, username, body, is_suspended FROM accounts`

/** `isSuspended` is true if the feed or an operator has suspended the account. */
export const feedSuspended = sql`coalesce(is_suspended_by_feed, is_suspended) AS is_suspended,
  is_suspended_by_feed IS NOT NULL AS is_suspended_by_operator`
export const feedAccountColumns = sql`id, username, body, ${feedSuspended}`

export const accountQueries = (db: SqlDatabase): Omit<AccountStore, "find"> => ({
  findByUsername: (username) => db.find<Account>`${selectAccounts} WHERE username = ${username}`,
  list: (afterUsername, limit) =>
    db.read<Account>`${selectAccounts} WHERE username > ${afterUsername} ORDER BY username LIMIT ${limit}`,
  setSuspended(id, isSuspended, now) {
    if (isSuspended)
      return db.hasWritten`
        UPDATE accounts SET is_suspended_by_feed = is_suspended, is_suspended = true
        WHERE id = ${id} AND is_suspended_by_feed IS NULL RETURNING id`
    const asOf = now.getTime()
    // Sets `as_of`, so that an older feed does not undo the change.
    return db.hasWritten`
      UPDATE accounts SET is_suspended_by_feed = NULL, is_suspended = false,
        as_of = CASE WHEN as_of < ${asOf} THEN ${asOf} ELSE as_of END
      WHERE id = ${id} AND is_suspended RETURNING id`
  },
  async findSuspension(accountId) {
    const account = await db.find<{ isSuspended: boolean; isSuspendedByFeed: boolean | null }>`
      SELECT is_suspended, is_suspended_by_feed FROM accounts WHERE id = ${accountId}`
    const { isSuspended = false, isSuspendedByFeed = null } = account ?? {}
    return { isByFeed: isSuspendedByFeed ?? isSuspended, isByOperator: isSuspendedByFeed !== null }
  },
  async listWithPassword(afterUsername, lastUsername) {
    const rows = await db.read<{ id: number }>`
      SELECT a.id FROM accounts a WHERE a.username > ${afterUsername} AND a.username <= ${lastUsername}
        AND EXISTS (SELECT 1 FROM members m JOIN people p ON p.id = m.person_id
          WHERE m.account_id = a.id AND p.password_hash IS NOT NULL)`
    return rows.map(({ id }) => id)
  },
})

type AuthorTitle = Pick<AuthorFacts, "id" | "username" | "fullName" | "email" | "isSuspended">

const selectTitles = sql`SELECT id, username, full_name, email, is_suspended FROM accounts`

/** One query, because many concurrent ones would use up the connections. */
const selectCounts = (
  { each, among }: SqlDatabase,
  ids: readonly number[],
  at: Timestamp,
) => tuples`
  SELECT a.id, coalesce(c.items, 0), coalesce(c.purchases, 0),
    (SELECT count(*) FROM api_keys WHERE account_id = a.id AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${at})),
    (SELECT CAST(coalesce(sum(u.calls), 0) AS bigint)
      FROM api_keys k CROSS JOIN usage u
      WHERE k.account_id = a.id AND k.kind <> 'tk' AND u.key_id = k.id
        AND u.day ${among(lastDays(at, authorCallDays), "text")}),
    EXISTS (SELECT 1 FROM members m JOIN people p ON p.id = m.person_id
      WHERE m.account_id = a.id AND p.password_hash IS NOT NULL),
    EXISTS (SELECT 1 FROM invitations WHERE account_id = a.id AND expires_at > ${at}),
    (SELECT max(s.last_seen_at) FROM members m JOIN sessions s ON s.person_id = m.person_id
      WHERE m.account_id = a.id),
    (SELECT max(last_used_at) FROM api_keys WHERE account_id = a.id)
  FROM accounts a LEFT JOIN account_counts c ON c.account_id = a.id WHERE a.id IN (${each(ids, "bigint")})`

/** The joins of a SELECT from the accounts, and what they are ordered by. */
const orders: Readonly<Record<AuthorSort, (at: Timestamp) => Sql>> = {
  calls: (at) => sql`LEFT JOIN (
      WITH u (key_id, calls) AS (SELECT key_id, sum(calls) FROM usage
        WHERE day >= ${lastRange(at, authorCallDays).from} GROUP BY 1)
      SELECT k.account_id, sum(u.calls) AS total FROM u JOIN api_keys k ON k.id = u.key_id
      WHERE k.kind <> 'tk' GROUP BY 1
    ) c ON c.account_id = id ORDER BY coalesce(c.total, 0)`,
  seen: () => sql`LEFT JOIN (
      SELECT account_id, max(last_used_at) AS at FROM (
        SELECT account_id, last_used_at FROM api_keys WHERE last_used_at IS NOT NULL
        UNION ALL SELECT m.account_id, s.last_seen_at
        FROM members m JOIN sessions s ON s.person_id = m.person_id
      ) AS each_time GROUP BY 1
    ) s ON s.account_id = id ORDER BY coalesce(s.at, '')`,
  name: () => sql`ORDER BY username`,
}

type Counts = readonly [
  id: number,
  ...counts: readonly [items: number, purchases: number, keys: number, calls: number],
  hasPassword: boolean | number,
  isInvited: boolean | number,
  ...times: readonly (Timestamp | null)[],
]

async function readFacts(
  db: SqlDatabase,
  page: readonly AuthorTitle[],
  at: Timestamp,
): Promise<readonly AuthorFacts[]> {
  const ids = page.map(({ id }) => id)
  const counts = Map.groupBy(await db.read<Counts>(selectCounts(db, ids, at)), ([id]) => id)
  return page.flatMap((title) =>
    (counts.get(title.id) ?? []).map(
      ([, items, purchases, keys, calls, hasPassword, isInvited, ...times]) => ({
        ...{ ...title, items, purchases, keys, calls },
        hasPassword: Boolean(hasPassword),
        isInvited: Boolean(isInvited),
        lastSeenAt: times.toSorted().findLast((time) => time !== null) ?? null,
      }),
    ),
  )
}

export const createAuthorSearch = (db: SqlDatabase): AuthorSearch => ({
  async search({ text, sort, isDescending, at, offset, rowsMax }) {
    const all = sql`${selectTitles} ${db.indexedBy("accounts_by_search")}
      ${orders[sort](at)} ${isDescending ? sql`DESC` : sql`ASC`}, username`
    if (text === "") {
      const page = await db.read<AuthorTitle>`${all} LIMIT ${rowsMax} OFFSET ${offset}`
      const total = await db.count`SELECT count(*) FROM accounts`
      return { authors: await readFacts(db, page, at), total }
    }
    // Not in SQL: no database folds letters as Turkish searches need.
    const wanted = foldLetters(text)
    const matching = (await db.read<AuthorTitle>(all)).filter(({ username, fullName, email }) =>
      [username, fullName, email].some((value) => foldLetters(value).includes(wanted)),
    )
    const page = matching.slice(offset, offset + rowsMax)
    return { authors: await readFacts(db, page, at), total: matching.length }
  },
  async find(id, at) {
    const found = await db.read<AuthorTitle>`${selectTitles} WHERE id = ${id}`
    const [author = null] = await readFacts(db, found, at)
    return author
  },
})
