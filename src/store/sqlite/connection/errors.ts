/** Tells a database that cannot be used now from a bug of ours, and says what the operator can do. */
import { SQLiteError } from "bun:sqlite"
import { StoreMoved, StoreUnavailable } from "../../../domain/store.ts"

const hasCode = (error: unknown, pattern: RegExp) =>
  error instanceof SQLiteError && pattern.test(error.code ?? "")

/** Another connection holds the lock. */
export const isBusy = (error: unknown) => hasCode(error, /^SQLITE_BUSY/)

/** The file is no database, or its pages contradict each other. */
export const isCorrupt = (error: unknown) => hasCode(error, /^SQLITE_(NOTADB|CORRUPT)/)

/** The disk did not save a write. The system may since show bytes that are not on the disk. */
export const isDiskFailure = (error: unknown) => hasCode(error, /^SQLITE_IOERR_(DIR_)?FSYNC/)

const advices: readonly (readonly [codes: RegExp, advice: string])[] = [
  [/^SQLITE_FULL/, "Reads go on; writes work again once there is space."],
  [/^SQLITE_IOERR_(DIR_)?FSYNC/, "The disk could not save a write (fsync)."],
  [
    /^SQLITE_(IOERR_(WRITE|TRUNCATE|SHM)|READONLY|CANTOPEN)/,
    "Can files in its folder be written? The disk may be read-only, full or failing.",
  ],
]

/** A broken constraint is a bug and stays one; every other error of SQLite becomes StoreUnavailable. */
export function asUnavailable(error: unknown): unknown {
  // The only triggers that raise errors close a database for a move.
  if (error instanceof SQLiteError && error.code === "SQLITE_CONSTRAINT_TRIGGER") {
    return new StoreMoved(error.message, { cause: error })
  }
  if (!(error instanceof SQLiteError) || hasCode(error, /^SQLITE_CONSTRAINT/)) return error
  const [, advice] = advices.find(([codes]) => hasCode(error, codes)) ?? []
  const why = advice === undefined ? error.message : `${error.message}. ${advice}`
  return new StoreUnavailable(`the store cannot be used: ${why}`, { cause: error })
}

export const diskFailed = () =>
  new StoreUnavailable(
    "the disk could not save a write (fsync), so the store must be opened anew: start this process again",
  )
