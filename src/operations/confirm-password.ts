import type { Account } from "../domain/account.ts"
import type { PasswordHasher, PasswordStore } from "../domain/password.ts"
import type { SignInThrottle } from "../domain/sign-in-failures.ts"

export type PasswordConfirmation = Readonly<{
  passwords: Pick<PasswordStore, "find">
  hasher: PasswordHasher
  throttle: SignInThrottle
}>

/**
 * Asks somebody who is signed in once more, and answers with the hash of the password that they know.
 * Throws SignInRefused, as signing in does.
 */
export async function confirmPassword(
  { passwords, hasher, throttle }: PasswordConfirmation,
  { id, username }: Account,
  network: string,
  password: string,
): Promise<string> {
  // Signed in from there, so known: somebody else's guessing does not hold them up.
  const source = { name: username, network, isKnown: true }
  return throttle.attempt(source, async () => {
    const hash = await passwords.find(id)
    return (await hasher.verify(password, hash)) ? hash : null
  })
}
