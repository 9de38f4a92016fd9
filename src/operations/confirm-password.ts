import type { Account } from "../domain/account.ts"
import type { PasswordHasher, PasswordStore } from "../domain/session.ts"
import type { SignInThrottle } from "../domain/sign-in-failures.ts"

export type PasswordConfirmation = Readonly<{
  passwords: Pick<PasswordStore, "find">
  hasher: PasswordHasher
  throttle: SignInThrottle
}>

/** Asks somebody who is signed in once more. Throws SignInRefused, as signing in does. */
export async function confirmPassword(
  { passwords, hasher, throttle }: PasswordConfirmation,
  { id, username }: Account,
  network: string,
  password: string,
): Promise<void> {
  // Signed in from there, so known: somebody else's guessing does not hold them up.
  const source = { name: username, network, isKnown: true }
  await throttle.attempt(source, async () =>
    (await hasher.verify(password, await passwords.find(id))) ? true : null,
  )
}
