import type { PasswordHasher, PasswordStore } from "../../domain/sign-in/password.ts"
import type { SessionStore } from "../../domain/sign-in/session.ts"
import type { SignInThrottle } from "../../domain/sign-in/sign-in-failures.ts"

export type PasswordConfirmation = Readonly<{
  passwords: Pick<PasswordStore, "find">
  sessions: Pick<SessionStore, "isKnownNetwork">
  hasher: PasswordHasher
  throttle: SignInThrottle
}>

/**
 * Verifies the password of a signed-in owner and returns its hash. Throws SignInRefused, as signing in
 * does.
 */
export async function confirmPassword(
  { passwords, sessions, hasher, throttle }: PasswordConfirmation,
  { id, name }: Readonly<{ id: number; name: string }>,
  network: string,
  password: string,
): Promise<string> {
  // A session may be used from any network, also by somebody who stole it.
  const isKnown = await sessions.isKnownNetwork(id, network)
  return throttle.attempt({ name, network, isKnown }, async () => {
    const hash = await passwords.find(id)
    return (await hasher.verify(password, hash)) ? hash : null
  })
}
