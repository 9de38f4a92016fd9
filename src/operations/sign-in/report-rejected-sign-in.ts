import {
  type OnSignIn,
  type SignInOutcome,
  SignInRejected,
} from "../../domain/sign-in/sign-in-failures.ts"
import { DomainError } from "../../domain/values/error.ts"

export type Reporting = Readonly<{
  /** Told of refusals; the caller tells of successes, which also come by invitations and links. */
  onSignIn: OnSignIn
}>

/**
 * Reports the refusal that `judge` throws, and throws it again. Every place that asks for a password or a code goes
 * through here, so that guesses are seen wherever they are made. `name` is null for a name that nobody has.
 */
export async function reportRejectedSignIn<T>(
  { onSignIn }: Reporting,
  { name, ipRange }: Readonly<{ name: string | null; ipRange: string }>,
  judge: () => Promise<T>,
): Promise<T> {
  try {
    return await judge()
  } catch (error) {
    const outcome = rejectionOutcome(error)
    if (outcome !== null) await onSignIn(outcome, name, ipRange)
    throw error
  }
}

/** Null for a fault, which says nothing about the name, the password or the code. */
function rejectionOutcome(error: unknown): SignInOutcome | null {
  if (error instanceof DomainError) return error.reason === "account_suspended" ? "suspended" : null
  if (!(error instanceof SignInRejected)) return null
  return error.retryAfterSeconds > 0 ? "throttled" : "wrong"
}
