/** Imports feeds. Each batch is read, decided and written in one transaction. */
import { chunk } from "../platform/collections.ts"
import {
  allOf,
  deleteRows,
  type Query,
  queryUnlessEmpty,
  rawSql,
  type Sql,
  type SqlDatabase,
  sql,
  type Transaction,
  tuples,
} from "../platform/database/sql.ts"
import { formatTimestamp } from "../platform/time.ts"
import {
  createSums,
  purchaseEventsOf,
  readSoldItems,
  repairSums,
  type Sums,
  selectWrongSums,
} from "../purchases/purchase-store.ts"
import type { NewEvent } from "../webhooks/webhook.ts"
import { writeEvents } from "../webhooks/webhook-store.ts"
import {
  arrivalsOf,
  type Changes,
  type Decision,
  type ExistingRecords,
  listOverriddenChanges,
  type MovedItem,
  recordOf,
} from "./batch.ts"
import {
  addTally,
  countBefore,
  countChanges,
  type KindCounts,
  listPurchaseChanges,
  type MassGuardOptions,
  noTally,
  openMassGuard,
  type Tally,
} from "./batch-changes.ts"
import { listPendingRecords, readExistingRecords } from "./batch-reads-store.ts"
import { decideBatch } from "./batch-rules.ts"
import { writeChanges } from "./batch-writes-store.ts"
import {
  type AsOf,
  aheadMsMax,
  type DatedKind,
  datedIdentityOf,
  type FeedRecord,
  type PendingKind,
  type PendingSummary,
  pendingRecordsMax,
  releasedRecords,
  type Verdict,
} from "./feed-record.ts"
import type {
  DryRun,
  FeedOrigin,
  FeedStore,
  FeedWriter,
  MovedKeys,
  Removal,
  RetainedRecord,
} from "./import-run.ts"
import { createImportRuns, failureOf, finishRun, insertRun } from "./import-run-store.ts"
import { mentionsOf } from "./mentions.ts"

export type FeedDatabase = Readonly<{
  read: SqlDatabase["read"]
  /** No other feed writes until the transaction ends. */
  transaction: SqlDatabase["transaction"]
  complete?(tx: Transaction, lines: number): Promise<void>
}>

/** One transaction, or a copy of the database. `close` discards all changes. */
export type DryRunDatabase = Transaction &
  Readonly<{
    scan: Query
    close(): Promise<void>
  }>

export const createFeedStore = (
  db: SqlDatabase,
  feeds: FeedDatabase,
  openDryRunDatabase: () => Promise<DryRunDatabase>,
  openSnapshot: FeedStore["openSnapshot"],
): FeedStore => ({
  openBatches: async ({ source, via, isQuiet = false, ...limits }) =>
    openBatches(feeds, { source, via }, isQuiet, limits),
  openDryRun: async (limits = {}) => openDryRun(await openDryRunDatabase(), limits),
  ...createImportRuns(db),
  readPending: (groupsMax) => readPending(db, groupsMax),
  openSnapshot,
  deleteOldTombstones(beforeMs, rowsMax) {
    const isOld = sql`as_of < ${beforeMs} AND NOT is_by_operator`
    return deleteRows(db, "tombstones", "kind, identity", isOld, rowsMax)
  },
  listWrongSums: async () =>
    (await db.readLong<{ accountId: number }>(selectWrongSums)).map(({ accountId }) => accountId),
  repairSums: (accountId) => feeds.transaction((tx) => repairSums(tx, accountId)),
})

/** Imports without locking rows, without recording a run and without events. */
function openDryRun(db: DryRunDatabase, limits: MassGuardOptions): DryRun {
  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await db.query`SAVEPOINT batch`
    try {
      const result = await work(db)
      await db.query`RELEASE SAVEPOINT batch`
      return result
    } catch (error) {
      // A broken connection is already rolled back.
      await db.query`ROLLBACK TO SAVEPOINT batch`.catch(() => {})
      throw error
    }
  }
  const feeds = { read: db.scan, transaction }
  const writer = openBatches(feeds, { source: "dry run", via: "file" }, true, limits, true)
  return { ...writer, countKeys: () => 0, async finish() {}, close: db.close }
}

function openBatches(
  { read, transaction, complete }: FeedDatabase,
  origin: FeedOrigin,
  isQuiet: boolean,
  limits: MassGuardOptions,
  isDryRun = false,
): FeedWriter {
  let tally = noTally
  const guard = openMassGuard(limits, async () => countBefore(await countRecords(read), tally))
  let runId: number | null = null
  let keys = 0
  let lastLine = 0
  const movedKeys: MovedKeys[] = []

  const find = ({ tx, now }: Batch, records: readonly FeedRecord[]) =>
    readExistingRecords(tx, mentionsOf(records), now, !isDryRun)

  async function decide(batch: Batch, records: readonly FeedRecord[], found: ExistingRecords) {
    const { tx, now, sums } = batch
    const decision = await decideWithin(batch, records, found)
    const { changes } = decision
    batch.tally = addTally(batch.tally, countChanges(found, decision))
    const overridden = listOverriddenChanges(found, changes)
    const hasListeners = found.oldestEndpointAt !== null && !isQuiet
    const purchaseChanges = hasListeners
      ? listPurchaseChanges(found, changes, found.oldestEndpointAt)
      : []
    const deleted = purchaseChanges.filter(({ isRemoved }) => isRemoved)
    const removed = await readSoldItems(tx, deleted)
    // A dry run does not need the versions of lists, and their rows would stay locked.
    const written = isDryRun ? { ...changes, changedLists: new Set<string>() } : changes
    await writeChanges(tx, written, overridden, { source: origin.source, runId, now, sums })
    if (isDryRun) movedKeys.push(...(await readMovedKeys(tx, changes.movedItems, now)))
    if (purchaseChanges.length > 0) {
      const sold = await readSoldItems(tx, purchaseChanges)
      const items = new Map([...removed, ...sold])
      batch.events.push(purchaseEventsOf(purchaseChanges, items, formatTimestamp(now)))
    }
    batch.keys += changes.newKeys.length
    return { ...decision, hasPending: found.hasPending || changes.pending.inserted.length > 0 }
  }
  async function record({ tx, now }: Pick<Batch, "tx" | "now">, line: number): Promise<number> {
    if (runId === null) return insertRun(tx, { ...origin, line, startedAt: formatTimestamp(now) })
    await tx.query`UPDATE imports SET line = ${line} WHERE id = ${runId}`
    return runId
  }
  async function changeWithin<T>(now: Date, work: (batch: Batch) => Promise<T>): Promise<T> {
    const before = [runId, lastLine] as const
    try {
      const [result, batch] = await transaction(async (tx) => {
        // A retry of the first batch must insert the row of the run again.
        ;[runId, lastLine] = before
        const sums = isDryRun ? null : createSums()
        const batch: Batch = { tx, now, sums, events: [], tally: noTally, keys: 0 }
        const result = await work(batch)
        for (const events of batch.events) await writeEvents(tx, events)
        await sums?.write(tx)
        return [result, batch] as const
      })
      tally = addTally(tally, batch.tally)
      keys += batch.keys
      return result
    } catch (error) {
      ;[runId, lastLine] = before
      throw error
    }
  }
  /** Imports the pending records that need the new records, then those that need them. */
  async function release(batch: Batch, changes: Changes): Promise<void> {
    const arrived = [...arrivalsOf(changes)]
    while (arrived.length > 0) {
      const needs = arrived.slice(0, needsPerQuery)
      const pending = await listPendingRecords(batch.tx, needs, releasedRecords)
      const released = pending.map(recordOf)
      const decision =
        released.length === 0 ? null : await decide(batch, released, await find(batch, released))
      // A record that is still rejected stays pending and is not retried.
      if (decision?.verdicts.includes(null)) arrived.push(...arrivalsOf(decision.changes))
      else arrived.splice(0, needsPerQuery)
    }
  }
  async function write(batch: Batch, records: readonly FeedRecord[], found: ExistingRecords) {
    const { verdicts, changes, hasPending } = await decide(batch, records, found)
    if (hasPending) await release(batch, changes)
    return verdicts.values()
  }
  return {
    async put(now, records, line) {
      const [verdicts, split] = await changeWithin(now, async (batch) => {
        runId = await record(batch, line)
        lastLine = line
        const found = await find(batch, records)
        const split = guard.split(records, found, now.getTime())
        const written = records.filter((_, index) => !split.isDeferred[index])
        const remaining = await write(batch, written, found)
        const verdicts = split.isDeferred.map((isDeferred) =>
          isDeferred ? "deferred" : (remaining.next().value ?? null),
        )
        return [verdicts, split] as const
      })
      guard.keep(split)
      return verdicts
    },
    putDeferred: (now, records) =>
      changeWithin(now, async (batch) => {
        return [...(await write(batch, records, await find(batch, records)))]
      }),
    findExcess: guard.findExcess,
    finish: (now, outcome, problem = null) =>
      transaction(async (tx) => {
        // An empty feed has no batch that inserted the run.
        const id = runId ?? (await record({ tx, now }, 0))
        const at = formatTimestamp(now)
        await finishRun(tx, id, at, outcome, problem)
        await complete?.(tx, lastLine)
        const failure = problem ?? outcome.removalProblem
        if (failure !== null) await writeEvents(tx, [failureOf(origin, at, failure)])
      }),
    async countPending() {
      const [[records] = [0]] = await read<[number]>(
        tuples`SELECT count(*) FROM pending_records WHERE run_id = ${runId}`,
      )
      return records
    },
    async listNeeded(max) {
      const rows = await read<NeededRow>(selectNeeded(sql`run_id = ${runId}`, max))
      return rows.map(([kind, identity, records]) => ({ type: neededBy[kind], identity, records }))
    },
    countKeys: () => keys,
    listMovedKeys: () => movedKeys,
    countChanges: () => tally,
    async removeOlder(now, beforeMs) {
      const older = await countRecords(read, isOlder(now, beforeMs))
      const excess = await guard.findMissingExcess(older)
      if (excess !== null) return { removed: 0, retained: [], excess }
      const deletions = await listOlder(read, now, beforeMs)
      const verdicts = await changeWithin(now, async (batch) => {
        const decided: (readonly Verdict[])[] = []
        for (const some of chunk(deletions, batchRecords)) {
          decided.push((await decide(batch, some, await find(batch, some))).verdicts)
        }
        return decided.flat()
      })
      return removalOf(deletions, verdicts)
    },
  }
}

async function readMovedKeys(
  tx: Transaction,
  movedItems: readonly MovedItem[],
  now: Date,
): Promise<readonly MovedKeys[]> {
  const ids = movedItems.map(({ id }) => id)
  const found = await queryUnlessEmpty<MovedKeys["keys"][number] & { itemId: number }>(
    tx,
    ids,
    sql`SELECT m.item_id, k.name, k.last_used_at
      FROM moved_item_keys m JOIN items i ON i.id = m.item_id JOIN api_keys k ON k.id = m.key_id
      WHERE m.item_id ${tx.among(ids, "bigint")} AND m.revoked_at IS NULL
        AND k.account_id <> i.account_id AND k.revoked_at IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > ${formatTimestamp(now)})
      ORDER BY k.created_at, k.serial`,
  )
  const keysOf = Map.groupBy(found, ({ itemId }) => itemId)
  return movedItems.flatMap(({ id: itemId, from, author: to }) => {
    const keys = keysOf.get(itemId)
    return keys === undefined ? [] : [{ itemId, from, to, keys }]
  })
}

/** What a transaction has changed so far. */
type Batch = Readonly<{
  tx: Transaction
  now: Date
  sums: Sums | null
  events: (readonly NewEvent[])[]
}> & {
  tally: Tally
  keys: number
}

async function decideWithin(
  { tx, now }: Batch,
  records: readonly FeedRecord[],
  found: ExistingRecords,
): Promise<Decision> {
  const nowMs = now.getTime()
  const decision = decideBatch(records, found, nowMs)
  const { inserted } = decision.changes.pending
  if (inserted.length === 0) return decision
  const [[pending] = [0]] = await tx.query<[number]>(tuples`SELECT count(*) FROM pending_records`)
  const room = pendingRecordsMax - pending
  return inserted.length <= room ? decision : decideBatch(records, found, nowMs, room)
}

/** Bounds the repeated queries while many records need the same record. */
const needsPerQuery = 100

/**
 * Records that a full sync does not contain are older than its start. A timestamp in the future, from a wrong clock, counts
 * as older: a record in the feed would have a new timestamp.
 */
const isOlder = (now: Date, beforeMs: number) =>
  sql`(t.as_of < ${beforeMs} OR t.as_of > ${now.getTime() + aheadMsMax})`

/** Counts stored and pending records that match the condition. */
async function countRecords(query: Query, condition: Sql | null = null): Promise<KindCounts> {
  // Without a condition, because SQLite counts a whole table faster.
  const count = (table: string, ofKind: Sql | null = null) => {
    const where =
      condition === null && ofKind === null ? sql`` : sql`WHERE ${allOf([condition, ofKind])}`
    return sql`(SELECT count(*) FROM ${rawSql(table)} t ${where})`
  }
  const [[account, item, purchase] = [0, 0, 0]] = await query<[number, number, number]>(
    tuples`SELECT ${count("accounts")},
      ${count("items")} + ${count("pending_records", sql`kind = 'item'`)},
      ${count("purchases")} + ${count("pending_records", sql`kind = 'purchase'`)}`,
  )
  return { account, item, purchase }
}

type Deletion = Extract<FeedRecord, { type: `deleted ${DatedKind}` }>

/** Pending records first, then children before parents. */
async function listOlder(query: Query, now: Date, beforeMs: number): Promise<readonly Deletion[]> {
  // One millisecond earlier: a record with this timestamp is kept.
  const asOf: AsOf = { ms: beforeMs - 1, isArrival: false }
  const select = <Row>(columns: Sql, table: Sql) =>
    query<Row>`SELECT ${columns} FROM ${table} t WHERE ${isOlder(now, beforeMs)} ORDER BY ${columns}`
  const purchases = await select<{ code: string }>(sql`code`, sql`purchases`)
  const items = await select<{ id: number }>(sql`id`, sql`items`)
  const accounts = await select<{ username: string }>(sql`username`, sql`accounts`)
  const pending = await select<{ kind: string; identity: string }>(
    sql`kind, identity`,
    sql`pending_records`,
  )
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

const batchRecords = 1_000

function removalOf(deletions: readonly Deletion[], verdicts: readonly Verdict[]): Removal {
  let removed = 0
  const retained: RetainedRecord[] = []
  for (const [at, deletion] of deletions.entries()) {
    const verdict = verdicts[at]
    if (verdict === null) removed += 1
    // The deletion of a record that a newer push has updated since is outdated; the record is kept.
    else if (typeof verdict === "object") {
      const { code, params } = verdict
      retained.push({ ...datedIdentityOf(deletion), why: { code, params } })
    }
  }
  return { removed, retained, excess: null }
}

const neededBy = { item: "account", purchase: "item" } as const

/** The records that pending ones need, most needed first. */
const selectNeeded = (condition: Sql, rowsMax: number) => tuples`
  SELECT kind, needs, count(*), min(since_ms) FROM pending_records
  WHERE ${condition} GROUP BY kind, needs ORDER BY 3 DESC, kind, needs LIMIT ${rowsMax}`

type NeededRow = readonly [kind: PendingKind, identity: string, records: number, sinceMs: number]

async function readPending(db: SqlDatabase, groupsMax: number): Promise<PendingSummary> {
  const kinds = await db.readLong<[kind: PendingKind, records: number, sinceMs: number]>(
    tuples`SELECT kind, count(*), min(since_ms) FROM pending_records GROUP BY kind`,
  )
  const recordsOf = (wanted: PendingKind) => kinds.find(([kind]) => kind === wanted)?.[1] ?? 0
  const groups = await db.readLong<NeededRow>(selectNeeded(sql`true`, groupsMax))
  return {
    items: recordsOf("item"),
    purchases: recordsOf("purchase"),
    sinceMs: kinds.length === 0 ? null : Math.min(...kinds.map(([, , sinceMs]) => sinceMs)),
    groups: groups.map(([kind, identity, records, sinceMs]) => ({
      type: neededBy[kind],
      ...{ identity, records, sinceMs },
    })),
  }
}
