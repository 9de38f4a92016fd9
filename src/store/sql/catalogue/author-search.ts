import {
  type AuthorFacts,
  type AuthorSearch,
  type AuthorTitle,
  pickAuthors,
  purchasesCounted,
} from "../../../domain/catalogue/author-search.ts"
import type { SqlDatabase } from "../database.ts"

const titleColumns = `id, username, full_name AS "fullName", email, suspended AS "isSuspended"`

/** One query for all, because many at once would use up the connections. `used` is an hour (2026-01-31T14) or a day. */
const selectCounts = ({ each }: SqlDatabase) => `SELECT a.id,
  (SELECT count(*) FROM items WHERE account_id = a.id) AS items,
  (SELECT count(*) FROM (
     SELECT 1 FROM items i JOIN purchases p ON p.item_id = i.id WHERE i.account_id = a.id LIMIT $2
   ) AS sold) AS purchases,
  (SELECT count(*) FROM api_keys WHERE account_id = a.id AND revoked_at IS NULL) AS keys,
  EXISTS (SELECT 1 FROM known_networks WHERE account_id = a.id) AS "hasSignedIn",
  (SELECT max(last_seen_at) FROM sessions WHERE account_id = a.id) AS seen,
  (SELECT max((SELECT max(period) FROM usage u WHERE u.key_id = k.id))
     FROM api_keys k WHERE k.account_id = a.id) AS used
  FROM accounts a WHERE a.id IN (${each("$1", "bigint")})`

type Counts = Pick<AuthorFacts, "id" | "items" | "purchases" | "keys" | "hasSignedIn"> &
  Readonly<{ seen: string | null; used: string | null }>

/** `titles` is the table of accounts, with the index that holds all that a search compares. */
export function createAuthorSearch(db: SqlDatabase, titles: string): AuthorSearch {
  /** One that was deleted meanwhile is left out. */
  async function readFacts(page: readonly AuthorTitle[]): Promise<readonly AuthorFacts[]> {
    const ids = JSON.stringify(page.map(({ id }) => id))
    const rows = await db.read<Counts>(selectCounts(db), [ids, purchasesCounted])
    const counts = new Map(rows.map((row) => [row.id, row]))
    return page.flatMap((title) => {
      const row = counts.get(title.id)
      return row === undefined ? [] : [toFacts(title, row)]
    })
  }
  return {
    async search(query) {
      const { text, offset, rowsMax } = query
      const all = `SELECT ${titleColumns} FROM ${titles} ORDER BY username`
      if (text !== "") {
        const { page, total } = pickAuthors(await db.read<AuthorTitle>(all), query)
        return { authors: await readFacts(page), total }
      }
      const page = await db.read<AuthorTitle>(`${all} LIMIT $1 OFFSET $2`, [rowsMax, offset])
      const [counted] = await db.read<{ total: number }>("SELECT count(*) AS total FROM accounts")
      return { authors: await readFacts(page), total: counted?.total ?? 0 }
    },
    async find(id) {
      const [row] = await db.read<AuthorTitle>(
        `SELECT ${titleColumns} FROM accounts WHERE id = $1`,
        [id],
      )
      const [author = null] = row === undefined ? [] : await readFacts([row])
      return author
    },
  }
}

function toFacts(title: AuthorTitle, { seen, used, ...counts }: Counts): AuthorFacts {
  const usedAt = used && `${used.length > 10 ? used : `${used}T00`}:00:00Z`
  const [lastSeenAt = null] = [seen, usedAt]
    .filter((at) => at !== null)
    .toSorted()
    .toReversed()
  return { ...title, ...counts, lastSeenAt }
}
