/**
 * Judges a feed batch by batch and keeps the changes in a temporary table. It never takes the
 * feed's lock. One transaction from beginning to end: a pooler keeps the connection for as long.
 */
import type { FeedJudge } from "../../domain/feed.ts"
import { type JudgedRow, judgedRowsOf, overlayFound } from "../../domain/feed-judging.ts"
import { decideBatch, type Found, type Mentions, mentionsOf } from "../../domain/feed-rules.ts"
import type { Client } from "./database.ts"
import { ask, type Reading, readFound, useIndexes } from "./feed-found.ts"

const temporaryTable = `
  CREATE TEMPORARY TABLE judged (
    kind     text COLLATE "C" NOT NULL,
    identity text COLLATE "C" NOT NULL,
    parent   text COLLATE "C" NOT NULL,
    lookup   text COLLATE "C",
    value    text,
    is_gone  boolean NOT NULL,
    PRIMARY KEY (kind, identity)
  ) ON COMMIT DROP;
  CREATE INDEX judged_by_parent ON judged (kind, parent);
  CREATE INDEX judged_by_lookup ON judged (lookup) WHERE lookup IS NOT NULL`

const isJudged = (kind: string, identity: string) =>
  `EXISTS (SELECT 1 FROM judged j WHERE j.kind = '${kind}' AND j.identity = ${identity})`
const toJudge: Reading = {
  outdated: { item: isJudged("item", "i.id::text"), purchase: isJudged("purchase", "p.code") },
  isLocking: false,
}

/** Takes the connection over, in its transaction. */
export async function openJudge(own: Client): Promise<FeedJudge> {
  await own.query(`${useIndexes}; ${temporaryTable}`)
  const removedAccounts = new Set<string>()
  return {
    async judge(records) {
      const mentions = mentionsOf(records)
      const found = await addInUse(own, await readFound(own, mentions, toJudge), mentions)
      const known = overlayFound(found, await listJudged(own, mentions), removedAccounts)
      const { verdicts, changes } = decideBatch(records, known)
      const removed = changes.accounts.removed.map(({ username }) => username)
      for (const username of removed) removedAccounts.add(username)
      await ask(
        own,
        [removed],
        "DELETE FROM judged WHERE kind IN ('key', 'password') AND parent = ANY ($1)",
      )
      await putJudged(own, judgedRowsOf(changes))
      return verdicts
    },
    async close() {
      // A connection that broke has dropped the table already.
      await own.query("ROLLBACK").catch(() => {})
      own.release()
    },
  }
}

async function listJudged(own: Client, mentions: Mentions): Promise<readonly JudgedRow[]> {
  const identities: Readonly<Record<JudgedRow["kind"], Iterable<unknown>>> = {
    account: mentions.usernames,
    item: mentions.itemIds,
    purchase: mentions.codes,
    key: mentions.keyIds,
    password: mentions.passwordUsernames,
  }
  const columns = `kind, identity, parent, lookup, value, is_gone AS "isGone" FROM judged`
  const rows: JudgedRow[] = []
  for (const [kind, wanted] of Object.entries(identities)) {
    const texts = Array.from(wanted, (identity) => `${identity}`)
    const sql = `SELECT ${columns} WHERE kind = '${kind}' AND identity = ANY ($1)`
    rows.push(...(await ask<JudgedRow>(own, [texts], sql)))
  }
  const lookups = mentions.lookups.map((lookup) => Buffer.from(lookup).toString("hex"))
  const sameSecret = await ask<JudgedRow>(
    own,
    [lookups],
    `SELECT ${columns} WHERE lookup = ANY ($1)`,
  )
  return [...rows, ...sameSecret]
}

/** Adds the parents that are in use by what earlier batches brought. */
async function addInUse(own: Client, found: Found, mentions: Mentions): Promise<Found> {
  const { deletedUsernames, deletedItemIds, itemIds, codes } = mentions
  const listParents = async (kind: string, parents: Iterable<unknown>, not: Iterable<unknown>) => {
    const texts = (list: Iterable<unknown>) => Array.from(list, (identity) => `${identity}`)
    const rows = await ask<{ parent: string }>(
      own,
      [texts(parents), texts(not)],
      `SELECT DISTINCT parent FROM judged
       WHERE kind = '${kind}' AND parent = ANY ($1) AND NOT is_gone AND identity <> ALL ($2)`,
    )
    return rows.map(({ parent }) => parent)
  }
  const authors = await listParents("item", deletedUsernames, itemIds)
  const sold = await listParents("purchase", deletedItemIds, codes)
  return {
    ...found,
    accountsInUse: new Set([...found.accountsInUse, ...authors]),
    itemsInUse: new Set([...found.itemsInUse, ...sold.map(Number)]),
  }
}

async function putJudged(own: Client, rows: readonly JudgedRow[]): Promise<void> {
  // One statement may write an identity once: the last row of each counts.
  const last = [...new Map(rows.map((row) => [`${row.kind} ${row.identity}`, row])).values()]
  if (last.length === 0) return
  await own.query(
    `INSERT INTO judged (kind, identity, parent, lookup, value, is_gone)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[])
     ON CONFLICT (kind, identity) DO UPDATE SET parent = excluded.parent, lookup = excluded.lookup,
       value = excluded.value, is_gone = excluded.is_gone`,
    [
      last.map(({ kind }) => kind),
      last.map(({ identity }) => identity),
      last.map(({ parent }) => parent),
      last.map(({ lookup }) => lookup),
      last.map(({ value }) => value),
      last.map(({ isGone }) => isGone),
    ],
  )
}
