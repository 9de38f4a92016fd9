import type { Reason } from "../../sdk/src/wire.ts"

export type { Reason }
export type Failure = Exclude<Reason, "ok">

/** An expected failure with its error code. Anything else that is thrown is a bug. */
export class DomainError extends Error {
  override name = "DomainError"
  readonly reason: Failure

  constructor(reason: Failure, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

/** The ciphertext is damaged, or was encrypted under another master key or for another owner. */
export class DecryptionFailed extends Error {
  override name = "DecryptionFailed"

  constructor(options?: ErrorOptions) {
    super("decryption failed; the master key is wrong or the data is damaged", options)
  }
}

/** A person requested something that cannot be done. The message is written for them. */
export class UserError extends Error {
  override name = "UserError"
}

export function findErrorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error ? String(error.code) : null
}

export const hasErrorCode = (error: unknown, code: string) => findErrorCode(error) === code

/** The store did not respond, so the result is unknown. A retry may succeed. */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable"
}

/** No database server responds, but one may soon: it is down, starting or out of connections. */
export class StoreUnreachable extends StoreUnavailable {
  override name = "StoreUnreachable"
}
