import { isConfirmed } from "../../../domain/session.ts"
import { formatTimestamp } from "../../../domain/timestamp.ts"
import { confirmPassword } from "../../../operations/confirm-password.ts"
import { networkOfVisit } from "../../workspace/page-context.ts"
import { explainRefusal } from "../../workspace/password-words.ts"
import { type ConsoleContext, viewOf, visitorOf } from "../console-context.ts"
import type { PasswordAsk } from "../parts/confirm-change.tsx"
import type { ConsoleServices } from "../services.ts"

/** Before a change is asked for. */
export const passwordAskOf = (c: ConsoleContext, { now }: ConsoleServices): PasswordAsk => ({
  isAsked: !isConfirmed(visitorOf(c).session, now()),
  problem: null,
})

/**
 * Before a change is made. Null when the session was confirmed recently or the form holds the password: a stolen
 * cookie alone must not open every author's account.
 */
export async function refusePassword(
  c: ConsoleContext,
  { store, hasher, throttle, now }: ConsoleServices,
): Promise<PasswordAsk | null> {
  const { operator, session } = visitorOf(c)
  if (isConfirmed(session, now())) return null
  const { passwords, sessions } = store.operatorSignIn
  const confirmation = { passwords, sessions, hasher, throttle }
  try {
    const given = c.get("form").exact("password")
    await confirmPassword(confirmation, operator, networkOfVisit(c), given)
  } catch (error) {
    return { isAsked: true, problem: explainRefusal(viewOf(c).words, error) }
  }
  await sessions.confirm(session.id, formatTimestamp(now()))
  return null
}
