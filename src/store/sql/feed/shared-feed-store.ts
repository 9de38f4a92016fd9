/** Imports feeds. Each batch is read, decided and written in one transaction. */
import type { NewEvent } from "../../../domain/events/event.ts"
import {
  arrivalsOf,
  type Changes,
  type Decision,
  type ExistingRecords,
  listOverriddenChanges,
  type MovedItem,
  recordOf,
} from "../../../domain/feed/batch.ts"
import {
  addTally,
  countBefore,
  countChanges,
  type KindCounts,
  listPurchaseChanges,
  type MassGuardOptions,
  noRecords,
  noTally,
  openMassGuard,
  type Tally,
} from "../../../domain/feed/batch-changes.ts"
import { decideBatch } from "../../../domain/feed/batch-rules.ts"
import {
  type AsOf,
  aheadMsMax,
  type DatedKind,
  datedIdentityOf,
  type FeedRecord,
  type PendingGroup,
  type PendingKind,
  type PendingSummary,
  pendingRecordsMax,
  releasedRecords,
  type Verdict,
} from "../../../domain/feed/feed-record.ts"
import type {
  DryRun,
  FeedOrigin,
  FeedStore,
  FeedWriter,
  MovedKeys,
  Removal,
  RetainedRecord,
} from "../../../domain/feed/feed-store.ts"
import { mentionsOf } from "../../../domain/feed/mentions.ts"
import { chunk } from "../../../domain/values/chunk.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import {
  lockListeners,
  purchaseEventsOf,
  readSoldItems,
  writeEvents,
} from "../events/write-events.ts"
import {
  deleteRows,
  type Query,
  readRows,
  type SqlDatabase,
  type Transaction,
} from "../sql-database.ts"
import { sql } from "../statement.ts"
import { listPendingRecords, readExistingRecords } from "./existing-records.ts"
import {
  createImportRuns,
  deleteOldRuns,
  failureOf,
  finishRun,
  runsPerCleanup,
} from "./import-run-store.ts"
import { writeChanges } from "./write-changes.ts"

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
})

/** Imports without locking rows, without recording a run and without events. */
function openDryRun(db: DryRunDatabase, limits: MassGuardOptions): DryRun {
  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await db.query("SAVEPOINT batch")
    try {
      const result = await work(db)
      await db.query("RELEASE SAVEPOINT batch")
      return result
    } catch (error) {
      // A broken connection is already rolled back.
      await db.query("ROLLBACK TO SAVEPOINT batch").catch(() => {})
      throw error
    }
  }
  const feeds = { read: db.scan, transaction }
  const writer = openBatches(feeds, { source: "dry run", via: "file" }, true, limits, true)
  return { ...writer, countKeys: () => 0, async finish() {}, close: db.close }
}

const insertRun =
  "INSERT INTO imports (source, via, line, started_at) VALUES ($1, $2, $3, $4) RETURNING id"
const updateRun = "UPDATE imports SET line = $2 WHERE id = $1 RETURNING id"

function openBatches(
  { read, transaction, complete }: FeedDatabase,
  origin: FeedOrigin,
  isQuiet: boolean,
  limits: MassGuardOptions,
  isDryRun = false,
): FeedWriter {
  let tally = noTally
  const atStart = (now: KindCounts) => countBefore(now, tally)
  const guard = openMassGuard(limits, async () => atStart(await countRecords(read)))
  const startedAt = formatTimestamp(new Date())
  let runId: number | null = null
  let keys = 0
  let lastLine = 0
  const movedKeys: MovedKeys[] = []

  const find = (tx: Transaction, records: readonly FeedRecord[]) =>
    readExistingRecords(tx, mentionsOf(records), !isDryRun)

  async function decide(
    tx: Transaction,
    records: readonly FeedRecord[],
    found: ExistingRecords,
    batch: BatchResult,
  ) {
    const decision = await decideWithin(tx, records, found)
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
    await writeChanges(tx, written, overridden, origin.source, runId)
    if (isDryRun) movedKeys.push(...(await readMovedKeys(tx, changes.movedItems)))
    if (purchaseChanges.length > 0) {
      const sold = await readSoldItems(tx, purchaseChanges)
      const items = new Map([...removed, ...sold])
      batch.events.push(purchaseEventsOf(purchaseChanges, items, formatTimestamp(new Date())))
    }
    batch.keys += changes.newKeys.length
    return { ...decision, hasPending: found.hasPending || changes.pending.inserted.length > 0 }
  }
  async function record(tx: Transaction, line: number): Promise<number> {
    const [run] =
      runId === null
        ? await tx.query<{ id: number }>(insertRun, [origin.source, origin.via, line, startedAt])
        : await tx.query<{ id: number }>(updateRun, [runId, line])
    if (run === undefined) throw new Error("recording the import run returned no row")
    return run.id
  }
  async function changeWithin<T>(
    work: (tx: Transaction, batch: BatchResult) => Promise<T>,
  ): Promise<T> {
    const before = [runId, lastLine] as const
    try {
      const [result, batch] = await transaction(async (tx) => {
        // A retry of the first batch must insert the row of the run again.
        ;[runId, lastLine] = before
        const batch: BatchResult = { events: [], tally: noTally, keys: 0 }
        const result = await work(tx, batch)
        // All endpoints first, so that the order of locks does not depend on the batches.
        if (batch.events.length > 1) await lockListeners(tx, batch.events.flat())
        for (const events of batch.events) await writeEvents(tx, events)
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
  async function release(tx: Transaction, changes: Changes, batch: BatchResult): Promise<void> {
    const arrived = [...arrivalsOf(changes)]
    while (arrived.length > 0) {
      const needs = arrived.slice(0, needsPerQuery)
      const pending = await listPendingRecords(tx, needs, releasedRecords)
      const released = pending.map(recordOf)
      const decision =
        released.length === 0 ? null : await decide(tx, released, await find(tx, released), batch)
      // A record that is still rejected stays pending and is not retried.
      if (decision?.verdicts.includes(null)) arrived.push(...arrivalsOf(decision.changes))
      else arrived.splice(0, needsPerQuery)
    }
  }
  async function write(
    tx: Transaction,
    records: readonly FeedRecord[],
    found: ExistingRecords,
    batch: BatchResult,
  ): Promise<readonly Verdict[]> {
    const { verdicts, changes, hasPending } = await decide(tx, records, found, batch)
    if (hasPending) await release(tx, changes, batch)
    return verdicts
  }
  return {
    async put(records, line) {
      const [verdicts, split] = await changeWithin(async (tx, batch) => {
        runId = await record(tx, line)
        lastLine = line
        const found = await find(tx, records)
        const split = guard.split(records, found)
        const written = records.filter((_, index) => !split.isDeferred[index])
        const remaining = (await write(tx, written, found, batch)).values()
        const verdicts = split.isDeferred.map((isDeferred) =>
          isDeferred ? "deferred" : (remaining.next().value ?? null),
        )
        return [verdicts, split] as const
      })
      guard.keep(split)
      return verdicts
    },
    putDeferred: (records) =>
      changeWithin(async (tx, batch) => {
        const written = records.filter((record) => !guard.isOverruled(record))
        const remaining = (await write(tx, written, await find(tx, written), batch)).values()
        return records.map((record) =>
          guard.isOverruled(record) ? "repeated" : (remaining.next().value ?? null),
        )
      }),
    findExcess: guard.findExcess,
    finish: (outcome, problem = null) =>
      transaction(async (tx) => {
        // An empty feed has no batch that inserted the run.
        const id = runId ?? (await record(tx, 0))
        const at = formatTimestamp(new Date())
        await tx.query(...finishRun(id, at, outcome, problem))
        if (id % runsPerCleanup === 0) await tx.query(...deleteOldRuns)
        await complete?.(tx, lastLine)
        const failure = problem ?? outcome.removalProblem
        if (failure !== null) await writeEvents(tx, [failureOf(origin, at, failure)])
      }),
    async countPending() {
      const count = "SELECT count(*) AS records FROM pending_records WHERE run_id = $1"
      const [row] = await read<{ records: number }>(count, [runId])
      return row?.records ?? 0
    },
    async listNeeded(max) {
      const rows = await read<NeededRow>(`${selectNeeded("run_id = $1")} LIMIT $2`, [runId, max])
      return rows.map(({ kind, identity, records }) => ({
        type: neededBy[kind],
        identity,
        records,
      }))
    },
    countKeys: () => keys,
    listMovedKeys: () => movedKeys,
    countChanges: () => tally,
    countDeferred: guard.counted,
    async countOlder(beforeMs) {
      const older = await countRecords(read, beforeMs)
      return { totals: atStart(await countRecords(read)), older }
    },
    async removeOlder(beforeMs) {
      const deletions = await listOlder(read, beforeMs)
      const verdicts = await changeWithin(async (tx, batch) => {
        const decided: (readonly Verdict[])[] = []
        for (const some of chunk(deletions, batchRecords)) {
          decided.push((await decide(tx, some, await find(tx, some), batch)).verdicts)
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
): Promise<readonly MovedKeys[]> {
  const found = await readRows<MovedKeys["keys"][number] & { itemId: number }>(
    tx,
    [movedItems.map(({ id }) => id), [formatTimestamp(new Date())]],
    `SELECT m.item_id, k.name, k.last_used_at
     FROM moved_item_keys m JOIN items i ON i.id = m.item_id JOIN api_keys k ON k.id = m.key_id
     WHERE m.item_id ${tx.among("$1", "bigint")} AND m.revoked_at IS NULL
       AND k.account_id <> i.account_id AND k.revoked_at IS NULL
       AND (k.expires_at IS NULL OR k.expires_at > (${tx.each("$2", "text")}))
     ORDER BY k.created_at, k.serial`,
  )
  const keysOf = Map.groupBy(found, ({ itemId }) => itemId)
  return movedItems.flatMap(({ id: itemId, from, author: to }) => {
    const keys = keysOf.get(itemId)
    return keys === undefined ? [] : [{ itemId, from, to, keys }]
  })
}

type BatchResult = { events: (readonly NewEvent[])[]; tally: Tally; keys: number }

async function decideWithin(
  tx: Transaction,
  records: readonly FeedRecord[],
  found: ExistingRecords,
): Promise<Decision> {
  const nowMs = Date.now()
  const decision = decideBatch(records, found, nowMs)
  const { inserted } = decision.changes.pending
  if (inserted.length === 0) return decision
  const count = "SELECT count(*) AS records FROM pending_records"
  const [row] = await tx.query<{ records: number }>(count)
  const room = pendingRecordsMax - (row?.records ?? 0)
  return inserted.length <= room ? decision : decideBatch(records, found, nowMs, room)
}

/** Bounds the repeated queries while many records need the same record. */
const needsPerQuery = 100

/**
 * Records that a full sync does not contain are older than its start. A timestamp in the future, from a wrong clock, counts
 * as older: a record in the feed would have a new timestamp.
 */
const isOlder = "(t.as_of < $1 OR t.as_of > $2)"
const boundsOf = (beforeMs: number) => [beforeMs, Date.now() + aheadMsMax]

/** Counts stored and pending records, or those older than `beforeMs`. */
async function countRecords(query: Query, beforeMs: number | null = null): Promise<KindCounts> {
  const all = beforeMs === null ? [] : [isOlder]
  // Without a condition, because SQLite counts a whole table faster.
  const count = (table: string, ...conditions: readonly string[]) => {
    const where = [...all, ...conditions].join(" AND ")
    return `(SELECT count(*) FROM ${table} t ${where === "" ? "" : `WHERE ${where}`})`
  }
  const [counts] = await query<KindCounts>(
    `SELECT ${count("accounts")} AS account,
       ${count("items")} + ${count("pending_records", "kind = 'item'")} AS item,
       ${count("purchases")} + ${count("pending_records", "kind = 'purchase'")} AS purchase`,
    beforeMs === null ? [] : boundsOf(beforeMs),
  )
  return counts ?? noRecords
}

type Deletion = Extract<FeedRecord, { type: `deleted ${DatedKind}` }>

/** Pending records first, then children before parents. */
async function listOlder(query: Query, beforeMs: number): Promise<readonly Deletion[]> {
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
  const pending = await select<{ kind: string; identity: string }>(
    "kind, identity",
    "pending_records",
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
  return { removed, retained }
}

const neededBy = { item: "account", purchase: "item" } as const

/** The records that pending ones need, most needed first. */
const selectNeeded = (condition: string) =>
  `SELECT kind, needs AS identity, count(*) AS records, min(since_ms) AS since_ms FROM pending_records
   WHERE ${condition} GROUP BY kind, needs ORDER BY 3 DESC, kind, needs`

type Counted = Readonly<{ kind: PendingKind; records: number; sinceMs: number }>
type NeededRow = Counted & Pick<PendingGroup, "identity">

async function readPending(db: SqlDatabase, groupsMax: number): Promise<PendingSummary> {
  const kinds = await db.readLong<Counted>(
    `SELECT kind, count(*) AS records, min(since_ms) AS since_ms FROM pending_records GROUP BY kind`,
  )
  const recordsOf = (kind: PendingKind) => kinds.find((each) => each.kind === kind)?.records ?? 0
  const groups = await db.readLong<NeededRow>(`${selectNeeded("true")} LIMIT $1`, [groupsMax])
  return {
    items: recordsOf("item"),
    purchases: recordsOf("purchase"),
    sinceMs: kinds.length === 0 ? null : Math.min(...kinds.map(({ sinceMs }) => sinceMs)),
    groups: groups.map(({ kind, ...group }) => ({ type: neededBy[kind], ...group })),
  }
}
