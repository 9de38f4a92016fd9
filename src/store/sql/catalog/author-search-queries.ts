import {
  type AuthorFacts,
  type AuthorSearch,
  type AuthorSort,
  type AuthorTitle,
  authorCallDays,
  pickAuthors,
} from "../../../domain/catalog/account.ts"
import { lastDays, lastRange, type Timestamp } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase } from "../sql-database.ts"

const titleColumns = `id, username, full_name AS "fullName", email, suspended AS "isSuspended"`

/** One query, because many concurrent ones would use up the connections. */
const selectCounts = ({ each, among }: SqlDatabase) => `SELECT a.id,
  (SELECT count(*) FROM items WHERE account_id = a.id) AS items,
  (SELECT count(*) FROM items i JOIN purchases p ON p.item_id = i.id WHERE i.account_id = a.id) AS purchases,
  (SELECT count(*) FROM api_keys WHERE account_id = a.id AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > $3)) AS keys,
  (SELECT CAST(coalesce(sum(u.calls), 0) AS bigint)
    FROM api_keys k CROSS JOIN usage u
    WHERE k.account_id = a.id AND k.kind <> 'tk' AND u.key_id = k.id AND u.day ${among("$2", "text")}) AS calls,
  EXISTS (SELECT 1 FROM passwords WHERE account_id = a.id) AS "hasPassword",
  EXISTS (SELECT 1 FROM invitations WHERE account_id = a.id AND expires_at > $3) AS "isInvited",
  (SELECT max(last_seen_at) FROM sessions WHERE account_id = a.id) AS seen,
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
        UNION ALL SELECT account_id, last_seen_at FROM sessions
      ) AS each_time GROUP BY 1
    ) s ON s.account_id = id ORDER BY coalesce(s.at, '')`,
  name: "ORDER BY username",
}

type Counts = Omit<AuthorFacts, keyof AuthorTitle | "lastSeenAt"> &
  Readonly<{ id: number; seen: string | null; used: string | null }>

/** `titles` is the accounts table with the covering index of a search. */
export function createAuthorSearch(db: SqlDatabase, titles: string): AuthorSearch {
  /** Omits accounts that were deleted concurrently. */
  async function readFacts(
    page: readonly AuthorTitle[],
    at: Timestamp,
  ): Promise<readonly AuthorFacts[]> {
    const ids = JSON.stringify(page.map(({ id }) => id))
    const days = JSON.stringify(lastDays(at, authorCallDays))
    const rows = await db.read<Counts>(selectCounts(db), [ids, days, at])
    const counts = new Map(rows.map((row) => [row.id, row]))
    return page.flatMap((title) => {
      const row = counts.get(title.id)
      return row === undefined ? [] : [toFacts(title, row)]
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
      const [row] = await db.read<{ total: number }>("SELECT count(*) AS total FROM accounts")
      return { authors: await readFacts(page, at), total: row?.total ?? 0 }
    },
    async find(id, at) {
      const row = await db.find<AuthorTitle>(`SELECT ${titleColumns} FROM accounts WHERE id = $1`, [
        id,
      ])
      const [author = null] = row === null ? [] : await readFacts([row], at)
      return author
    },
  }
}

function toFacts(title: AuthorTitle, { seen, used, ...counts }: Counts): AuthorFacts {
  const times = [seen, used].filter((at) => at !== null).toSorted()
  return { ...title, ...counts, lastSeenAt: times.at(-1) ?? null }
}
