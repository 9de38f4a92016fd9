import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import type { Inviting } from "./invite-account.ts"
import type { Owners } from "./owners.ts"
import { hashNewPassword, type PasswordSetting } from "./set-password.ts"
import { type SessionStart, type SignedIn, startSession, type Visit } from "./start-session.ts"

/**
 * Null when the link is unknown, used or expired. Choosing a password uses it up. Throws
 * `account_suspended`; the link works again when the account is resumed in time.
 */
export async function findInvited<Owner extends { id: number }>(
  { invitations, tokens, now }: Inviting,
  owners: Owners<Owner>,
  token: string,
): Promise<Owner | null> {
  const ownerId = await invitations.find(tokens.digest(token), formatTimestamp(now()))
  return ownerId === null ? null : owners.find(ownerId)
}

/**
 * Sets the password of whom the link invites, which uses it up. Null as for `findInvited`. Hashing is
 * slow, so the link is checked again after it: of two uses at once one succeeds.
 */
export async function setInvitedPassword<Owner extends { id: number }>(
  services: Inviting & Pick<PasswordSetting, "hasher">,
  owners: Owners<Owner>,
  token: string,
  password: string,
): Promise<Readonly<{ owner: Owner; hash: string }> | null> {
  const { hasher, invitations, tokens, now } = services
  const invited = await findInvited(services, owners, token)
  if (invited === null) return null
  const hash = await hashNewPassword(hasher, owners.namesOf(invited), password)
  const ownerId = await invitations.accept(tokens.digest(token), formatTimestamp(now()), hash)
  const owner = ownerId === null ? null : await owners.find(ownerId)
  return owner && { owner, hash }
}

/** The same, and signs the owner in. */
export async function acceptInvitation<Owner extends { id: number }>(
  services: Inviting & Pick<PasswordSetting, "hasher"> & SessionStart,
  owners: Owners<Owner>,
  token: string,
  password: string,
  from: Visit,
): Promise<SignedIn<Owner> | null> {
  const set = await setInvitedPassword(services, owners, token, password)
  return set && startSession(services, set.owner, set.hash, from)
}
