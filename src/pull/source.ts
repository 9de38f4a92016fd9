/** A snapshot of the shop's database. Each kind of database has an adapter beside this file. */
import { withTimeout } from "../platform/timers.ts"
import type { Row } from "./row-reader.ts"

/** Every adapter opens a read-only transaction. */
export interface Source {
  /** The clock of the database, read before the snapshot: the next pull reads all later changes. */
  readAt: Date
  /** Checks the SELECT without running it. `:since` is bound as a parameter. Throws SourceError. */
  prepare(sql: string): Promise<PreparedSelect>
  close(): Promise<void>
}

export interface PreparedSelect {
  columns: readonly string[]
  /**
   * Returns the rows of the snapshot in batches, with backpressure. Values are strings, numbers, booleans, bytes, lists
   * or objects. Times without a zone stay without one.
   */
  readRows(): AsyncIterable<readonly Row[]>
}

export type SourceOptions = Readonly<{
  /** A local time in the shop's time zone: `2024-04-27 15:00:00` at `+03:00`. */
  since: Readonly<{ text: string; offset: string }>
  idleTimeoutMs: number
}>

/** The database is unreachable or rejects a statement. The message contains no secret. */
export class SourceError extends Error {
  override name = "SourceError"
}

/** Does not match `::since`, which is a cast. */
const parameter = /(?<![:\w]):since\b/g

export const countSince = (sql: string) => sql.match(parameter)?.length ?? 0

export const replaceSince = (sql: string, by: string) => sql.replaceAll(parameter, () => by)

/** `found` is the number of parameters that the database reports. Throws SourceError. */
export function checkParameters(found: number, expected: number): void {
  if (found === expected) return
  throw new SourceError("invalid parameter; use only :since, outside of quotes and comments")
}

const batchRowsMax = 500
const batchBytesMax = 8 * 1024 ** 2

export function createRowBatch() {
  let rows: Row[] = []
  let bytes = 0
  return {
    add(row: Row): boolean {
      rows.push(row)
      bytes += measureRow(row)
      return rows.length >= batchRowsMax || bytes >= batchBytesMax
    },
    take(): readonly Row[] {
      const taken = rows
      rows = []
      bytes = 0
      return taken
    },
  }
}

export function chooseBatchSize(rows: readonly Row[]): number {
  const bytes = rows.reduce((total, row) => total + measureRow(row), 1)
  const fitting = Math.floor((rows.length * batchBytesMax) / bytes)
  return Math.max(1, Math.min(batchRowsMax, 2 * rows.length, fitting))
}

const measureRow = (row: Row) =>
  row.reduce<number>((total, value) => {
    const isLong = typeof value === "string" || value instanceof Uint8Array
    return total + (isLong ? value.length : 8)
  }, 0)

const idleError = (timeoutMs: number) =>
  new SourceError(`the database sent no data for ${Math.round(timeoutMs / 1000)} s`)

export const withIdleTimeout = <T>(work: Promise<T>, timeoutMs: number): Promise<T> =>
  withTimeout(wrapSourceErrors(work), timeoutMs, () => {
    throw idleError(timeoutMs)
  })

/** Calls `onIdle` after one to two times `timeoutMs`: one timer is cheaper than a new one for each row. */
export function startIdleTimer(timeoutMs: number, onIdle: (error: SourceError) => void) {
  let isIdle = false
  let isPaused = false
  const timer = setInterval(() => {
    if (isIdle && !isPaused) onIdle(idleError(timeoutMs))
    isIdle = true
  }, timeoutMs)
  return {
    restart() {
      isIdle = false
      isPaused = false
    },
    /** For a busy reader: stops the timer until the next `restart`. */
    pause() {
      isPaused = true
    },
    stop: () => clearInterval(timer),
  }
}

export const wrapSourceErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw toSourceError(error)
  })

export function toSourceError(error: unknown): unknown {
  if (error instanceof SourceError || !(error instanceof Error)) return error
  // A failed connection to a host with several addresses is an AggregateError without a message.
  const [first] = error instanceof AggregateError ? error.errors : []
  const message = error.message || (first instanceof Error ? first.message : error.name)
  return new SourceError(message, { cause: error })
}
