/**
 * Judges a feed batch by batch and keeps the changes in a temporary table. It never takes the
 * lock of the feed. The whole feed is one transaction: a pooler keeps the connection until it ends.
 */
import type { FeedJudge, FeedRecord } from "../../domain/feed.ts"
import { createArrivals, recordOf } from "../../domain/feed-arrivals.ts"
import { type JudgedRow, needNameOf, toWaiting } from "../../domain/feed-judging.ts"
import { type Mentions, mentionsOf } from "../../domain/feed-mentions.ts"
import type { NameChange } from "../../domain/feed-rename.ts"
import { type Need, releasedRecords, type WaitingRecord } from "../../domain/waiting-record.ts"
import {
  createJudging,
  hexLookupsOf,
  identitiesOf,
  type Judged,
  judgedColumns,
} from "../feed-judging.ts"
import { countOlder, type IsJudged } from "../older-records.ts"
import type { WaitingCount } from "../waiting.ts"
import type { Client } from "./database.ts"
import { ask, listWaiting, type Reading, readFound, useIndexes } from "./feed-found.ts"

const temporaryTable = `
  CREATE TEMPORARY TABLE judged (
    kind     text COLLATE "C" NOT NULL,
    identity text COLLATE "C" NOT NULL,
    parent   text COLLATE "C" NOT NULL,
    lookup   text COLLATE "C",
    value    text,
    as_of    bigint NOT NULL,
    is_gone  boolean NOT NULL,
    PRIMARY KEY (kind, identity)
  ) ON COMMIT DROP;
  CREATE INDEX judged_by_parent ON judged (kind, parent);
  CREATE INDEX judged_by_lookup ON judged (lookup) WHERE lookup IS NOT NULL`

const isJudged: IsJudged = (kind, identity, condition = "true") =>
  `EXISTS (
     SELECT 1 FROM judged j WHERE j.kind = '${kind}' AND j.identity = ${identity} AND ${condition})`
const toJudge: Reading = {
  outdated: { item: isJudged("item", "i.id::text"), purchase: isJudged("purchase", "p.code") },
  isLocking: false,
}

/** Takes the connection over, in its transaction. */
export async function openJudge(own: Client): Promise<FeedJudge> {
  await own.query(`${useIndexes}; ${temporaryTable}`)
  const judging = createJudging()
  async function judgeOnce(records: readonly FeedRecord[]): Promise<Judged> {
    const mentions = mentionsOf(records)
    const judged = judging.judge(records, {
      found: await readFound(own, judging.toStored(mentions), toJudge),
      earlier: await listJudged(own, mentions),
      ...(await listInUse(own, mentions)),
    })
    for (const change of judged.nameChanges) await changeName(own, change)
    await putJudged(own, judged.rows)
    return judged
  }
  return {
    async judge(records) {
      const { decision, hasWaiting } = await judgeOnce(records)
      if (!hasWaiting) return decision.verdicts
      const arrivals = createArrivals(decision.changes)
      for (let needs = arrivals.next(); needs.length > 0; needs = arrivals.next()) {
        const waiting = await listAllWaiting(own, needs)
        const isDone = waiting.length === 0
        arrivals.settle(isDone ? null : (await judgeOnce(waiting.map(recordOf))).decision)
      }
      return decision.verdicts
    },
    async countWaiting() {
      const [row] = await own.query<WaitingCount>(
        "SELECT count(*) AS records FROM judged WHERE kind = 'waiting' AND NOT is_gone",
      )
      return row?.records ?? 0
    },
    async countOlder(beforeMs) {
      // Every row is read: through an index that would take several times as long.
      await own.query("SET LOCAL enable_seqscan = on")
      return countOlder(own.query, beforeMs, isJudged)
    },
    async close() {
      // A connection that broke has dropped the table already.
      await own.query("ROLLBACK").catch(() => {})
      own.release()
    },
  }
}

async function listJudged(own: Client, mentions: Mentions): Promise<readonly JudgedRow[]> {
  const select = `SELECT ${judgedColumns} FROM judged`
  const rows: JudgedRow[] = []
  for (const [kind, identities] of identitiesOf(mentions)) {
    const sql = `${select} WHERE kind = '${kind}' AND identity = ANY ($1)`
    rows.push(...(await ask<JudgedRow>(own, [identities], sql)))
  }
  const lookups = hexLookupsOf(mentions)
  return [...rows, ...(await ask<JudgedRow>(own, [lookups], `${select} WHERE lookup = ANY ($1)`))]
}

/** Those that wait in the store, and those that the judged lines would let wait. */
async function listAllWaiting(
  own: Client,
  needs: readonly Need[],
): Promise<readonly WaitingRecord[]> {
  const judged = await ask<JudgedRow>(
    own,
    [needs.map(needNameOf)],
    `SELECT ${judgedColumns} FROM judged
     WHERE kind = 'waiting' AND parent = ANY ($1) AND NOT is_gone LIMIT ${releasedRecords}`,
  )
  const isHidden = isJudged("waiting", "w.kind || ' ' || w.identity")
  return [...judged.map(toWaiting), ...(await listWaiting(own, needs, releasedRecords, isHidden))]
}

async function listInUse(
  own: Client,
  { deletedUsernames, deletedItemIds, itemIds, codes }: Mentions,
) {
  const listParents = async (kind: string, parents: Iterable<unknown>, not: Iterable<unknown>) => {
    const texts = (list: Iterable<unknown>) => Array.from(list, String)
    const rows = await ask<{ parent: string }>(
      own,
      [texts(parents), texts(not)],
      `SELECT DISTINCT parent FROM judged
       WHERE kind = '${kind}' AND parent = ANY ($1) AND NOT is_gone AND identity <> ALL ($2)`,
    )
    return rows.map(({ parent }) => parent)
  }
  return {
    accountsInUse: await listParents("item", deletedUsernames, itemIds),
    itemsInUse: (await listParents("purchase", deletedItemIds, codes)).map(Number),
  }
}

async function changeName(own: Client, { from, to }: NameChange): Promise<void> {
  if (to === null) {
    await own.query("DELETE FROM judged WHERE kind IN ('key', 'password') AND parent = $1", [from])
    return
  }
  // The password of an account that had the new name before.
  await own.query("DELETE FROM judged WHERE kind = 'password' AND identity = $1", [to])
  await own.query(
    `UPDATE judged SET parent = $2, identity = CASE kind WHEN 'password' THEN $2 ELSE identity END
     WHERE kind IN ('item', 'key', 'password') AND parent = $1`,
    [from, to],
  )
}

async function putJudged(own: Client, rows: readonly JudgedRow[]): Promise<void> {
  // One statement may write an identity only once: keep the last row of each.
  const last = [...new Map(rows.map((row) => [`${row.kind} ${row.identity}`, row])).values()]
  if (last.length === 0) return
  await own.query(
    `INSERT INTO judged (kind, identity, parent, lookup, value, as_of, is_gone)
     SELECT * FROM unnest(
       $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::boolean[])
     ON CONFLICT (kind, identity) DO UPDATE SET parent = excluded.parent, lookup = excluded.lookup,
       value = excluded.value, as_of = excluded.as_of, is_gone = excluded.is_gone`,
    [
      last.map(({ kind }) => kind),
      last.map(({ identity }) => identity),
      last.map(({ parent }) => parent),
      last.map(({ lookup }) => lookup),
      last.map(({ value }) => value),
      last.map(({ asOf }) => asOf),
      last.map(({ isGone }) => isGone),
    ],
  )
}
