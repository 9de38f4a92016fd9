/**
 * A dry run: tries a feed batch by batch and keeps the changes in a temporary table. It takes no lock and writes
 * nothing to the store.
 */

import { type Decision, type Found, hex, type NameChange } from "../../../domain/feed/batch.ts"
import { countChanges } from "../../../domain/feed/count-changes.ts"
import type { DryRun, FeedRecord } from "../../../domain/feed/feed.ts"
import type { MassGuardOptions } from "../../../domain/feed/mass-changes.ts"
import { openMassGuard } from "../../../domain/feed/mass-guard.ts"
import { type Mentions, mentionsOf } from "../../../domain/feed/mentions.ts"
import { decideBatch } from "../../../domain/feed/rules.ts"
import { addTally, noTally, sumOf, type Tally } from "../../../domain/feed/tally.ts"
import {
  type Need,
  releasedRecords,
  type WaitingRecord,
} from "../../../domain/feed/waiting-record.ts"
import type { Dialect, Transaction, Value } from "../database.ts"
import {
  identitiesOf,
  needNameOf,
  needOf,
  overlayFound,
  type TriedRow,
  toWaiting,
  triedRowsOf,
} from "./dry-run-rows.ts"
import { release } from "./feed.ts"
import { listWaiting, type Outdated, readFound } from "./found.ts"
import { countOlder, countRecords, type IsTried } from "./older-records.ts"
import { readPurchases } from "./purchases.ts"
import { askFor, run } from "./rows.ts"
import { toNeeded, type WaitingCount } from "./waiting.ts"

const isTried: IsTried = (kind, identity, condition = "true") =>
  `EXISTS (
     SELECT 1 FROM tried j WHERE j.kind = '${kind}' AND j.identity = ${identity} AND ${condition})`

const triedBefore: Outdated = {
  item: isTried("item", "CAST(i.id AS text)"),
  purchase: isTried("purchase", "p.code"),
}

/** `text` is the type of texts that sort by code point, `ending` what ends the statement. */
export const createTried = (text: string, ending: string) => `
  CREATE TEMPORARY TABLE tried (
    kind     ${text} NOT NULL,
    identity ${text} NOT NULL,
    parent   ${text} NOT NULL,
    lookup   ${text},
    value    text,
    as_of    bigint NOT NULL,
    is_gone  boolean NOT NULL,
    PRIMARY KEY (kind, identity)
  ) ${ending};
  CREATE INDEX tried_by_parent ON tried (kind, parent);
  CREATE INDEX tried_by_lookup ON tried (lookup) WHERE lookup IS NOT NULL`

/** A connection with the temporary table `tried`, which belongs to the dry run. */
export type DryRunDatabase = Readonly<{
  dialect: Dialect
  /** The transaction sees one state of the store. */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** For a query that reads every row. */
  scan<Row>(sql: string, values: readonly Value[]): Promise<readonly Row[]>
  close(): Promise<void>
}>

export function createDryRun(db: DryRunDatabase, limits: MassGuardOptions = {}): DryRun {
  // A dry run writes nothing: what is stored now was stored when it began.
  const guard = openMassGuard(limits, () => countRecords(db.scan))
  const table = createTable(db.dialect)
  const names = createNames()
  let hasTriedWaiting = false

  /** Adds to `made`. */
  async function tryOnce(
    tx: Transaction,
    records: readonly FeedRecord[],
    made: { tally: Tally },
  ): Promise<Decision & Pick<Found, "hasWaiting">> {
    const mentions = await table.withSoldItems(tx, mentionsOf(records))
    const stored = await readFound(tx, names.toStored(mentions), triedBefore)
    const found = names.fromStored(stored)
    const inUse = await table.listInUse(tx, mentions)
    const withUse = {
      ...found,
      accountsInUse: found.accountsInUse.union(new Set(inUse.accounts)),
      itemsInUse: found.itemsInUse.union(new Set(inUse.items.map(Number))),
    }
    const known = overlayFound(withUse, await table.list(tx, mentions))
    const decision = decideBatch(records, known, Date.now())
    made.tally = addTally(made.tally, countChanges(known, decision))
    guard.check(made.tally)
    for (const change of decision.changes.nameChanges) {
      names.apply(change)
      await table.changeName(tx, change)
    }
    await table.put(tx, triedRowsOf(decision.changes))
    hasTriedWaiting ||= decision.changes.waiting.inserted.length > 0
    return { ...decision, hasWaiting: found.hasWaiting || hasTriedWaiting }
  }
  const older = (beforeMs: number) => countOlder(db.scan, beforeMs, isTried)
  return {
    async put(records) {
      await guard.prepare(records)
      const made = { tally: noTally }
      const verdicts = await db.run(async (tx) => {
        const { verdicts, changes, hasWaiting } = await tryOnce(tx, records, made)
        if (hasWaiting) {
          await release(
            changes,
            (needs) => table.listWaiting(tx, needs),
            (released) => tryOnce(tx, released, made),
          )
        }
        return verdicts
      })
      guard.keep(made.tally)
      return verdicts
    },
    async countWaiting() {
      const [row] = await db.scan<WaitingCount>(
        "SELECT count(*) AS records FROM tried WHERE kind = 'waiting' AND NOT is_gone",
        [],
      )
      return row?.records ?? 0
    },
    async listNeeded(max) {
      const rows = await db.scan<{ parent: string; records: number }>(
        `SELECT parent, count(*) AS records FROM tried WHERE kind = 'waiting' AND NOT is_gone
         GROUP BY parent ORDER BY 2 DESC, parent LIMIT $1`,
        [max],
      )
      return rows.map(({ parent, records }) => toNeeded({ ...needOf(parent), records }))
    },
    countKeys: () => 0,
    countChanges: guard.kept,
    countAgainstLimits: guard.counted,
    countOlder: older,
    async removeOlder(beforeMs) {
      const { older: removed } = await older(beforeMs)
      guard.keep({ ...noTally, removed })
      return { removed: sumOf(removed), staying: [] }
    },
    async finish() {},
    close: db.close,
  }
}

function createTable({ among, rows: rowsOf }: Dialect) {
  const amongTexts = (list: "$1" | "$2") => among(list, "text")
  const select = `SELECT kind, identity, parent, lookup, value, as_of AS "asOf", is_gone AS "isGone" FROM tried`

  async function listParents(
    tx: Transaction,
    kind: "item" | "purchase",
    parents: Iterable<unknown>,
    mentioned: Iterable<unknown>,
  ): Promise<readonly string[]> {
    const rows = await askFor<{ parent: string }>(
      tx,
      [Array.from(parents, String), Array.from(mentioned, String)],
      `SELECT DISTINCT parent FROM tried WHERE kind = '${kind}' AND parent ${amongTexts("$1")}
         AND NOT is_gone AND NOT identity ${amongTexts("$2")}`,
    )
    return rows.map(({ parent }) => parent)
  }
  return {
    async put(tx: Transaction, rows: readonly TriedRow[]): Promise<void> {
      // One statement may write an identity only once: keep the last row of each.
      const last = new Map(rows.map((row) => [`${row.kind} ${row.identity}`, row]))
      await run(
        tx,
        [...last.values()],
        `INSERT INTO tried (kind, identity, parent, lookup, value, as_of, is_gone)
         SELECT * FROM ${rowsOf(`kind text, identity text, parent text, lookup text, value text, "asOf" bigint, "isGone" boolean`)}
         WHERE true
         ON CONFLICT (kind, identity) DO UPDATE SET parent = excluded.parent, lookup = excluded.lookup,
           value = excluded.value, as_of = excluded.as_of, is_gone = excluded.is_gone`,
      )
    },
    /** With the items that the purchases have in the store, and those that earlier batches gave them. */
    async withSoldItems(tx: Transaction, mentions: Mentions): Promise<Mentions> {
      const purchases = await readPurchases(tx, mentions.codes, false)
      const rows = await askFor<{ parent: string }>(
        tx,
        [mentions.codes],
        `SELECT DISTINCT parent FROM tried WHERE kind = 'purchase' AND NOT is_gone
           AND identity ${amongTexts("$1")}`,
      )
      const stored = purchases.values().map(({ itemId }) => itemId)
      const soldIds = new Set([...stored, ...rows.map(({ parent }) => Number(parent))])
      return { ...mentions, itemIds: mentions.itemIds.union(soldIds) }
    },
    /** The rows that earlier batches left behind. */
    async list(tx: Transaction, mentions: Mentions): Promise<readonly TriedRow[]> {
      const rows: TriedRow[] = []
      for (const [kind, identities] of identitiesOf(mentions)) {
        const sql = `${select} WHERE kind = '${kind}' AND identity ${amongTexts("$1")}`
        rows.push(...(await askFor<TriedRow>(tx, [identities], sql)))
      }
      const byLookup = `${select} WHERE lookup ${amongTexts("$1")}`
      rows.push(...(await askFor<TriedRow>(tx, [mentions.lookups.map(hex)], byLookup)))
      return rows
    },
    /** Accounts and items that records of earlier batches refer to. */
    async listInUse(
      tx: Transaction,
      { deletedUsernames, deletedItemIds, itemIds, codes }: Mentions,
    ) {
      return {
        accounts: await listParents(tx, "item", deletedUsernames, itemIds),
        items: await listParents(tx, "purchase", deletedItemIds, codes),
      }
    },
    /** Those that the lines before would let wait, and those that wait in the store. */
    async listWaiting(tx: Transaction, needs: readonly Need[]): Promise<readonly WaitingRecord[]> {
      const tried = await askFor<TriedRow>(
        tx,
        [needs.map(needNameOf)],
        `${select} WHERE kind = 'waiting' AND parent ${amongTexts("$1")} AND NOT is_gone
         LIMIT ${releasedRecords}`,
      )
      const isHidden = isTried("waiting", "t.kind || ' ' || t.identity")
      const stored = await listWaiting(tx, needs, releasedRecords, isHidden)
      return [...tried.map(toWaiting), ...stored]
    },
    async changeName(tx: Transaction, { from, to }: NameChange): Promise<void> {
      if (to === null) {
        await tx.query("DELETE FROM tried WHERE kind = 'key' AND parent = $1", [from])
        return
      }
      await tx.query("UPDATE tried SET parent = $2 WHERE kind IN ('item', 'key') AND parent = $1", [
        from,
        to,
      ])
    },
  }
}

/**
 * The names of accounts in a dry run. The store still has the names from before, so a batch is read under those and
 * its states are given the names that the feed has made of them.
 */
function createNames() {
  /** By the name in the store; null for an account that the feed has removed. */
  const names = new Map<string, string | null>()
  /** By the new name, the one in the store. */
  const storedNames = new Map<string, string>()

  /** Null for an account that the store does not have. */
  function findStored(name: string): string | null {
    return storedNames.get(name) ?? (names.has(name) ? null : name)
  }
  function findName(stored: string): string | null {
    const name = names.get(stored)
    return name === undefined ? stored : name
  }
  function renameSet(set: ReadonlySet<string>, find: (name: string) => string | null) {
    return new Set([...set].flatMap((name) => find(name) ?? []))
  }
  function renameStates<State extends Readonly<{ username: string }>>(
    states: Iterable<State>,
  ): readonly State[] {
    return Array.from(states).flatMap((state) => {
      const username = findName(state.username)
      return username === null ? [] : [{ ...state, username }]
    })
  }
  return {
    apply({ from, to }: NameChange): void {
      const stored = findStored(from)
      storedNames.delete(from)
      if (stored === null) return
      names.set(stored, to)
      if (to !== null) storedNames.set(to, stored)
    },
    toStored(mentions: Mentions): Mentions {
      if (names.size === 0) return mentions
      const toStored = (set: ReadonlySet<string>) => renameSet(set, findStored)
      return {
        ...mentions,
        usernames: toStored(mentions.usernames),
        broughtUsernames: toStored(mentions.broughtUsernames),
        deletedUsernames: toStored(mentions.deletedUsernames),
        renamedUsernames: toStored(mentions.renamedUsernames),
      }
    },
    /** Without the keys of removed accounts. */
    fromStored(found: Found): Found {
      if (names.size === 0) return found
      const byName = <State extends Readonly<{ username: string }>>(
        states: ReadonlyMap<string, State>,
      ) => new Map(renameStates(states.values()).map((state) => [state.username, state]))
      const items = [...found.items.values()].map((item) => ({
        ...item,
        author: findName(item.author) ?? item.author,
      }))
      return {
        ...found,
        accounts: byName(found.accounts),
        items: new Map(items.map((item) => [item.id, item])),
        keys: renameStates(found.keys),
        accountsInUse: renameSet(found.accountsInUse, findName),
      }
    },
  }
}
