import type { Owners } from "./owners.ts"
import { hashNewPassword, type PasswordSetting } from "./set-password.ts"
import { type SessionStart, type SignedIn, startSession, type Visit } from "./start-session.ts"

/**
 * Sets a new password and starts a session; null when another change came first. `knownHash` is null for an
 * owner who has no password yet.
 */
export async function changePassword<Owner extends { id: number }>(
  services: PasswordSetting & SessionStart,
  { namesOf }: Pick<Owners<Owner>, "namesOf">,
  owner: Owner,
  change: Readonly<{ knownHash: string | null; password: string }>,
  from: Visit,
): Promise<SignedIn<Owner> | null> {
  const hash = await hashNewPassword(services.hasher, namesOf(owner), change.password)
  const isChanged = await services.passwords.replace(owner.id, change.knownHash, hash)
  // The change ended every session, this one too: the owner gave the password and gets a new one.
  return isChanged ? startSession(services, owner, hash, from) : null
}
