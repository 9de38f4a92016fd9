import { secondsBefore } from "../domain/date-arithmetic.ts"
import type { InvitationStore } from "../domain/invitation.ts"
import { type SessionStore, sessionIdleSeconds, sessionLifeSeconds } from "../domain/session.ts"
import type { SignInFailureStore } from "../domain/sign-in-failures.ts"
import { formatTimestamp } from "../domain/timestamp.ts"

export type Forgetting = Readonly<{
  sessions: Pick<SessionStore, "forget">
  invitations: Pick<InvitationStore, "forget">
  signInFailures: Pick<SignInFailureStore, "forget">
  now: () => Date
  /** Between two batches, so that requests are not held up. */
  pause(): Promise<void>
}>

/** An embedded store removes so many rows in about 3 ms, and answers no request meanwhile. */
export const batchRowsMax = 300

/** Removes all expired rows, in small batches. */
export async function forgetExpired(services: Forgetting): Promise<void> {
  const { sessions, invitations, signInFailures, now, pause } = services
  const idleSince = secondsBefore(now(), sessionIdleSeconds)
  const bornBefore = secondsBefore(now(), sessionLifeSeconds)
  const batches = [
    () => signInFailures.forget(now().getTime(), batchRowsMax),
    () => sessions.forget(idleSince, bornBefore, batchRowsMax),
    () => invitations.forget(formatTimestamp(now()), batchRowsMax),
  ]
  for (const forgetBatch of batches) {
    while ((await forgetBatch()) >= batchRowsMax) await pause()
  }
}
