/**
 * Moves a store into one of the other kind, beside running servers. The old one notes what changes while it is
 * copied. Those changes are copied in rounds, the last of them while nobody else writes. Then the old store is closed and
 * the new one is complete. The databases have no transaction in common, so the old one is closed first: after a crash
 * between the two, running the move again completes the new one at once.
 */
import { StoreUnavailable } from "../../../domain/store.ts"
import { RefusedError } from "../../../domain/values/error.ts"
import { alreadyMoved, arrivedMark, incompleteMark, type MovedTo } from "./marks.ts"
import { type MovedTable, movedTables } from "./tables.ts"

/** Bytes are written as hexadecimal digits. */
export type Cell = string | number | boolean | null
/** The cells are in the order of the table's columns. */
export type Row = readonly Cell[]
/** A cell for each column of the table's key, as text. */
export type Key = readonly string[]

export type Column = Readonly<{ name: string; type: "text" | "integer" | "boolean" | "bytes" }>
/** `columns` are those of PostgreSQL, without generated ones. */
export type PlannedTable = MovedTable & Readonly<{ columns: readonly Column[] }>

export type Changes = readonly Readonly<{
  table: PlannedTable
  keys: readonly Key[]
  /** The rows of these keys that are left. */
  rows: readonly Row[]
}>[]

/** The keys whose rows go: of a table that others refer to, only those without a row, else all. */
export function listGone({ table, keys, rows }: Changes[number]): readonly Key[] {
  if (table.isReferredTo !== true) return keys
  const at = table.key.map((name) => table.columns.findIndex((column) => column.name === name))
  const left = new Set(rows.map((row) => JSON.stringify(at.map((each) => String(row[each])))))
  return keys.filter((key) => !left.has(JSON.stringify(key)))
}

export type TableRows = Readonly<{
  /** All rows of a table, in pages. */
  pages(table: PlannedTable): AsyncIterable<readonly Row[]>
}>

/** By table; null of an embedded store, which does not know which numbers are booleans. */
export type TableColumns = ReadonlyMap<string, readonly Column[]> | null

type Counts = ReadonlyMap<string, number>

/** The numbers that were given out, by table: none of them is given out again. */
export type LastNumbers = ReadonlyMap<string, number>

/** The old store while nobody else writes to it. */
export type HeldSource = Readonly<{
  takeChanges(): Promise<Changes>
  readLastNumbers(): Promise<LastNumbers>
  /** From now on every write is refused, with the new place. */
  close(movedTo: MovedTo): Promise<void>
  release(): Promise<void>
}>

export type MoveSource = Readonly<{
  place: string
  listColumns(): Promise<TableColumns>
  /** Null unless it was moved. */
  findMoved(): Promise<MovedTo | null>
  /** The servers that were seen lately. */
  listNodes(): Promise<readonly Readonly<{ url: string; version: string }>[]>
  /** Notes every change from now on. Notes of an earlier move are dropped. */
  noteChanges(plan: readonly PlannedTable[], id: string): Promise<void>
  openSnapshot(): Promise<TableRows & Readonly<{ close(): Promise<void> }>>
  /** The changes since the last call, all of one moment. Throws when another move has begun. */
  takeChanges(): Promise<Changes>
  /** The same, and how many rows there are at that moment. Others write while the rows are counted. */
  takeCounted(): Promise<Readonly<{ changes: Changes; counts: Counts }>>
  /** Waits for the writers of this moment. */
  hold(): Promise<HeldSource>
  forgetChanges(): Promise<void>
  close(): Promise<void>
}>

export type MoveTarget = TableRows &
  Readonly<{
    place: string
    listColumns(): Promise<TableColumns>
    /** Null also where there is no store. */
    findMark(name: string): Promise<string | null>
    /**
     * Creates the store, or empties what an incomplete move left. It is marked as incomplete until `complete`. Throws
     * RefusedError for a store with data.
     */
    begin(id: string): Promise<void>
    insert(table: PlannedTable, rows: readonly Row[]): Promise<void>
    /** All changes or none. */
    apply(changes: Changes): Promise<void>
    find(table: PlannedTable, keys: readonly Key[]): Promise<readonly Row[]>
    count(plan: readonly PlannedTable[]): Promise<Counts>
    /** Makes the indexes, when all rows are there. */
    settle(): Promise<void>
    putLastNumbers(numbers: LastNumbers): Promise<void>
    /** Power cuts do not undo it. Throws unless the store is that of this move. */
    complete(id: string): Promise<void>
    close(): Promise<void>
  }>

export type MoveStage = "copying" | "indexing" | "checking" | "catching up" | "counting" | "closing"

export type MoveOptions = Readonly<{
  /** The version of this program: servers of another one do not know that a store can be closed. */
  version: string
  now(): Date
  onProgress(stage: MoveStage, table: string, rows: number): Promise<void>
}>

export type Moved = Readonly<{
  from: string
  to: string
  counts: Counts
  seconds: number
  /** How long nobody could write. */
  stoppedSeconds: number
}>

async function planMove(source: MoveSource, target: MoveTarget): Promise<readonly PlannedTable[]> {
  const columns = (await source.listColumns()) ?? (await target.listColumns())
  return movedTables.map((table) => ({ ...table, columns: columns?.get(table.name) ?? [] }))
}

export async function move(
  source: MoveSource,
  target: MoveTarget,
  options: MoveOptions,
): Promise<Moved> {
  const startedAt = performance.now()
  const moved = await source.findMoved()
  if (moved !== null) return moveAgain(source, target, moved, startedAt)
  assertKnown(await source.listNodes(), options.version)
  const id = crypto.randomUUID()
  await target.begin(id)
  const plan = await planMove(source, target)
  await source.noteChanges(plan, id)
  const digests = await copyAll(source, target, plan, options)
  await options.onProgress("indexing", "", 0)
  await target.settle()
  await compareDigests(target, digests, options)
  await catchUp(source, target, options)
  await options.onProgress("counting", "", 0)
  await compareCounts(source, target, plan)
  await catchUp(source, target, options)
  await options.onProgress("closing", "", 0)
  const stoppedSeconds = await finish(source, target, id, options)
  await source.forgetChanges()
  const counts = await target.count(plan)
  return summarise(source, target, counts, startedAt, stoppedSeconds)
}

/** A move that was interrupted after it had closed the old store. */
async function moveAgain(
  source: MoveSource,
  target: MoveTarget,
  moved: MovedTo,
  startedAt: number,
): Promise<Moved> {
  if ((await target.findMark(incompleteMark)) === moved.id) await target.complete(moved.id)
  else if ((await target.findMark(arrivedMark)) !== moved.id) {
    throw alreadyMoved(moved)
  }
  await source.forgetChanges()
  const counts = await target.count(await planMove(source, target))
  return summarise(source, target, counts, startedAt, 0)
}

const summarise = (
  { place: from }: MoveSource,
  { place: to }: MoveTarget,
  counts: Counts,
  startedAt: number,
  stoppedSeconds: number,
): Moved => ({ from, to, counts, seconds: secondsSince(startedAt), stoppedSeconds })

const secondsSince = (ms: number) => Math.round(performance.now() - ms) / 1000

function assertKnown(
  nodes: readonly Readonly<{ url: string; version: string }>[],
  version: string,
): void {
  const other = nodes.find((node) => node.version !== version)
  if (other === undefined) return
  throw new RefusedError(
    `the server at ${other.url} runs version ${other.version}, this is ${version}: upgrade it before you move the store`,
  )
}

/** Of the rows of a table in any order: the sum of their hashes. */
type Digest = { rows: number; sum: bigint }

function addRows(digest: Digest, rows: readonly Row[]): void {
  digest.rows += rows.length
  for (const row of rows) digest.sum += BigInt(Bun.hash(JSON.stringify(row)))
}

type Digests = ReadonlyMap<PlannedTable, Digest>

async function copyAll(
  source: MoveSource,
  target: MoveTarget,
  plan: readonly PlannedTable[],
  { onProgress }: MoveOptions,
): Promise<Digests> {
  const digests = new Map<PlannedTable, Digest>()
  const snapshot = await source.openSnapshot()
  try {
    for (const table of plan) {
      const digest = { rows: 0, sum: 0n }
      digests.set(table, digest)
      // The next page is read while this one is written.
      let writing = Promise.resolve()
      for await (const rows of snapshot.pages(table)) {
        addRows(digest, rows)
        await writing
        writing = target.insert(table, rows)
        await onProgress("copying", table.name, digest.rows)
      }
      await writing
    }
  } finally {
    await snapshot.close()
  }
  return digests
}

/** Reads all that was written, as another program would. */
async function compareDigests(
  target: MoveTarget,
  digests: Digests,
  { onProgress }: MoveOptions,
): Promise<void> {
  for (const [table, read] of digests) {
    const written = { rows: 0, sum: 0n }
    for await (const rows of target.pages(table)) {
      addRows(written, rows)
      await onProgress("checking", table.name, written.rows)
    }
    if (written.sum !== read.sum || written.rows !== read.rows) throw differs(table)
  }
}

const differs = ({ name }: MovedTable) =>
  new StoreUnavailable(
    `the rows of ${name} differ from those that were read. Nothing was changed in the old store: run \`pazar move\` again`,
  )

/** Fewer changes than this take well under a second while nobody can write. */
const fewChanges = 2_000
const roundsMax = 20

async function catchUp(
  source: MoveSource,
  target: MoveTarget,
  { onProgress }: MoveOptions,
): Promise<void> {
  for (let round = 0; round < roundsMax; round += 1) {
    const changes = await source.takeChanges()
    await applyChecked(target, changes)
    const changed = changes.reduce((sum, { keys }) => sum + keys.length, 0)
    await onProgress("catching up", "", changed)
    if (changed <= fewChanges) return
  }
}

async function applyChecked(target: MoveTarget, changes: Changes): Promise<void> {
  await target.apply(changes)
  for (const { table, keys, rows } of changes) {
    const found = await target.find(table, keys)
    const [wanted, written] = [rows, found].map((each) => each.map((row) => JSON.stringify(row)))
    if (wanted?.toSorted().join() !== written?.toSorted().join()) throw differs(table)
  }
}

/** Before the stop: counting tens of millions takes seconds. */
async function compareCounts(
  source: MoveSource,
  target: MoveTarget,
  plan: readonly PlannedTable[],
): Promise<void> {
  const { changes, counts } = await source.takeCounted()
  await applyChecked(target, changes)
  const written = await target.count(plan)
  const different = plan.find(({ name }) => counts.get(name) !== written.get(name))
  if (different !== undefined) throw differs(different)
}

/** Returns the seconds in which nobody could write. */
async function finish(
  source: MoveSource,
  target: MoveTarget,
  id: string,
  { now }: MoveOptions,
): Promise<number> {
  const held = await source.hold()
  const heldAt = performance.now()
  try {
    await applyChecked(target, await held.takeChanges())
    await target.putLastNumbers(await held.readLastNumbers())
    if ((await target.findMark(incompleteMark)) !== id) throw anotherMove()
    await held.close({ id, place: target.place, at: now().toISOString() })
    await target.complete(id)
    return secondsSince(heldAt)
  } catch (error) {
    await held.release()
    throw error
  }
}

export const anotherMove = () =>
  new RefusedError("another move of this store has begun meanwhile; this one ends")
