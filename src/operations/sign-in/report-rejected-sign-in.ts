import {
  type OnSignIn,
  type SignInOutcome,
  SignInRejected,
} from "../../domain/sign-in/sign-in-failures.ts"
import { DomainError } from "../../domain/values/error.ts"

export type Reporting = Readonly<{
  /** Called for rejections only; the caller reports successes, which also happen by invitations and links. */
  onSignIn: OnSignIn
}>

/**
 * Reports the rejection that `check` throws and rethrows it. All password and code checks use this function, so that
 * guesses are visible wherever they happen. `name` is null for an unknown name.
 */
export async function reportRejectedSignIn<T>(
  { onSignIn }: Reporting,
  { name, ipRange }: Readonly<{ name: string | null; ipRange: string }>,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    const outcome = rejectionOutcome(error)
    if (outcome !== null) await onSignIn(outcome, name, ipRange)
    throw error
  }
}

/** Null for other errors, which say nothing about the credentials. */
function rejectionOutcome(error: unknown): SignInOutcome | null {
  if (error instanceof DomainError) return error.reason === "account_suspended" ? "suspended" : null
  if (!(error instanceof SignInRejected)) return null
  return error.retryAfterSeconds > 0 ? "throttled" : "wrong"
}
