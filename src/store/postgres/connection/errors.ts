/** Tells a database that cannot be used now from a bug of ours. */
import { StoreMoved, StoreUnavailable } from "../../../domain/store.ts"
import { findErrorCode } from "../../../domain/values/error.ts"

/** The server shuts down, the connection broke, or the primary has become a standby. */
export function isConnectionLost(error: unknown): boolean {
  const code = findErrorCode(error)
  if (code !== null) return /^(57P0[123]|08...|25006|ECONNRESET|EPIPE)$/.test(code)
  // The driver's error for a connection that the other side closed has no code.
  return error instanceof Error && error.message === "Connection terminated unexpectedly"
}

/** A serialization failure or a deadlock: the transaction can run again. */
export const isConflict = (error: unknown) => /^(40001|40P01)$/.test(findErrorCode(error) ?? "")

/** Others held a lock for too long, or changed the same rows. The database itself can be written. */
export const isHeldUp = (error: unknown) => /^(55P03|57014|40...)$/.test(findErrorCode(error) ?? "")

/** Only for work of the driver: an error that our own code throws inside a transaction stays as it is. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asUnavailable(error)
  }
}

/** The SQLSTATE of a write to a database that was closed for a move. */
export const movedState = "PZ001"

/** A broken constraint is a bug and stays one; every other error of the driver becomes StoreUnavailable. */
export function asUnavailable(error: unknown): unknown {
  const code = findErrorCode(error)
  if (code?.startsWith("23") === true || !(error instanceof Error)) return error
  if (code === movedState) return new StoreMoved(error.message, { cause: error })
  return new StoreUnavailable(`the store cannot be used: ${error.message}`, { cause: error })
}
