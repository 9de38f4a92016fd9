import type { Reason } from "../../../sdk/src/wire.ts"

export type { Reason }

export type Failure = Exclude<Reason, "ok">

/** An expected failure: an ordinary "no" with its reason. Anything else that is thrown is a bug. */
export class DomainError extends Error {
  override name = "DomainError"
  readonly reason: Failure

  constructor(reason: Failure, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

/** A sealed copy does not open: it was sealed under another master key, for another owner, or damaged. */
export class DecryptionFailed extends Error {
  override name = "DecryptionFailed"

  constructor(options?: ErrorOptions) {
    super("the sealed copy does not open", options)
  }
}

/** A person asked for something that cannot be done; the message is written for them. */
export class UserError extends Error {
  override name = "UserError"
}

/** The code that an error of the operating system or of a driver carries, such as `ENOENT`. */
export function findErrorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error ? String(error.code) : null
}

export const hasErrorCode = (error: unknown, code: string) => findErrorCode(error) === code
