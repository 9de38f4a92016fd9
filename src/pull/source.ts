/** The shop's own database, read as of one moment. One adapter for each kind is beside this file. */
import { withTimeout } from "../domain/values/time/timers.ts"
import type { Row } from "./row-reader.ts"

/** Reads only: every adapter opens a transaction that cannot write. */
export interface Source {
  /** The database's own clock, read before the snapshot: what changes from then on is read next time. */
  readAt: Date
  /**
   * Checks the SELECT without running it. `parts` are the texts around each `:since`, which is bound
   * as a parameter. Throws SourceError.
   */
  prepare(parts: readonly string[]): Promise<PreparedSelect>
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
  since: LocalMoment
  silenceMsMax: number
}>

/** A moment on the clocks of the shop's time zone: `2024-04-27 15:00:00` at `+03:00`. */
export type LocalMoment = Readonly<{ text: string; offset: string }>

/** The database cannot be reached, or it refuses a statement. The message holds no secret. */
export class SourceError extends Error {
  override name = "SourceError"
}

export const rowsAtOnce = 500

const silent = (silenceMsMax: number) =>
  new SourceError(`the database sent nothing for ${Math.round(silenceMsMax / 1000)} s`)

/** Throws SourceError when the answer takes longer than `silenceMsMax`. */
export async function beforeSilence<T>(work: Promise<T>, silenceMsMax: number): Promise<T> {
  return withTimeout(work, silenceMsMax, () => {
    throw silent(silenceMsMax)
  })
}

/**
 * Calls `onSilence` once nothing was heard for `silenceMsMax`, and at most twice as long. One timer for a whole
 * stream of rows, instead of one for each.
 */
export function watchSilence(silenceMsMax: number, onSilence: (error: SourceError) => void) {
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
export async function asSourceErrors<T>(work: Promise<T>): Promise<T> {
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
