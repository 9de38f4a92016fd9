import {
  type Account,
  type AccountStore,
  type AuthorFacts,
  type AuthorSearch,
  type AuthorSort,
  type AuthorTitle,
  authorCallDays,
  pickAuthors,
} from "../../../domain/catalog/account.ts"
import type { PreferenceStore } from "../../../domain/store.ts"
import { lastDays, lastRange, type Timestamp } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase, Value } from "../sql-database.ts"

const accountColumns = `id, username, body, is_suspended`

/** `suspended` is true if the feed or an operator has suspended the account. */
export const feedSuspended = `coalesce(is_suspended_by_feed, is_suspended) AS is_suspended,
  is_suspended_by_feed IS NOT NULL AS is_suspended_by_operator`
export const feedAccountColumns = `id, username, body, ${feedSuspended}`

const suspendByOperator = `UPDATE accounts
  SET is_suspended_by_feed = is_suspended, is_suspended = true WHERE id = $1 AND is_suspended_by_feed IS NULL
  RETURNING id`

/** Sets `as_of` to now, so that an older feed does not undo the change. */
const resumeByOperator = `UPDATE accounts SET is_suspended_by_feed = NULL, is_suspended = false,
  as_of = CASE WHEN as_of < $2 THEN $2 ELSE as_of END WHERE id = $1 AND is_suspended RETURNING id`

export const selectAccount = `SELECT ${accountColumns} FROM accounts WHERE id = $1`

/** Conditions on $1 that ignore the case of ASCII letters and use an index. */
type SameAccount = Readonly<{ username: string; email: string }>

export function accountQueries(db: SqlDatabase, isSame: SameAccount): Omit<AccountStore, "find"> {
  const select = (rest: string, values: readonly Value[]) =>
    db.read<Account>(`SELECT ${accountColumns} FROM accounts ${rest}`, values)
  return {
    findByUsername: async (username) =>
      (await select("WHERE username = $1", [username]))[0] ?? null,
    list: (afterUsername, limit) =>
      select("WHERE username > $1 ORDER BY username LIMIT $2", [afterUsername, limit]),
    listByUsername: (username, limit) =>
      select(`WHERE ${isSame.username} LIMIT $2`, [username, limit]),
    listByEmail: (email, limit) => select(`WHERE ${isSame.email} LIMIT $2`, [email, limit]),
    setSuspended: (id, isSuspended) =>
      db.transaction(async (tx) => {
        if (!isSuspended) return (await tx.query(resumeByOperator, [id, Date.now()])).length > 0
        const suspended = await tx.query(suspendByOperator, [id])
        await tx.query`DELETE FROM sessions WHERE owner_id = ${id}`
        return suspended.length > 0
      }),
    async listWithPassword(afterUsername, lastUsername) {
      const selectIds = `SELECT a.id FROM accounts a JOIN passwords p ON p.owner_id = a.id
        WHERE a.username > $1 AND a.username <= $2`
      const rows = await db.read<{ id: number }>(selectIds, [afterUsername, lastUsername])
      return rows.map(({ id }) => id)
    },
  }
}

const titleColumns = `id, username, full_name, email, is_suspended`

/** One query, because many concurrent ones would use up the connections. */
const selectCounts = ({ each, among }: SqlDatabase) => `SELECT a.id,
  (SELECT count(*) FROM items WHERE account_id = a.id) AS items,
  (SELECT count(*) FROM items i JOIN purchases p ON p.item_id = i.id WHERE i.account_id = a.id) AS purchases,
  (SELECT count(*) FROM api_keys WHERE account_id = a.id AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > $3)) AS keys,
  (SELECT CAST(coalesce(sum(u.calls), 0) AS bigint)
    FROM api_keys k CROSS JOIN usage u
    WHERE k.account_id = a.id AND k.kind <> 'tk' AND u.key_id = k.id AND u.day ${among("$2", "text")}) AS calls,
  EXISTS (SELECT 1 FROM passwords WHERE owner_id = a.id) AS has_password,
  EXISTS (SELECT 1 FROM invitations WHERE owner_id = a.id AND expires_at > $3) AS is_invited,
  (SELECT max(last_seen_at) FROM sessions WHERE owner_id = a.id) AS seen,
  (SELECT max(last_used_at) FROM api_keys WHERE account_id = a.id) AS used
  FROM accounts a WHERE a.id IN (${each("$1", "bigint")})`

/** The joins of a SELECT from the accounts, and what they are ordered by. $1 is the first day to count. */
const orders: Readonly<Record<AuthorSort, string>> = {
  calls: `LEFT JOIN (
      SELECT k.account_id, sum(u.calls) AS total
      FROM (SELECT key_id, sum(calls) AS calls FROM usage WHERE day >= $1 GROUP BY 1) u
        JOIN api_keys k ON k.id = u.key_id
      WHERE k.kind <> 'tk' GROUP BY 1
    ) c ON c.account_id = id ORDER BY coalesce(c.total, 0)`,
  seen: `LEFT JOIN (
      SELECT account_id, max(at) AS at FROM (
        SELECT account_id, last_used_at AS at FROM api_keys WHERE last_used_at IS NOT NULL
        UNION ALL SELECT owner_id, last_seen_at FROM sessions
      ) AS each_time GROUP BY 1
    ) s ON s.account_id = id ORDER BY coalesce(s.at, '')`,
  name: "ORDER BY username",
}

type Counts = Omit<AuthorFacts, keyof AuthorTitle | "lastSeenAt"> &
  Readonly<{ id: number; seen: string | null; used: string | null }>

export function createAuthorSearch(db: SqlDatabase): AuthorSearch {
  const titles = `accounts ${db.indexedBy("accounts_by_search")}`
  async function readFacts(page: readonly AuthorTitle[], at: Timestamp) {
    const ids = JSON.stringify(page.map(({ id }) => id))
    const days = JSON.stringify(lastDays(at, authorCallDays))
    const rows = await db.read<Counts>(selectCounts(db), [ids, days, at])
    const counts = new Map(rows.map((row) => [row.id, row]))
    return page.flatMap((title): AuthorFacts[] => {
      const row = counts.get(title.id)
      if (row === undefined) return []
      const { seen, used, ...facts } = row
      const times = [seen, used].filter((time) => time !== null).toSorted()
      return [{ ...title, ...facts, lastSeenAt: times.at(-1) ?? null }]
    })
  }
  return {
    async search(query) {
      const { text, sort, at, offset, rowsMax } = query
      const days = sort === "calls" ? [lastRange(at, authorCallDays).from] : []
      const direction = query.isDescending ? "DESC" : "ASC"
      const all = `SELECT ${titleColumns} FROM ${titles} ${orders[sort]} ${direction}, username`
      if (text !== "") {
        const { page, total } = pickAuthors(await db.read<AuthorTitle>(all, days), query)
        return { authors: await readFacts(page, at), total }
      }
      const limited = `${all} LIMIT $${days.length + 1} OFFSET $${days.length + 2}`
      const page = await db.read<AuthorTitle>(limited, [...days, rowsMax, offset])
      const total = await db.count("SELECT count(*) AS value FROM accounts")
      return { authors: await readFacts(page, at), total }
    },
    async find(id, at) {
      const select = `SELECT ${titleColumns} FROM accounts WHERE id = $1`
      const [author = null] = await readFacts(await db.read<AuthorTitle>(select, [id]), at)
      return author
    },
  }
}

export const createPreferenceStore = (db: SqlDatabase): PreferenceStore => ({
  findLocale: (accountId) =>
    db.findValue("SELECT locale AS value FROM preferences WHERE account_id = $1", [accountId]),
  putLocale: (accountId, locale) =>
    db.write(
      `INSERT INTO preferences VALUES ($1, $2)
       ON CONFLICT (account_id) DO UPDATE SET locale = excluded.locale`,
      [accountId, locale],
    ),
})
