import { requireRight } from "../access/actor.ts"
import type { AuditAction, Recording } from "../access/audit-event.ts"
import { createEvent, tallyPerMinute } from "../access/audit-operations.ts"
import { type Overlap, overlapSeconds } from "../access/rotation-overlap.ts"
import type { Account } from "../accounts/account.ts"
import type { IssuedKind, KeyScope } from "../contract/operation.ts"
import { UserError } from "../platform/error.ts"
import { formatTimestamp, lastRange, secondsAfter, type Timestamp } from "../platform/time.ts"
import { ipRangeDays, isShipped, manyIpRanges, type UsageStore } from "../usage/usage.ts"
import { type NewEvent, renderData } from "../webhooks/webhook.ts"
import {
  type ApiKeyStore,
  couldBeKey,
  extractSecret,
  hasRoomForReplacement,
  type ImportedKey,
  isLive,
  type KeyCipher,
  type KeySearch,
  type KeyState,
  keyNameCharactersMax,
  liveKeysMax,
  type StoredKey,
  stateOf,
  type WidelyUsedKey,
} from "./key.ts"

type KeyServices = Readonly<{
  keys: ApiKeyStore
  usage: UsageStore
  keyCipher: KeyCipher
  now: () => Date
}>
export type Issuing = Recording &
  Pick<KeyServices, "keys" | "keyCipher"> &
  Readonly<{ items: OwnItems }>

/** The store of items: those that a key is limited to must be the account's own. */
type OwnItems = Readonly<{ find(accountId: number, id: number): Promise<unknown> }>

export type KeyOptions = Readonly<{
  kind: IssuedKind
  name: string
  itemIds: readonly number[] | null
  isSiteRequired?: boolean
  scope?: KeyScope | null
  expiresAt: Timestamp | null
}>

export class KeyLimitReached extends UserError {
  constructor({ username }: Pick<Account, "username">) {
    super(`account ${username} has ${liveKeysMax} active keys or more; revoke unused ones`)
  }
}

export type IssuedKey = Readonly<{ key: StoredKey; secret: string }>

export async function issueKey(
  services: Issuing,
  account: Pick<Account, "id" | "username">,
  options: KeyOptions,
  id = services.keyCipher.createKeyId(),
): Promise<IssuedKey> {
  const { keys, items, keyCipher, now } = services
  requireRight(services.actor, "secrets")
  if ([...options.name].length > keyNameCharactersMax) {
    throw new UserError(`the name of a key must have at most ${keyNameCharactersMax} characters`)
  }
  if (options.itemIds !== null && options.kind !== "vk") {
    throw new UserError("items are for validation keys only; set --kind vk")
  }
  if (options.isSiteRequired && options.kind !== "vk") {
    throw new UserError("a required site is for validation keys only; set --kind vk")
  }
  if (options.scope && options.kind !== "sk") {
    throw new UserError("a scope is for secret keys only; set --kind sk")
  }
  for (const id of options.itemIds ?? []) {
    if ((await items.find(account.id, id)) === null) {
      throw new UserError(`account ${account.username} has no item ${id}`)
    }
  }
  if (options.expiresAt !== null && options.expiresAt <= formatTimestamp(now())) {
    throw new UserError(`the expiry ${options.expiresAt} must be in the future`)
  }
  const issued = createKey(keyCipher, account, options, { id, createdAt: formatTimestamp(now()) })
  if (!(await keys.insert(issued.key))) throw new KeyLimitReached(account)
  await recordKeyEvent(services, issued.key, "created")
  return issued
}

function createKey(
  keyCipher: KeyCipher,
  account: Pick<Account, "id" | "username">,
  { kind, name, itemIds, isSiteRequired = false, scope = null, expiresAt }: KeyOptions,
  { id, createdAt }: Pick<StoredKey, "id" | "createdAt">,
): IssuedKey {
  const secret = keyCipher.createSecret(kind)
  const { id: accountId, username } = account
  const lookup = keyCipher.lookup(secret)
  const encrypted = keyCipher.encrypt(secret, { id, accountId, kind })
  const rights = { kind, name, itemIds, isSiteRequired, scope, expiresAt }
  const key = { id, accountId, username, ...rights, lookup, encrypted, createdAt }
  return { key: { ...key, revokedAt: null, replacedAt: null, replacedBy: null }, secret }
}

export class NoRoomForOverlap extends UserError {
  constructor({ username }: Pick<StoredKey, "username">) {
    super(`account ${username} has too many active keys; rotate this one without an overlap period`)
  }
}

/**
 * The replacement has the old key's name, rights and expiry; a secret key replaces an imported one. The old key never
 * outlives its own expiry. A key is rotated once: its expiry is then the end of the overlap period, which a second
 * replacement would inherit. `id` is the new key's. `isLeaked`: others may know the old one.
 */
export async function rotateKey(
  services: Recording & Pick<KeyServices, "keys" | "keyCipher">,
  old: StoredKey,
  overlap: Overlap,
  {
    id = services.keyCipher.createKeyId(),
    isLeaked = false,
  }: { id?: string; isLeaked?: boolean } = {},
): Promise<IssuedKey> {
  const { keys, keyCipher } = services
  requireRight(services.actor, "secrets")
  const now = services.now()
  const at = formatTimestamp(now)
  const rejection = rejections[stateOf(old, at)]
  if (rejection !== null) throw new UserError(`key ${old.id} ${rejection}`)
  const kind = old.kind === "imported" ? "sk" : old.kind
  const account = { id: old.accountId, username: old.username }
  const issued = createKey(keyCipher, account, { ...old, kind }, { id, createdAt: at })
  const overlapEnds = secondsAfter(now, overlapSeconds[overlap])
  const endsAt = old.expiresAt !== null && old.expiresAt < overlapEnds ? old.expiresAt : overlapEnds
  if (!hasRoomForReplacement(await keys.list(old.accountId), at, endsAt)) {
    throw new NoRoomForOverlap(account)
  }
  // The store checks again: one of two concurrent rotations succeeds, and none beside a revocation.
  const leaked = isLeaked ? createLeakEvent(old, at) : null
  if (!(await keys.rotate(old.id, endsAt, issued.key, leaked))) {
    throw new UserError(`key ${old.id} ${rejections.ending}`)
  }
  await recordKeyEvent(services, old, "replaced")
  return issued
}

const rejections: Readonly<Record<KeyState, string | null>> = {
  active: null,
  ending: "was already rotated; rotate its replacement",
  revoked: "is revoked; create a new key",
  expired: "has expired; create a new key",
}

/** An existing key of the marketplace's clients, with the rights of `sk`. */
export function importKey(keyCipher: KeyCipher, now: () => Date, secret: string): ImportedKey {
  const id = keyCipher.createKeyId()
  const kind = "imported"
  return {
    id,
    kind,
    name: "Imported key",
    lookup: keyCipher.lookup(secret),
    lookups: keyCipher.lookups(secret),
    encrypt: (accountId) => keyCipher.encrypt(secret, { id, accountId, kind }),
    createdAt: formatTimestamp(now()),
  }
}

const createLeakEvent = (
  { id, name, accountId, username }: Pick<StoredKey, "id" | "name" | "accountId" | "username">,
  at: Timestamp,
): NewEvent => ({
  type: "key.leaked",
  at,
  account: { id: accountId, username },
  data: renderData("key.leaked", { key_id: id, name }),
})

export async function renameKey(
  services: Recording & Pick<KeyServices, "keys">,
  key: StoredKey,
  name: string,
) {
  requireRight(services.actor, "manage")
  if (name === key.name) return
  await services.keys.rename(key.id, name)
  await recordKeyEvent(services, { ...key, name }, "renamed")
}

/** Recorded first, so that no reveal goes unrecorded. Inactive keys are not revealed. */
export async function revealKey(
  services: Recording & Pick<KeyServices, "keyCipher">,
  key: StoredKey,
): Promise<string> {
  requireRight(services.actor, "secrets")
  const state = stateOf(key, formatTimestamp(services.now()))
  if (!isLive(state)) throw new UserError(`key ${key.id} is inactive; create a new key`)
  await recordKeyEvent(services, key, "revealed")
  return services.keyCipher.decrypt(key.encrypted, key)
}

/** `isLeaked`: others may know the key. Revoking a revoked key changes nothing. */
export async function revokeKey(
  services: Recording & Pick<KeyServices, "keys">,
  key: StoredKey,
  isLeaked = false,
): Promise<void> {
  requireRight(services.actor, "manage")
  if (key.revokedAt !== null) return
  const at = formatTimestamp(services.now())
  await services.keys.revoke(key.id, at, isLeaked ? createLeakEvent(key, at) : null)
  await recordKeyEvent(services, key, "revoked")
}

export async function requireKey(keys: Pick<ApiKeyStore, "find">, keyId: string) {
  const key = await keys.find(keyId)
  if (key === null) throw new UserError(`key ${keyId} does not exist`)
  return key
}

/** Returns null for an unknown key and for another account's key; null finds keys of all. The text is not stored. */
export async function findPastedKey(
  { keys, keyCipher }: Pick<KeyServices, "keys" | "keyCipher">,
  accountId: number | null,
  pasted: string,
): Promise<StoredKey | null> {
  const secret = extractSecret(pasted)
  if (!couldBeKey(secret)) return null
  const found = await keys.findByLookup(...keyCipher.lookups(secret))
  if (found === null) return null
  return accountId === null || found.accountId === accountId ? keys.find(found.id) : null
}

/** The secret of the account's newest active test key. No reveal is recorded: a test key reaches test data only. */
export async function findTestKey(
  { keys, keyCipher, now }: Pick<KeyServices, "keys" | "keyCipher" | "now">,
  accountId: number,
): Promise<string | null> {
  const at = formatTimestamp(now())
  const found = (await keys.list(accountId)).findLast(
    (key) => key.kind === "tk" && isLive(stateOf(key, at)),
  )
  return found === undefined ? null : keyCipher.decrypt(found.encrypted, found)
}

/** More than are shown: some were revoked or rotated within the last week. */
const candidatesMax = 500

/** Active secret keys of all authors that appear to be shipped, most IP ranges first. */
export async function listShippedKeys(
  reads: Pick<KeySearch, "listWidelyUsed">,
  at: Timestamp,
  rowsMax: number,
): Promise<readonly WidelyUsedKey[]> {
  const since = lastRange(at, ipRangeDays).from
  const candidates = await reads.listWidelyUsed(since, manyIpRanges, candidatesMax)
  return candidates
    .filter((key) => isShipped(key, key.ipRanges) && stateOf(key, at) === "active")
    .slice(0, rowsMax)
}

function recordKeyEvent(
  recording: Recording,
  { accountId, username, id, name }: Pick<StoredKey, "accountId" | "username" | "id" | "name">,
  action: AuditAction<"key">,
): Promise<void> {
  const account = { id: accountId, username }
  const event = createEvent(recording, { kind: "key", action })
  return tallyPerMinute(recording, { ...event, account, subjectId: id, subjectName: name })
}
