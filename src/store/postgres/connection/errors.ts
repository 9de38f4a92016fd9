import { StoreMoved, StoreUnavailable } from "../../../domain/store.ts"
import { findErrorCode } from "../../../domain/values/error.ts"

/** The server is shutting down, the connection broke, or the primary became a standby. */
export function isConnectionLost(error: unknown): boolean {
  const code = findErrorCode(error)
  if (code !== null) return /^(57P0[123]|08...|25006|ECONNRESET|EPIPE)$/.test(code)
  // The driver's error for a connection that the server closed has no code.
  return error instanceof Error && error.message === "Connection terminated unexpectedly"
}

/** A serialization failure or a deadlock: the transaction can be retried. */
export const isConflict = (error: unknown) => /^(40001|40P01)$/.test(findErrorCode(error) ?? "")

/** Other transactions held a lock for too long or changed the same rows. The database is writable. */
export const isContention = (error: unknown) =>
  /^(55P03|57014|40...)$/.test(findErrorCode(error) ?? "")

/** For work of the driver only: errors of the caller inside a transaction must be rethrown unchanged. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asUnavailable(error)
  }
}

/** The SQLSTATE of a write to a database that a move has closed. */
export const movedState = "PZ001"

/** A constraint violation is a bug and is returned unchanged. Every other error of the driver becomes StoreUnavailable. */
export function asUnavailable(error: unknown): unknown {
  const code = findErrorCode(error)
  if (code?.startsWith("23") === true || !(error instanceof Error)) return error
  if (code === movedState) return new StoreMoved(error.message, { cause: error })
  return new StoreUnavailable(`the database is unavailable: ${error.message}`, { cause: error })
}
