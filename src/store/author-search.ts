import {
  type AuthorFacts,
  type AuthorSearch,
  type AuthorTitle,
  pickAuthors,
  purchasesCounted,
} from "../domain/author-search.ts"
import type { SqlDatabase } from "./database.ts"

const titleColumns = `id, username, full_name AS "fullName", email, suspended AS "isSuspended"`

/** SQLite has no booleans: they come as 1 and 0. */
const toTitle = (row: AuthorTitle): AuthorTitle => ({
  ...row,
  isSuspended: Boolean(row.isSuspended),
})

/** `used` is an hour (2026-01-31T14) or a day. */
const selectCounts = `SELECT
  (SELECT count(*) FROM items WHERE account_id = $1) AS items,
  (SELECT count(*) FROM (
     SELECT 1 FROM items i JOIN purchases p ON p.item_id = i.id WHERE i.account_id = $1 LIMIT $2
   ) AS sold) AS purchases,
  (SELECT count(*) FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL) AS keys,
  (SELECT max(last_seen_at) FROM sessions WHERE account_id = $1) AS seen,
  (SELECT max((SELECT max(period) FROM usage u WHERE u.key_id = k.id))
     FROM api_keys k WHERE k.account_id = $1) AS used`

type Counts = Pick<AuthorFacts, "items" | "purchases" | "keys"> &
  Readonly<{ seen: string | null; used: string | null }>

/** `titles` is the table of accounts, with the index that holds all that a search compares. */
export function createAuthorSearch(db: SqlDatabase, titles: string): AuthorSearch {
  async function readFacts(title: AuthorTitle): Promise<AuthorFacts> {
    const [row] = await db.read<Counts>(selectCounts, [title.id, purchasesCounted])
    if (row === undefined) throw new Error("counting gives a row")
    const { seen, used, ...counts } = row
    const usedAt = used && `${used.length > 10 ? used : `${used}T00`}:00:00Z`
    const [lastSeenAt = null] = [seen, usedAt]
      .filter((at) => at !== null)
      .toSorted()
      .toReversed()
    return { ...title, ...counts, lastSeenAt }
  }
  return {
    async search(query) {
      const { text, offset, limit } = query
      const all = `SELECT ${titleColumns} FROM ${titles} ORDER BY username`
      if (text !== "") {
        const { page, total } = pickAuthors((await db.read<AuthorTitle>(all)).map(toTitle), query)
        return { authors: await Promise.all(page.map(readFacts)), total }
      }
      const page = await db.read<AuthorTitle>(`${all} LIMIT $1 OFFSET $2`, [limit, offset])
      const [counted] = await db.read<{ total: number }>("SELECT count(*) AS total FROM accounts")
      const authors = await Promise.all(page.map(toTitle).map(readFacts))
      return { authors, total: counted?.total ?? 0 }
    },
    async find(id) {
      const [row] = await db.read<AuthorTitle>(
        `SELECT ${titleColumns} FROM accounts WHERE id = $1`,
        [id],
      )
      return row === undefined ? null : readFacts(toTitle(row))
    },
  }
}
