/** The shop's own database, read as of one moment. One adapter for each kind is beside this file. */
import { withTimeout } from "../domain/values/time/timers.ts"
import type { Row } from "./row-reader.ts"

/** Reads only: every adapter opens a transaction that cannot write. */
export interface Source {
  /** The database's own clock, read before the snapshot: what changes from then on is read next time. */
  readAt: Date
  /** Checks the SELECT without running it. `:since` is bound as a parameter. Throws SourceError. */
  prepare(sql: string): Promise<PreparedSelect>
  close(): Promise<void>
}

export interface PreparedSelect {
  columns: readonly string[]
  /**
   * The rows of the snapshot, a few hundred at a time. The database waits while the reader does. Values are
   * texts, numbers, booleans, bytes, or lists and objects where the database has them; a time
   * without a zone has none.
   */
  readRows(): AsyncIterable<readonly Row[]>
}

export type SourceOptions = Readonly<{
  since: LocalTimestamp
  idleTimeoutMs: number
}>

/** A moment on the clocks of the shop's time zone: `2024-04-27 15:00:00` at `+03:00`. */
export type LocalTimestamp = Readonly<{ text: string; offset: string }>

/** The database cannot be reached, or it refuses a statement. The message holds no secret. */
export class SourceError extends Error {
  override name = "SourceError"
}

/** `::since` is a cast. */
const parameter = /(?<![:\w]):since\b/g

export const countSince = (sql: string) => sql.match(parameter)?.length ?? 0

/** For databases without named parameters. */
export const replaceSince = (sql: string, by: string) => sql.replaceAll(parameter, () => by)

/** `found` is how many parameters the database has counted. Throws SourceError. */
export function checkParameters(found: number, expected: number): void {
  if (found === expected) return
  throw new SourceError("only :since is a parameter, and it must not be in quotes or in a comment")
}

const rowsAtOnce = 500
const bytesAtOnce = 8 * 1024 ** 2

/** Collects rows until there are enough of them, or bytes. */
export function createRowBatch() {
  let rows: Row[] = []
  let bytes = 0
  return {
    /** True when the batch is full. */
    add(row: Row): boolean {
      rows.push(row)
      bytes += sizeOf(row)
      return rows.length >= rowsAtOnce || bytes >= bytesAtOnce
    },
    take(): readonly Row[] {
      const taken = rows
      rows = []
      bytes = 0
      return taken
    },
  }
}

/** How many rows to read next, for a database that sends as many as it is asked for. */
export function chooseBatchSize(rows: readonly Row[]): number {
  const bytes = rows.reduce((total, row) => total + sizeOf(row), 1)
  const fitting = Math.floor((rows.length * bytesAtOnce) / bytes)
  return Math.max(1, Math.min(rowsAtOnce, 2 * rows.length, fitting))
}

const sizeOf = (row: Row) =>
  row.reduce<number>((total, value) => {
    const isLong = typeof value === "string" || value instanceof Uint8Array
    return total + (isLong ? value.length : 8)
  }, 0)

const silent = (silenceMsMax: number) =>
  new SourceError(`the database sent nothing for ${Math.round(silenceMsMax / 1000)} s`)

/** Throws SourceError when the answer takes longer than `silenceMsMax`. */
export async function withIdleTimeout<T>(work: Promise<T>, silenceMsMax: number): Promise<T> {
  return withTimeout(work, silenceMsMax, () => {
    throw silent(silenceMsMax)
  })
}

/**
 * Calls `onSilence` once nothing was heard for `silenceMsMax`, and at most twice as long. One timer for a whole
 * stream of rows, instead of one for each.
 */
export function startIdleTimer(silenceMsMax: number, onSilence: (error: SourceError) => void) {
  let isQuiet = false
  let isPaused = false
  const timer = setInterval(() => {
    if (isQuiet && !isPaused) onSilence(silent(silenceMsMax))
    isQuiet = true
  }, silenceMsMax)
  return {
    heard() {
      isQuiet = false
      isPaused = false
    },
    /** The reader is busy: silence does not count until the next `heard`. */
    pause() {
      isPaused = true
    },
    end: () => clearInterval(timer),
  }
}

/** The errors of a driver as SourceError. */
export async function wrapSourceErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw toSourceError(error)
  }
}

export function toSourceError(error: unknown): unknown {
  if (error instanceof SourceError || !(error instanceof Error)) return error
  // A refused connection to a name with several addresses has its reasons inside.
  const [first] = error instanceof AggregateError ? error.errors : []
  const message = error.message || (first instanceof Error ? first.message : error.name)
  return new SourceError(message, { cause: error })
}
