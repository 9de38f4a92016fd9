import {
  type ApiKeyStore,
  hasRoomForReplacement,
  type KeyState,
  type KeyVault,
  type StoredKey,
  stateOf,
} from "../../domain/keys/api-key.ts"
import { RefusedError } from "../../domain/values/error.ts"
import { daySeconds, secondsAfter } from "../../domain/values/time/date-arithmetic.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { recordKeyEvent, type Trace } from "../record-event.ts"
import { createKey, type IssuedKey, resealIfRenamed } from "./issue-key.ts"

/** How long the old key works beside the new one. */
export const overlapSeconds = {
  "0": 0,
  "1h": 3600,
  "1d": daySeconds,
  "7d": 7 * daySeconds,
} as const
export type Overlap = keyof typeof overlapSeconds

export type Rotation = Trace & Readonly<{ keys: ApiKeyStore; vault: KeyVault }>

export class NoRoomForOverlap extends RefusedError {
  constructor({ username }: Pick<StoredKey, "username">) {
    super(`${username} has too many live keys; replace it without an overlap`)
  }
}

/**
 * The replacement has the old key's name, rights and expiry; an imported key is replaced by a secret key.
 * The old key works until the overlap ends, but never past its own expiry. A key is replaced once: its
 * expiry is then the end of the overlap, and a second replacement would inherit that.
 */
export async function rotateKey(
  services: Rotation,
  old: StoredKey,
  overlap: Overlap,
  id = services.vault.createKeyId(),
): Promise<IssuedKey> {
  const { keys, vault, now } = services
  const at = formatTimestamp(now())
  const refused = refusals[stateOf(old, at)]
  if (refused !== null) throw new RefusedError(`key ${old.id} ${refused}`)
  const kind = old.kind === "imported" ? "sk" : old.kind
  const account = { id: old.accountId, username: old.username }
  const issued = createKey(vault, account, { ...old, kind }, { id, createdAt: at })
  const overlapEnds = secondsAfter(now(), overlapSeconds[overlap])
  const endsAt = old.expiresAt !== null && old.expiresAt < overlapEnds ? old.expiresAt : overlapEnds
  if (!hasRoomForReplacement(await keys.list(old.accountId), at, endsAt)) {
    throw new NoRoomForOverlap(account)
  }
  // The store checks again, so that of two replacements at once one succeeds.
  if (!(await keys.replace(old.id, endsAt, issued.key))) {
    throw new RefusedError(`key ${old.id} ${refusals.ending}`)
  }
  await resealIfRenamed(services, issued)
  await recordKeyEvent(services, old, "replaced")
  return issued
}

const refusals: Readonly<Record<KeyState, string | null>> = {
  active: null,
  ending: "is replaced already; replace the one that took its place",
  revoked: "is revoked; create a new one",
  expired: "has expired; create a new one",
}
