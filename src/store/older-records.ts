/** Records that are older than a full feed: it did not name them. */
import type { AsOf, DatedKind } from "../domain/as-of.ts"
import { datedIdentityOf, type FeedRecord, type Verdict } from "../domain/feed.ts"
import type { OlderCount, OlderCounts, Removal, StayingRecord } from "../domain/full-feed.ts"

type Query = <Row>(sql: string, values: readonly number[]) => Promise<readonly Row[]>

const rowsOf = {
  account: { table: "accounts", identity: "t.username" },
  item: { table: "items", identity: "CAST(t.id AS text)" },
  purchase: { table: "purchases", identity: "t.code" },
} as const

/** `isNamed` is an SQL condition for rows that a dry run has seen in the feed. */
export async function countOlder(
  query: Query,
  beforeMs: number,
  isNamed: (kind: DatedKind, identity: string) => string = () => "false",
): Promise<OlderCounts> {
  async function count(kind: DatedKind): Promise<OlderCount> {
    const { table, identity } = rowsOf[kind]
    const [row] = await query<OlderCount>(
      `SELECT count(*) AS total,
         count(*) FILTER (WHERE t.as_of < $1 AND NOT ${isNamed(kind, identity)}) AS older
       FROM ${table} t`,
      [beforeMs],
    )
    return row ?? { total: 0, older: 0 }
  }
  return {
    account: await count("account"),
    item: await count("item"),
    purchase: await count("purchase"),
  }
}

type Deletion = Extract<FeedRecord, { type: `deleted ${DatedKind}` }>

/** Deletes children before parents. */
export async function listOlder(query: Query, beforeMs: number): Promise<readonly Deletion[]> {
  // One millisecond earlier: a record of the moment itself stays.
  const asOf: AsOf = { ms: beforeMs - 1, isArrival: false }
  const select = (column: string, table: string) =>
    `SELECT ${column} FROM ${table} WHERE as_of < $1 ORDER BY ${column}`
  const purchases = await query<{ code: string }>(select("code", "purchases"), [beforeMs])
  const items = await query<{ id: number }>(select("id", "items"), [beforeMs])
  const accounts = await query<{ username: string }>(select("username", "accounts"), [beforeMs])
  return [
    ...purchases.map(({ code }) => ({ type: "deleted purchase", code, asOf }) as const),
    ...items.map(({ id }) => ({ type: "deleted item", id, asOf }) as const),
    ...accounts.map(({ username }) => ({ type: "deleted account", username, asOf }) as const),
  ]
}

/** A transaction decides and writes so many deletions at a time. */
const batchRecords = 1_000

export function* batchesOf(deletions: readonly Deletion[]): Generator<readonly Deletion[]> {
  for (let at = 0; at < deletions.length; at += batchRecords) {
    yield deletions.slice(at, at + batchRecords)
  }
}

export function removalOf(deletions: readonly Deletion[], verdicts: readonly Verdict[]): Removal {
  let removed = 0
  const staying: StayingRecord[] = []
  for (const [at, deletion] of deletions.entries()) {
    const verdict = verdicts[at]
    if (verdict === null) removed += 1
    // A record that a newer push has brought since the list was read is outdated, and stays.
    else if (verdict !== undefined && verdict !== "outdated") {
      const identity = datedIdentityOf(deletion)
      if (identity !== null) staying.push({ ...identity, reason: verdict.reason })
    }
  }
  return { removed, staying }
}
