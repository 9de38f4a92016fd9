/** Judges a feed batch by batch and keeps the changes in a temporary table, which locks nothing. */
import type { FeedJudge, FeedRecord } from "../../domain/feed.ts"
import { createArrivals, recordOf } from "../../domain/feed-arrivals.ts"
import { type JudgedRow, needNameOf, toWaiting } from "../../domain/feed-judging.ts"
import { type Mentions, mentionsOf } from "../../domain/feed-mentions.ts"
import type { NameChange } from "../../domain/feed-rename.ts"
import {
  fromWaitingRow,
  type Need,
  releasedRecords,
  type WaitingRecord,
  type WaitingRow,
} from "../../domain/waiting-record.ts"
import {
  createJudging,
  hexLookupsOf,
  identitiesOf,
  type Judged,
  judgedColumns,
} from "../feed-judging.ts"
import { countOlder, type IsJudged } from "../older-records.ts"
import { type WaitingCount, waitingColumns } from "../waiting.ts"
import type { Connection } from "./connection.ts"
import { asUnavailable } from "./errors.ts"
import { prepareFoundReader } from "./feed-found.ts"
import { createStatements, type Prepare } from "./statements.ts"

const temporaryTable = `
  CREATE TEMP TABLE judged (
    kind     TEXT NOT NULL,
    identity TEXT NOT NULL,
    parent   TEXT NOT NULL,
    lookup   TEXT,
    value    TEXT,
    as_of    INTEGER NOT NULL,
    is_gone  INTEGER NOT NULL,
    PRIMARY KEY (kind, identity)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX temp.judged_by_parent ON judged (kind, parent);
  CREATE INDEX temp.judged_by_lookup ON judged (lookup) WHERE lookup IS NOT NULL;`

/** Owns the connection, and closes it. */
export function openJudge(own: Connection): FeedJudge {
  own.run(temporaryTable)
  const { prepare, finalize } = createStatements(own)
  const table = prepareTable(prepare)
  const readFound = prepareFoundReader(prepare, {
    isItem: (id) => table.has("item", `${id}`),
    isPurchase: (code) => table.has("purchase", code),
  })
  const judging = createJudging()

  // One transaction for each batch: it sees one state of the store, and the next batch a newer one.
  const judge = own.transaction((records: readonly FeedRecord[]) => {
    const { decision, hasWaiting } = judgeOnce(records)
    if (!hasWaiting) return decision.verdicts
    const arrivals = createArrivals(decision.changes)
    for (let needs = arrivals.next(); needs.length > 0; needs = arrivals.next()) {
      const waiting = table.listWaiting(needs)
      arrivals.settle(waiting.length === 0 ? null : judgeOnce(waiting.map(recordOf)).decision)
    }
    return decision.verdicts
  })
  function judgeOnce(records: readonly FeedRecord[]): Judged {
    const mentions = mentionsOf(records)
    const judged = judging.judge(records, {
      found: readFound(judging.toStored(mentions)),
      earlier: table.list(mentions),
      ...table.listInUse(mentions),
    })
    for (const change of judged.nameChanges) table.changeName(change)
    table.put(judged.rows)
    return judged
  }
  return {
    async judge(records) {
      try {
        return judge(records)
      } catch (error) {
        throw asUnavailable(error)
      }
    },
    async countWaiting() {
      return own.query<WaitingCount, []>(countJudgedWaiting).get()?.records ?? 0
    },
    async countOlder(beforeMs) {
      const query = async <Row>(sql: string, values: readonly number[]) =>
        own.query<Row, number[]>(sql).all(...values)
      return countOlder(query, beforeMs, isJudged)
    },
    async close() {
      finalize()
      own.close()
    },
  }
}

const isJudged: IsJudged = (kind, identity, condition = "true") =>
  `EXISTS (
     SELECT 1 FROM temp.judged j WHERE j.kind = '${kind}' AND j.identity = ${identity} AND ${condition})`

const countJudgedWaiting =
  "SELECT count(*) AS records FROM temp.judged WHERE kind = 'waiting' AND is_gone = 0"

type Row = Omit<JudgedRow, "isGone"> & { isGone: number }

function prepareTable(prepare: Prepare) {
  const find = prepare<Row, [string, string]>(
    `SELECT ${judgedColumns} FROM temp.judged WHERE kind = $1 AND identity = $2`,
  )
  const findByLookup = prepare<Row, [string]>(
    `SELECT ${judgedColumns} FROM temp.judged WHERE lookup = $1`,
  )
  const listIdentities = prepare<{ identity: string }, [string, string]>(
    "SELECT identity FROM temp.judged WHERE kind = $1 AND parent = $2 AND is_gone = 0",
  )
  const insert = prepare(
    `INSERT OR REPLACE INTO temp.judged (kind, identity, parent, lookup, value, as_of, is_gone)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
  )
  const removeSecrets = prepare(
    "DELETE FROM temp.judged WHERE kind IN ('key', 'password') AND parent = $1",
  )
  /** The password of an account that had the new name before. */
  const removePassword = prepare(
    "DELETE FROM temp.judged WHERE kind = 'password' AND identity = $1",
  )
  const rename = prepare(
    `UPDATE temp.judged SET parent = $2, identity = CASE kind WHEN 'password' THEN $2 ELSE identity END
     WHERE kind IN ('item', 'key', 'password') AND parent = $1`,
  )

  const listJudgedWaiting = prepare<Row, [string, number]>(
    `SELECT ${judgedColumns} FROM temp.judged
     WHERE kind = 'waiting' AND parent = $1 AND is_gone = 0 LIMIT $2`,
  )
  const listStoredWaiting = prepare<WaitingRow, [string, string, number]>(
    `SELECT ${waitingColumns} FROM waiting w WHERE kind = $1 AND needs = $2 AND NOT EXISTS (
       SELECT 1 FROM temp.judged j WHERE j.kind = 'waiting' AND j.identity = w.kind || ' ' || w.identity
     ) LIMIT $3`,
  )

  function hasOther(kind: "item" | "purchase", parent: string, mentioned: ReadonlySet<unknown>) {
    for (const { identity } of listIdentities.iterate(kind, parent)) {
      if (!mentioned.has(kind === "item" ? Number(identity) : identity)) return true
    }
    return false
  }

  return {
    has: (kind: JudgedRow["kind"], identity: string) => find.get(kind, identity) !== null,
    list(mentions: Mentions): readonly JudgedRow[] {
      const rows = [
        ...identitiesOf(mentions).flatMap(([kind, identities]) =>
          identities.map((identity) => find.get(kind, identity)),
        ),
        ...hexLookupsOf(mentions).map((lookup) => findByLookup.get(lookup)),
      ]
      return rows.flatMap((row) => (row === null ? [] : [{ ...row, isGone: row.isGone === 1 }]))
    },
    listInUse: ({ deletedUsernames, deletedItemIds, itemIds, codes }: Mentions) => ({
      accountsInUse: [...deletedUsernames].filter((name) => hasOther("item", name, itemIds)),
      itemsInUse: [...deletedItemIds].filter((id) => hasOther("purchase", `${id}`, codes)),
    }),
    listWaiting: (needs: readonly Need[]): readonly WaitingRecord[] =>
      needs.flatMap((need) => [
        ...listJudgedWaiting.all(needNameOf(need), releasedRecords).map(toWaiting),
        ...listStoredWaiting.all(need.kind, need.needs, releasedRecords).map(fromWaitingRow),
      ]),
    put(rows: readonly JudgedRow[]): void {
      for (const { kind, identity, parent, lookup, value, asOf, isGone } of rows) {
        insert.run(kind, identity, parent, lookup, value, asOf, isGone ? 1 : 0)
      }
    },
    changeName({ from, to }: NameChange): void {
      if (to === null) return void removeSecrets.run(from)
      removePassword.run(to)
      rename.run(from, to)
    },
  }
}
