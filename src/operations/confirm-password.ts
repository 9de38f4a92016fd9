import type { PasswordHasher, PasswordStore } from "../domain/password.ts"
import type { SignInThrottle } from "../domain/sign-in-failures.ts"

export type PasswordConfirmation = Readonly<{
  passwords: Pick<PasswordStore, "find">
  hasher: PasswordHasher
  throttle: SignInThrottle
}>

/**
 * Verifies the password of a signed-in owner and returns its hash. Throws SignInRefused, as signing in
 * does.
 */
export async function confirmPassword(
  { passwords, hasher, throttle }: PasswordConfirmation,
  { id, name }: Readonly<{ id: number; name: string }>,
  network: string,
  password: string,
): Promise<string> {
  // The owner is signed in from this network, so it is known: guesses from elsewhere do not count here.
  const source = { name, network, isKnown: true }
  return throttle.attempt(source, async () => {
    const hash = await passwords.find(id)
    return (await hasher.verify(password, hash)) ? hash : null
  })
}
