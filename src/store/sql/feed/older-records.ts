/** Records that are older than a full feed: it did not name them. */
import { type AsOf, aheadMsMax, type DatedKind } from "../../../domain/feed/as-of.ts"
import {
  datedIdentityOf,
  type FeedRecord,
  type OlderCounts,
  type Removal,
  type StayingRecord,
  type Verdict,
} from "../../../domain/feed/feed.ts"
import type { KindCounts } from "../../../domain/feed/tally.ts"
import { forgetRows, type SqlDatabase } from "../database.ts"
import type { TriedRow } from "./dry-run-rows.ts"

/** A timestamp that a wrong clock made is older than every feed. A record that the feed names has another one by now. */
const isOlder = "(t.as_of < $1 OR t.as_of > $2)"
const boundsOf = (beforeMs: number) => [beforeMs, Date.now() + aheadMsMax]

type Query = <Row>(sql: string, values: readonly number[]) => Promise<readonly Row[]>

const rowsOf = {
  account: { table: "accounts", identity: "t.username" },
  item: { table: "items", identity: "CAST(t.id AS text)" },
  purchase: { table: "purchases", identity: "t.code" },
} as const

/** An SQL condition for records that a dry run has a row `j` of, for which `condition` holds. */
export type IsTried = (kind: TriedRow["kind"], identity: string, condition?: string) => string

/** The stored and the pending records of each type. */
export async function countRecords(query: Query): Promise<KindCounts> {
  const [counts] = await query<KindCounts>(
    `SELECT (SELECT count(*) FROM accounts) AS account,
       (SELECT count(*) FROM items) + (SELECT count(*) FROM waiting WHERE kind = 'item') AS item,
       (SELECT count(*) FROM purchases) + (SELECT count(*) FROM waiting WHERE kind = 'purchase') AS purchase`,
    [],
  )
  if (counts === undefined) throw new Error("a SELECT without FROM gave no row")
  return counts
}

export async function countOlder(
  query: Query,
  beforeMs: number,
  isTried: IsTried = () => "false",
): Promise<OlderCounts> {
  // A record that waited and was taken has its old moment, unless the feed names it, too.
  const isNamed = (kind: TriedRow["kind"], identity: string) =>
    isTried(kind, identity, "(j.is_gone OR j.as_of >= $1)")
  async function count(table: string, condition: string): Promise<number> {
    const sql = `SELECT count(*) AS older FROM ${table} t WHERE ${isOlder} AND ${condition}`
    const [row] = await query<{ older: number }>(sql, boundsOf(beforeMs))
    return row?.older ?? 0
  }
  function countStored(kind: DatedKind): Promise<number> {
    const { table, identity } = rowsOf[kind]
    return count(table, `NOT ${isNamed(kind, identity)}`)
  }
  async function countWithWaiting(kind: "item" | "purchase"): Promise<number> {
    const wouldWait = isNamed("waiting", `'${kind} ' || t.identity`)
    const isStillNamed = `${wouldWait} AND NOT ${isTried(kind, "t.identity")}`
    const isGone = `NOT (${isNamed(kind, "t.identity")} OR ${isStillNamed})`
    return (await countStored(kind)) + (await count("waiting", `t.kind = '${kind}' AND ${isGone}`))
  }
  return {
    totals: await countRecords(query),
    older: {
      account: await countStored("account"),
      item: await countWithWaiting("item"),
      purchase: await countWithWaiting("purchase"),
    },
  }
}

type Deletion = Extract<FeedRecord, { type: `deleted ${DatedKind}` }>

/** Deletes those that wait first, then children before parents. */
export async function listOlder(query: Query, beforeMs: number): Promise<readonly Deletion[]> {
  // One millisecond earlier: a record of the moment itself stays.
  const asOf: AsOf = { ms: beforeMs - 1, isArrival: false }
  const select = <Row>(columns: string, table: string) =>
    query<Row>(
      `SELECT ${columns} FROM ${table} t WHERE ${isOlder} ORDER BY ${columns}`,
      boundsOf(beforeMs),
    )
  const purchases = await select<{ code: string }>("code", "purchases")
  const items = await select<{ id: number }>("id", "items")
  const accounts = await select<{ username: string }>("username", "accounts")
  const waiting = await select<{ kind: string; identity: string }>("kind, identity", "waiting")
  return [
    ...waiting.map(({ kind, identity }) =>
      kind === "item"
        ? ({ type: "deleted item", id: Number(identity), asOf } as const)
        : ({ type: "deleted purchase", code: identity, asOf } as const),
    ),
    ...purchases.map(({ code }) => ({ type: "deleted purchase", code, asOf }) as const),
    ...items.map(({ id }) => ({ type: "deleted item", id, asOf }) as const),
    ...accounts.map(({ username }) => ({ type: "deleted account", username, asOf }) as const),
  ]
}

/** A transaction decides and writes so many deletions at a time. */
export const batchRecords = 1_000

export function removalOf(deletions: readonly Deletion[], verdicts: readonly Verdict[]): Removal {
  let removed = 0
  const staying: StayingRecord[] = []
  for (const [at, deletion] of deletions.entries()) {
    const verdict = verdicts[at]
    if (verdict === null) removed += 1
    // A record that a newer push has brought since the list was read is outdated, and stays.
    else if (typeof verdict === "object") {
      staying.push({ ...datedIdentityOf(deletion), reason: verdict.reason })
    }
  }
  return { removed, staying }
}

/** An operator's tombstones stay. */
export const forgetTombstones = (db: SqlDatabase, beforeMs: number, rowsMax: number) =>
  forgetRows(
    db,
    { table: "tombstones", id: "kind, identity", condition: "as_of < $1 AND NOT by_operator" },
    [beforeMs],
    rowsMax,
  )
