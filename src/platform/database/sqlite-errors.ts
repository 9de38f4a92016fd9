import { SQLiteError } from "bun:sqlite"
import { StoreUnavailable } from "../error.ts"

const hasCode = (error: unknown, pattern: RegExp) =>
  error instanceof SQLiteError && pattern.test(error.code ?? "")

export const isBusy = (error: unknown) => hasCode(error, /^SQLITE_BUSY/)

export const isCorrupt = (error: unknown) => hasCode(error, /^SQLITE_(NOTADB|CORRUPT)/)

/** After a failed fsync the system may return bytes that are not on the disk. */
export const isDiskFailure = (error: unknown) => hasCode(error, /^SQLITE_IOERR_(DIR_)?FSYNC/)

const remedies: readonly (readonly [codes: RegExp, remedy: string])[] = [
  [/^SQLITE_FULL/, "reads continue; free disk space to enable writes"],
  [/^SQLITE_IOERR_(DIR_)?FSYNC/, "the disk could not save a write (fsync)"],
  [
    /^SQLITE_(IOERR_(WRITE|TRUNCATE|SHM)|READONLY|CANTOPEN)/,
    "check that its folder is writable and that the disk is not read-only, full or failing",
  ],
]

/** A constraint violation is a bug and is returned unchanged. Every other error of SQLite becomes StoreUnavailable. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof SQLiteError) || hasCode(error, /^SQLITE_CONSTRAINT/)) return error
  const [, remedy] = remedies.find(([codes]) => hasCode(error, codes)) ?? []
  const problem = remedy === undefined ? error.message : `${error.message}; ${remedy}`
  return new StoreUnavailable(`the database is unavailable: ${problem}`, { cause: error })
}

export const diskFailed = () =>
  new StoreUnavailable(
    "the disk could not save a write (fsync); restart this process to open the database again",
  )
