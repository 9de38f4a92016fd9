import type { Account } from "../domain/account.ts"
import {
  type PasswordHasher,
  type PasswordStore,
  SignInRefused,
  type SignInThrottle,
} from "../domain/session.ts"

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
  const secondsToWait = throttle.secondsToWait(source)
  if (secondsToWait > 0) throw new SignInRefused(secondsToWait)
  if (await hasher.verify(password, await passwords.find(id))) return
  throttle.noteFailure(source)
  throw new SignInRefused(0)
}
