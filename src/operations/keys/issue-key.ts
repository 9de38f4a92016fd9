import type { Account } from "../../domain/catalogue/account.ts"
import type { ItemStore } from "../../domain/catalogue/item.ts"
import type { ImportedKey } from "../../domain/feed/feed.ts"
import {
  type ApiKeyStore,
  hasRoomForReplacement,
  type IssuedKind,
  type KeyState,
  type KeyVault,
  keyNameCharactersMax,
  liveKeysMax,
  type StoredKey,
  stateOf,
} from "../../domain/keys/api-key.ts"
import { RefusedError } from "../../domain/values/error.ts"
import {
  daySeconds,
  formatTimestamp,
  secondsAfter,
  type Timestamp,
} from "../../domain/values/time/timestamp.ts"
import { type Recording, recordKeyEvent } from "../record-event.ts"
import { leakOf } from "./change-key.ts"

export type Issuing = Recording &
  Readonly<{ keys: ApiKeyStore; items: Pick<ItemStore, "find">; vault: KeyVault }>

export type KeyOptions = Readonly<{
  kind: IssuedKind
  name: string
  itemIds: readonly number[] | null
  /** False if it is left out. */
  isSiteRequired?: boolean
  expiresAt: Timestamp | null
}>

export class KeyLimitReached extends RefusedError {
  constructor({ username }: Pick<Account, "username">) {
    super(`${username} has ${liveKeysMax} live keys or more; revoke those that are not used`)
  }
}

/** A key and, this once, its secret. */
export type IssuedKey = Readonly<{ key: StoredKey; secret: string }>

export async function issueKey(
  services: Issuing,
  account: Pick<Account, "id" | "username">,
  options: KeyOptions,
  id = services.vault.createKeyId(),
): Promise<IssuedKey> {
  const { keys, items, vault, now } = services
  if ([...options.name].length > keyNameCharactersMax) {
    throw new RefusedError(`a key's name has at most ${keyNameCharactersMax} characters`)
  }
  if (options.itemIds !== null && options.kind !== "vk") {
    throw new RefusedError("only a validation key (vk) can be limited to chosen items")
  }
  if (options.isSiteRequired && options.kind !== "vk") {
    throw new RefusedError("only a validation key (vk) can require a site")
  }
  for (const id of options.itemIds ?? []) {
    if ((await items.find(account.id, id)) === null) {
      throw new RefusedError(`${account.username} has no item ${id}`)
    }
  }
  if (options.expiresAt !== null && options.expiresAt <= formatTimestamp(now())) {
    throw new RefusedError(`the expiry ${options.expiresAt} is already past`)
  }
  const issued = createKey(vault, account, options, { id, createdAt: formatTimestamp(now()) })
  if (!(await keys.insert(issued.key))) throw new KeyLimitReached(account)
  await resealIfRenamed(services, issued)
  await recordKeyEvent(services, issued.key, "created")
  return issued
}

/**
 * A sealed copy is bound to the name of its account, and a feed may have renamed the account while the
 * key was made. A later rename finds the key in the store and seals it anew.
 */
async function resealIfRenamed(
  { keys, vault }: Pick<Issuing, "keys" | "vault">,
  { key, secret }: IssuedKey,
): Promise<void> {
  const stored = await keys.find(key.id)
  if (stored === null || stored.username === key.username) return
  await keys.reseal(key.id, vault.seal(secret, stored))
}

export function createKey(
  vault: KeyVault,
  account: Pick<Account, "id" | "username">,
  { kind, name, itemIds, isSiteRequired = false, expiresAt }: KeyOptions,
  { id, createdAt }: Pick<StoredKey, "id" | "createdAt">,
): IssuedKey {
  const secret = vault.createSecret(kind)
  const { id: accountId, username } = account
  const lookup = vault.lookup(secret)
  const sealed = vault.seal(secret, { id, username, kind })
  const rights = { kind, name, itemIds, isSiteRequired, expiresAt }
  const key = { id, accountId, username, ...rights, lookup, sealed, createdAt }
  return { key: { ...key, revokedAt: null, replacedAt: null, replacedBy: null }, secret }
}

/** How long the old key works beside the new one. */
export const overlapSeconds = {
  "0": 0,
  "1h": 3600,
  "1d": daySeconds,
  "7d": 7 * daySeconds,
} as const
export type Overlap = keyof typeof overlapSeconds

/** The id of the new key, and whether the old one goes because others may know it. */
type Rotated = Readonly<{ id?: string; isLeaked?: boolean }>

type Rotation = Recording & Readonly<{ keys: ApiKeyStore; vault: KeyVault }>

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
  { id = services.vault.createKeyId(), isLeaked = false }: Rotated = {},
): Promise<IssuedKey> {
  const { keys, vault } = services
  const now = services.now()
  const at = formatTimestamp(now)
  const refused = refusals[stateOf(old, at)]
  if (refused !== null) throw new RefusedError(`key ${old.id} ${refused}`)
  const kind = old.kind === "imported" ? "sk" : old.kind
  const account = { id: old.accountId, username: old.username }
  const issued = createKey(vault, account, { ...old, kind }, { id, createdAt: at })
  const overlapEnds = secondsAfter(now, overlapSeconds[overlap])
  const endsAt = old.expiresAt !== null && old.expiresAt < overlapEnds ? old.expiresAt : overlapEnds
  if (!hasRoomForReplacement(await keys.list(old.accountId), at, endsAt)) {
    throw new NoRoomForOverlap(account)
  }
  // The store checks again, so that of two replacements at once one succeeds.
  if (!(await keys.replace(old.id, endsAt, issued.key, isLeaked ? leakOf(old, at) : null))) {
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

/** A key the operator's clients already use, made ready for the store. It may do what an `sk` may. */
export function importKey(
  vault: KeyVault,
  now: () => Date,
  username: string,
  secret: string,
): ImportedKey {
  const id = vault.createKeyId()
  const kind = "imported"
  return {
    id,
    username,
    kind,
    name: "Imported key",
    itemIds: null,
    lookup: vault.lookup(secret),
    lookups: vault.lookups(secret),
    sealed: vault.seal(secret, { id, username, kind }),
    createdAt: formatTimestamp(now()),
    expiresAt: null,
    revokedAt: null,
    replacedAt: null,
  }
}
