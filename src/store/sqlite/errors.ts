/** Tells a database that cannot be used now from a bug of ours. */
import { SQLiteError } from "bun:sqlite"
import { StoreUnavailable } from "../../domain/store.ts"

/** Another connection holds the lock. */
export const isBusy = (error: unknown) =>
  error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY") === true

/** The file is no database, or its pages contradict each other. */
export const isDamaged = (error: unknown) =>
  error instanceof SQLiteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code ?? "")

/** A broken constraint is a bug and stays one; every other error of SQLite becomes StoreUnavailable. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof SQLiteError) || error.code?.startsWith("SQLITE_CONSTRAINT")) return error
  return new StoreUnavailable(`the store cannot be used: ${error.message}`, { cause: error })
}
