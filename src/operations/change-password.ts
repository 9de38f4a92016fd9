import type { Account } from "../domain/account.ts"
import { hashNewPassword, type PasswordSetting } from "./set-password.ts"
import { type SessionStart, type SignedIn, startSession, type Visit } from "./start-session.ts"

/**
 * Sets a new password and starts a session; null when another change came first. `knownHash` is null for an
 * author who has no password yet.
 */
export async function changePassword(
  services: PasswordSetting & SessionStart,
  account: Account,
  change: Readonly<{ knownHash: string | null; password: string }>,
  from: Visit,
): Promise<SignedIn | null> {
  const hash = await hashNewPassword(services.hasher, account, change.password)
  const isChanged = await services.passwords.replace(account.id, change.knownHash, hash)
  // The change ended every session, this one too: the author gave the password and gets a new one.
  return isChanged ? startSession(services, account, hash, from) : null
}
