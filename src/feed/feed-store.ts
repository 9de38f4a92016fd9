/** Imports feeds. Each batch is read, decided and written in one transaction. */

import { insertSuspensionEvent } from "../access/audit-store.ts"
import type { Account } from "../accounts/account.ts"
import { feedAccountColumns } from "../accounts/account-store.ts"
import type { Item } from "../items/item.ts"
import type { StoredKey } from "../keys/key.ts"
import { type KeyRow, selectStoredKeys, toKey } from "../keys/key-store.ts"
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
import type { Message } from "../platform/problem.ts"
import { formatTimestamp } from "../platform/time.ts"
import type { PurchaseRecord } from "../purchases/purchase.ts"
import {
  createSums,
  feedRevoked,
  insertRefundEvent,
  purchaseEventsOf,
  readSoldItems,
  repairSums,
  type Sums,
  selectWrongSums,
} from "../purchases/purchase-store.ts"
import type { NewEvent } from "../webhooks/webhook.ts"
import { writeEvents } from "../webhooks/webhook-store.ts"

import {
  addCounts,
  addTally,
  countChanges,
  type Decision,
  type ExistingRecords,
  type KindCounts,
  listArrivals,
  listOverriddenChanges,
  listPurchaseChanges,
  type MassGuardOptions,
  type MovedItem,
  noTally,
  openMassGuard,
  type Tally,
} from "./batch.ts"
import { findMentions, listPendingRecords, readExistingRecords } from "./batch-reads-store.ts"
import { decideBatch } from "./batch-rules.ts"
import { writeChanges } from "./batch-writes-store.ts"
import {
  type AsOf,
  aheadMsMax,
  type DatedKind,
  type FeedRecord,
  fromPendingRow,
  identifyRecord,
  type PendingKind,
  type PendingRow,
  type PendingSummary,
  pendingRecordsMax,
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
  RunOutcome,
  Snapshot,
} from "./import-run.ts"
import { createImportRuns, failureEvent, finishRun, insertRun } from "./import-run-store.ts"

type FeedDatabase = Readonly<{
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
  openBatches: async ({ source, via, isQuiet = false, limits }) =>
    openBatches(feeds, { origin: { source, via }, isQuiet, isDryRun: false, limits }),
  openDryRun: async ({ limits } = {}) => openDryRun(await openDryRunDatabase(), limits),
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
function openDryRun(db: DryRunDatabase, limits: MassGuardOptions["limits"]): DryRun {
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
  const origin = { source: "dry run", via: "file" } as const
  const options = { origin, isQuiet: true, isDryRun: true, limits }
  const writer = openBatches({ read: db.scan, transaction }, options)
  return { ...writer, countKeys: () => 0, async finish() {}, close: db.close }
}

/** A run of the feed across its batches. */
type Run = Readonly<{
  feeds: FeedDatabase
  origin: FeedOrigin
  isQuiet: boolean
  isDryRun: boolean
  movedKeys: MovedKeys[]
}> & { id: number | null; lastLine: number; keys: number; tally: Tally }

type RunOptions = Pick<Run, "origin" | "isQuiet" | "isDryRun"> & MassGuardOptions

function openBatches(feeds: FeedDatabase, { limits, ...options }: RunOptions): FeedWriter {
  const { read } = feeds
  const progress = { id: null, lastLine: 0, keys: 0, tally: noTally }
  const run: Run = { feeds, ...options, ...progress, movedKeys: [] }
  const guard = openMassGuard({ limits }, async () =>
    addCounts(addCounts(await countRecords(read), run.tally.added, -1), run.tally.removed),
  )
  return {
    async put(now, records, line) {
      const [verdicts, split] = await changeWithin(run, now, async (batch) => {
        run.id = await recordLine(run, batch, line)
        run.lastLine = line
        const found = await findExisting(batch, records)
        const split = guard.split(records, found, now.getTime())
        const written = records.filter((_, index) => !split.isDeferred[index])
        const remaining = (await writeRecords(batch, written, found)).values()
        const verdicts = split.isDeferred.map((isDeferred) =>
          isDeferred ? "deferred" : (remaining.next().value ?? null),
        )
        return [verdicts, split] as const
      })
      guard.keep(split)
      return verdicts
    },
    putDeferred: (now, records) =>
      changeWithin(run, now, async (batch) =>
        writeRecords(batch, records, await findExisting(batch, records)),
      ),
    findExcess: guard.findExcess,
    finish: (now, outcome, problem = null) => finish(run, now, outcome, problem),
    async countPending() {
      const [[records] = [0]] = await read<[number]>(
        tuples`SELECT count(*) FROM pending_records WHERE run_id = ${run.id}`,
      )
      return records
    },
    async listNeeded(max) {
      const rows = await read<NeededRow>(selectNeeded(sql`run_id = ${run.id}`, max))
      return rows.map(([kind, identity, records]) => ({ type: neededBy[kind], identity, records }))
    },
    countKeys: () => run.keys,
    listMovedKeys: () => run.movedKeys,
    countChanges: () => run.tally,
    async removeOlder(now, beforeMs) {
      // Records that a full sync does not contain are older than its start. A timestamp in the future, from a wrong
      // clock, counts as older: a record in the feed would have a new timestamp.
      const isOlder = sql`(t.as_of < ${beforeMs} OR t.as_of > ${now.getTime() + aheadMsMax})`
      const excess = await guard.findMissingExcess(await countRecords(read, isOlder))
      if (excess !== null) return { removed: 0, retained: [], excess }
      const deletions = await listDeletions(read, isOlder, beforeMs)
      return changeWithin(run, now, (batch) => writeDeletions(batch, deletions))
    },
  }
}

type Batch = Readonly<{
  run: Run
  tx: Transaction
  now: Date
  sums: Sums | null
  events: (readonly NewEvent[])[]
}> & { tally: Tally; keys: number }

async function changeWithin<T>(
  run: Run,
  now: Date,
  work: (batch: Batch) => Promise<T>,
): Promise<T> {
  const { id, lastLine } = run
  try {
    const [result, { tally, keys }] = await run.feeds.transaction(async (tx) => {
      // A retry of the first batch must insert the row of the run again.
      Object.assign(run, { id, lastLine })
      const sums = run.isDryRun ? null : createSums()
      const batch: Batch = { run, tx, now, sums, events: [], tally: noTally, keys: 0 }
      const result = await work(batch)
      for (const events of batch.events) await writeEvents(tx, events)
      await sums?.write(tx)
      return [result, batch] as const
    })
    run.tally = addTally(run.tally, tally)
    run.keys += keys
    return result
  } catch (error) {
    Object.assign(run, { id, lastLine })
    throw error
  }
}

const finish = (run: Run, now: Date, outcome: RunOutcome, problem: Message | null) =>
  run.feeds.transaction(async (tx) => {
    // An empty feed has no batch that inserted the run.
    const id = run.id ?? (await recordLine(run, { tx, now }, 0))
    const at = formatTimestamp(now)
    await finishRun(tx, { id, at, outcome, problem })
    await run.feeds.complete?.(tx, run.lastLine)
    const failure = problem ?? outcome.removalProblem
    if (failure !== null) await writeEvents(tx, [failureEvent(run.origin, at, failure)])
  })

async function recordLine(
  { id, origin }: Run,
  { tx, now }: Pick<Batch, "tx" | "now">,
  line: number,
): Promise<number> {
  if (id === null) return insertRun(tx, { ...origin, line, startedAt: formatTimestamp(now) })
  await tx.query`UPDATE imports SET line = ${line} WHERE id = ${id}`
  return id
}

const findExisting = ({ run, tx, now }: Batch, records: readonly FeedRecord[]) =>
  readExistingRecords(tx, findMentions(records), now, !run.isDryRun)

/** Also imports the pending records that need the new records, then those that need them. */
async function writeRecords(
  batch: Batch,
  records: readonly FeedRecord[],
  found: ExistingRecords,
): Promise<readonly Verdict[]> {
  const { verdicts, changes } = await decide(batch, records, found)
  if (!found.hasPending && changes.pending.inserted.length === 0) return verdicts
  const arrived = [...listArrivals(changes)]
  while (arrived.length > 0) {
    const needs = arrived.slice(0, needsPerQuery)
    const released = await listPendingRecords(batch.tx, needs, releasedRecords)
    const decision =
      released.length === 0
        ? null
        : await decide(batch, released, await findExisting(batch, released))
    // A record that is still rejected stays pending and is not retried.
    if (decision?.verdicts.includes(null)) arrived.push(...listArrivals(decision.changes))
    else arrived.splice(0, needsPerQuery)
  }
  return verdicts
}

/** Bounds the repeated queries while many records need the same record. */
const needsPerQuery = 100
const releasedRecords = 1_000

async function decide(
  batch: Batch,
  records: readonly FeedRecord[],
  found: ExistingRecords,
): Promise<Decision> {
  const { run, tx, now, sums } = batch
  const { origin, isQuiet, isDryRun } = run
  const [nowMs, at] = [now.getTime(), formatTimestamp(now)]
  let decision = decideBatch(records, found, nowMs)
  const pendingInserted = decision.changes.pending.inserted.length
  if (pendingInserted > 0) {
    const [[pending] = [0]] = await tx.query<[number]>(tuples`SELECT count(*) FROM pending_records`)
    const room = pendingRecordsMax - pending
    if (pendingInserted > room) decision = decideBatch(records, found, nowMs, room)
  }
  const { changes } = decision
  batch.tally = addTally(batch.tally, countChanges(found, decision))
  batch.keys += changes.newKeys.length
  const overridden = listOverriddenChanges(found, changes)
  const { oldestEndpointAt } = found
  const hasListeners = oldestEndpointAt !== null && !isQuiet
  const purchaseChanges = hasListeners ? listPurchaseChanges(found, changes, oldestEndpointAt) : []
  const removed = await readSoldItems(
    tx,
    purchaseChanges.filter(({ isRemoved }) => isRemoved),
  )
  // A dry run does not need the versions of lists, and their rows would stay locked.
  const written = isDryRun ? { ...changes, changedLists: new Set<string>() } : changes
  const { source } = origin
  await writeChanges(tx, written, { source, runId: run.id, at, sums })
  for (const { id } of overridden.accounts) await tx.query(insertSuspensionEvent(at, source, id))
  for (const { code } of overridden.purchases) await tx.query(insertRefundEvent(at, source, code))
  if (isDryRun) run.movedKeys.push(...(await readMovedKeys(tx, changes.movedItems, now)))
  if (purchaseChanges.length > 0) {
    const sold = await readSoldItems(tx, purchaseChanges)
    const items = new Map([...removed, ...sold])
    batch.events.push(purchaseEventsOf(purchaseChanges, items, at))
  }
  return decision
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
async function listDeletions(
  query: Query,
  isOlder: Sql,
  beforeMs: number,
): Promise<readonly Deletion[]> {
  // One millisecond earlier: a record with this timestamp is kept.
  const asOf: AsOf = { ms: beforeMs - 1, isArrival: false }
  const select = <Row>(columns: Sql, table: Sql) =>
    query<Row>`SELECT ${columns} FROM ${table} t WHERE ${isOlder} ORDER BY ${columns}`
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

async function writeDeletions(batch: Batch, deletions: readonly Deletion[]): Promise<Removal> {
  let removed = 0
  const retained: RetainedRecord[] = []
  for (const some of chunk(deletions, batchRecords)) {
    const { verdicts } = await decide(batch, some, await findExisting(batch, some))
    for (const [at, deletion] of some.entries()) {
      const verdict = verdicts[at]
      if (verdict === null) removed += 1
      // The deletion of a record that a newer push has updated since is outdated; the record is kept.
      else if (typeof verdict === "object") {
        const { code, params } = verdict
        retained.push({ ...identifyRecord(deletion), why: { code, params } })
      }
    }
  }
  return { removed, retained, excess: null }
}

const neededBy = { item: "account", purchase: "item" } as const

const selectNeeded = (condition: Sql, rowsMax: number) => tuples`
  SELECT kind, needs, count(*), min(since_ms) FROM pending_records
  WHERE ${condition} GROUP BY kind, needs ORDER BY 3 DESC, kind, needs LIMIT ${rowsMax}`

type NeededRow = readonly [kind: PendingKind, identity: string, records: number, sinceMs: number]

async function readPending(db: SqlDatabase, groupsMax: number): Promise<PendingSummary> {
  const kinds = await db.readLong<[kind: PendingKind, records: number, sinceMs: number]>(
    tuples`SELECT kind, count(*), min(since_ms) FROM pending_records GROUP BY kind`,
  )
  const records = { item: 0, purchase: 0 }
  for (const [kind, count] of kinds) records[kind] = count
  const groups = await db.readLong<NeededRow>(selectNeeded(sql`true`, groupsMax))
  return {
    items: records.item,
    purchases: records.purchase,
    sinceMs: kinds.length === 0 ? null : Math.min(...kinds.map(([, , sinceMs]) => sinceMs)),
    groups: groups.map(([kind, identity, records, sinceMs]) => {
      return { type: neededBy[kind], identity, records, sinceMs }
    }),
  }
}

type SnapshotSource = Readonly<{
  /** The SQL that sorts key ids by code point. */
  keyIdOrder: Sql
  readPages<Row>(select: Sql): AsyncGenerator<readonly Row[]>
  /** A page also ends at about `pageBytesMax` of bodies. */
  readLongRows<Row extends Readonly<{ body: string }>>(
    columns: Sql,
    body: Sql,
    from: Sql,
  ): AsyncGenerator<readonly Row[]>
  close(): Promise<void>
}>

export const pageRows = 1_000

export function createSnapshot(source: SnapshotSource): Snapshot {
  const { keyIdOrder, readPages, readLongRows, close } = source
  return {
    readAccounts: () =>
      readLongRows<Account>(feedAccountColumns, sql`body`, sql`accounts ORDER BY username`),
    readKeys: () =>
      mapPages(
        readPages<KeyRow<StoredKey>>(
          sql`${selectStoredKeys} ORDER BY a.username, k.created_at, ${keyIdOrder}`,
        ),
        (row) => toKey<StoredKey>(row),
      ),
    readItems: () =>
      readLongRows<Item & Readonly<{ author: string }>>(
        sql`i.id, i.account_id, i.is_hidden, i.body, i.download_url, a.username AS author`,
        sql`i.body`,
        sql`items i JOIN accounts a ON a.id = i.account_id ORDER BY i.id`,
      ),
    readPurchases: () =>
      readPages<PurchaseRecord>(sql`
        SELECT code, item_id, ${feedRevoked}, buyer, valid_until, site_limit, before_item, after_item
        FROM purchases ORDER BY folded, code`),
    readPending: () =>
      mapPages(
        readPages<PendingRow>(sql`
          SELECT kind, record, as_of, since_ms FROM pending_records ORDER BY kind, needs, identity`),
        fromPendingRow,
      ),
    close,
  }
}

async function* mapPages<Row, Mapped>(
  pages: AsyncGenerator<readonly Row[]>,
  map: (row: Row) => Mapped,
): AsyncGenerator<readonly Mapped[]> {
  for await (const page of pages) yield page.map(map)
}
