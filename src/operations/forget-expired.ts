import {
  type InvitationStore,
  type SessionStore,
  sessionIdleSeconds,
  sessionLifeSeconds,
} from "../domain/session.ts"
import type { SignInFailureStore } from "../domain/sign-in-failures.ts"
import { formatTimestamp } from "../domain/timestamp.ts"
import type { UsageStore } from "../domain/usage.ts"
import { ago } from "./find-session.ts"

export type Forgetting = Readonly<{
  sessions: Pick<SessionStore, "forget">
  invitations: Pick<InvitationStore, "forget">
  signInFailures: Pick<SignInFailureStore, "forget">
  usage: Pick<UsageStore, "thin">
  now: () => Date
  /** Between two batches, so that requests are not held up. */
  pause(): Promise<void>
}>

/** An embedded store removes these in about 3 ms, and answers no request meanwhile. */
const batchRowsMax = 300

/** Removes what has expired, however much it is, in small batches. */
export async function forgetExpired(services: Forgetting): Promise<void> {
  const { sessions, invitations, signInFailures, now, pause } = services
  const [idleSince, bornBefore] = [ago(sessionIdleSeconds, now), ago(sessionLifeSeconds, now)]
  const batches = [
    () => signInFailures.forget(now().getTime(), batchRowsMax),
    () => sessions.forget(idleSince, bornBefore, batchRowsMax),
    () => invitations.forget(formatTimestamp(now()), batchRowsMax),
  ]
  for (const forgetBatch of batches) {
    while ((await forgetBatch()) >= batchRowsMax) await pause()
  }
}

/** Goes through the usage of all keys, in small batches. */
export async function thinUsage({ usage, now, pause }: Forgetting): Promise<void> {
  const at = formatTimestamp(now())
  let after = await usage.thin(at, "", batchRowsMax)
  while (after !== null) {
    await pause()
    after = await usage.thin(at, after, batchRowsMax)
  }
}
