/** Records that a full sync does not contain: they are older than its start. */

import { type KindCounts, noRecords } from "../../../domain/feed/batch-changes.ts"
import {
  type AsOf,
  aheadMsMax,
  type DatedKind,
  datedIdentityOf,
  type FeedRecord,
  type Verdict,
} from "../../../domain/feed/feed-record.ts"
import type { OlderCounts, Removal, RetainedRecord } from "../../../domain/feed/feed-store.ts"
import { deleteRows, type Query, type SqlDatabase } from "../sql-database.ts"

/** A timestamp in the future, from a wrong clock, counts as older: a record in the feed would have a new timestamp. */
const isOlder = "(t.as_of < $1 OR t.as_of > $2)"
const boundsOf = (beforeMs: number) => [beforeMs, Date.now() + aheadMsMax]

/** Counts stored and pending records. */
export async function countRecords(query: Query): Promise<KindCounts> {
  const [counts] = await query<KindCounts>(
    `SELECT (SELECT count(*) FROM accounts) AS account,
       (SELECT count(*) FROM items) + (SELECT count(*) FROM waiting WHERE kind = 'item') AS item,
       (SELECT count(*) FROM purchases) + (SELECT count(*) FROM waiting WHERE kind = 'purchase') AS purchase`,
    [],
  )
  if (counts === undefined) throw new Error("a SELECT without FROM returned no row")
  return counts
}

export async function countOlder(query: Query, beforeMs: number): Promise<OlderCounts> {
  const count = (table: string, condition = "true") =>
    `(SELECT count(*) FROM ${table} t WHERE ${isOlder} AND ${condition})`
  const [older] = await query<KindCounts>(
    `SELECT ${count("accounts")} AS account,
       ${count("items")} + ${count("waiting", "kind = 'item'")} AS item,
       ${count("purchases")} + ${count("waiting", "kind = 'purchase'")} AS purchase`,
    boundsOf(beforeMs),
  )
  return { totals: await countRecords(query), older: older ?? noRecords }
}

type Deletion = Extract<FeedRecord, { type: `deleted ${DatedKind}` }>

/** Pending records first, then children before parents. */
export async function listOlder(query: Query, beforeMs: number): Promise<readonly Deletion[]> {
  // One millisecond earlier: a record with this timestamp is kept.
  const asOf: AsOf = { ms: beforeMs - 1, isArrival: false }
  const select = <Row>(columns: string, table: string) =>
    query<Row>(
      `SELECT ${columns} FROM ${table} t WHERE ${isOlder} ORDER BY ${columns}`,
      boundsOf(beforeMs),
    )
  const purchases = await select<{ code: string }>("code", "purchases")
  const items = await select<{ id: number }>("id", "items")
  const accounts = await select<{ username: string }>("username", "accounts")
  const pending = await select<{ kind: string; identity: string }>("kind, identity", "waiting")
  return [
    ...pending.map(({ kind, identity }) =>
      kind === "item"
        ? ({ type: "deleted item", id: Number(identity), asOf } as const)
        : ({ type: "deleted purchase", code: identity, asOf } as const),
    ),
    ...purchases.map(({ code }) => ({ type: "deleted purchase", code, asOf }) as const),
    ...items.map(({ id }) => ({ type: "deleted item", id, asOf }) as const),
    ...accounts.map(({ username }) => ({ type: "deleted account", username, asOf }) as const),
  ]
}

/** Deletions per transaction. */
export const batchRecords = 1_000

export function removalOf(deletions: readonly Deletion[], verdicts: readonly Verdict[]): Removal {
  let removed = 0
  const retained: RetainedRecord[] = []
  for (const [at, deletion] of deletions.entries()) {
    const verdict = verdicts[at]
    if (verdict === null) removed += 1
    // The deletion of a record that a newer push has updated since is outdated; the record is kept.
    else if (typeof verdict === "object") {
      retained.push({
        ...datedIdentityOf(deletion),
        why: { code: verdict.code, params: verdict.params },
      })
    }
  }
  return { removed, retained }
}

/** Keeps tombstones of operators. */
export const deleteOldTombstones = (db: SqlDatabase, beforeMs: number, rowsMax: number) =>
  deleteRows(
    db,
    { table: "tombstones", id: "kind, identity", condition: "as_of < $1 AND NOT by_operator" },
    [beforeMs],
    rowsMax,
  )
