import {
  type AuthorFacts,
  type AuthorSearch,
  type AuthorSort,
  type AuthorTitle,
  authorCallDays,
  pickAuthors,
} from "../../../domain/catalogue/author-search.ts"
import { lastRange, type Timestamp } from "../../../domain/values/time/timestamp.ts"
import type { SqlDatabase } from "../database.ts"

const titleColumns = `id, username, full_name AS "fullName", email, suspended AS "isSuspended"`

/** The cast is for PostgreSQL, which sums to a type that its driver gives as text. */
const sumCalls = (
  column: "calls" | "errors",
) => `(SELECT CAST(coalesce(sum(${column}), 0) AS bigint)
  FROM author_calls WHERE account_id = a.id AND day >= $2) AS ${column}`

/** One query for all, because many at once would use up the connections. */
const selectCounts = ({ each }: SqlDatabase) => `SELECT a.id,
  (SELECT count(*) FROM items WHERE account_id = a.id) AS items,
  coalesce((SELECT purchases FROM purchase_counts WHERE account_id = a.id), 0) AS purchases,
  (SELECT count(*) FROM api_keys WHERE account_id = a.id AND revoked_at IS NULL) AS keys,
  ${sumCalls("calls")}, ${sumCalls("errors")},
  EXISTS (SELECT 1 FROM passwords WHERE account_id = a.id) AS "hasPassword",
  EXISTS (SELECT 1 FROM invitations WHERE account_id = a.id AND expires_at > $3) AS "isInvited",
  (SELECT max(last_seen_at) FROM sessions WHERE account_id = a.id) AS seen,
  (SELECT max(last_used_at) FROM author_calls WHERE account_id = a.id) AS used
  FROM accounts a WHERE a.id IN (${each("$1", "bigint")})`

const sumOfDays = (column: "calls" | "errors") => `LEFT JOIN (
    SELECT account_id, sum(${column}) AS total FROM author_calls WHERE day >= $1 GROUP BY 1
  ) c ON c.account_id = id ORDER BY coalesce(c.total, 0) DESC, username`

const usedOrSeen = `LEFT JOIN (
    SELECT account_id, max(at) AS at FROM (
      SELECT used.id AS account_id, (
        SELECT last_used_at FROM author_calls WHERE account_id = used.id ORDER BY day DESC LIMIT 1
      ) AS at FROM accounts used
      UNION ALL SELECT account_id, last_seen_at FROM sessions
    ) AS each_time GROUP BY 1
  ) s ON s.account_id = id ORDER BY coalesce(s.at, '') DESC, username`

/** The end of a SELECT from the accounts. $1 is the first day that is counted. */
const orders: Readonly<Record<AuthorSort, string>> = {
  calls: sumOfDays("calls"),
  errors: sumOfDays("errors"),
  sales: `LEFT JOIN purchase_counts p ON p.account_id = id
    ORDER BY coalesce(p.purchases, 0) DESC, username`,
  seen: usedOrSeen,
  name: "ORDER BY username",
}

type Counts = Omit<AuthorFacts, keyof AuthorTitle | "lastSeenAt"> &
  Readonly<{ id: number; seen: string | null; used: string | null }>

/** `titles` is the table of accounts, with the index that holds all that a search compares. */
export function createAuthorSearch(db: SqlDatabase, titles: string): AuthorSearch {
  const firstDay = (at: Timestamp) => lastRange(at, authorCallDays).from

  /** One that was deleted meanwhile is left out. */
  async function readFacts(
    page: readonly AuthorTitle[],
    at: Timestamp,
  ): Promise<readonly AuthorFacts[]> {
    const ids = JSON.stringify(page.map(({ id }) => id))
    const rows = await db.read<Counts>(selectCounts(db), [ids, firstDay(at), at])
    const counts = new Map(rows.map((row) => [row.id, row]))
    return page.flatMap((title) => {
      const row = counts.get(title.id)
      return row === undefined ? [] : [toFacts(title, row)]
    })
  }
  return {
    async search(query) {
      const { text, sort, at, offset, rowsMax } = query
      const isByDay = sort === "calls" || sort === "errors"
      const days = isByDay ? [firstDay(at)] : []
      const all = `SELECT ${titleColumns} FROM ${titles} ${orders[sort]}`
      if (text !== "") {
        const { page, total } = pickAuthors(await db.read<AuthorTitle>(all, days), query)
        return { authors: await readFacts(page, at), total }
      }
      const [limit, from] = isByDay ? ["$2", "$3"] : ["$1", "$2"]
      const limited = `${all} LIMIT ${limit} OFFSET ${from}`
      const page = await db.read<AuthorTitle>(limited, [...days, rowsMax, offset])
      const [counted] = await db.read<{ total: number }>("SELECT count(*) AS total FROM accounts")
      return { authors: await readFacts(page, at), total: counted?.total ?? 0 }
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
  const moments = [seen, used].filter((at) => at !== null).toSorted()
  return { ...title, ...counts, lastSeenAt: moments.at(-1) ?? null }
}
