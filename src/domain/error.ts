/**
 * Every reason of an answer, as the header `Pazar-Reason` has it, untranslated. Programs compare them, so
 * a name here never changes.
 */
export type Reason =
  | "ok"
  | "missing_key"
  | "unknown_key"
  | "revoked_key"
  | "expired_key"
  | "key_not_allowed"
  | "missing_parameter"
  | "invalid_parameter"
  | "no_items"
  | "unknown_item"
  | "unknown_code"
  | "revoked_code"
  | "method_not_allowed"
  | "unknown_path"
  | "too_large"
  | "rate_limited"
  | "unavailable"

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
export class SealBroken extends Error {
  override name = "SealBroken"

  constructor(options?: ErrorOptions) {
    super("the sealed copy does not open", options)
  }
}

/** A person asked for something that cannot be done; the message is written for them. */
export class RefusedError extends Error {
  override name = "RefusedError"
}
