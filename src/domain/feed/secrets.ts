/** The rules for keys and passwords that come with a feed: those of another store, and a key in an account's line. */
import { username } from "../catalogue/account.ts"
import { issuedKinds, type KeyKind, keyIdForm, keyNameCharactersMax } from "../keys/api-key.ts"
import {
  base64,
  createShape,
  InvalidRecord,
  identifier,
  nonEmptyList,
  optional,
  text,
  timestamp,
} from "../values/shape.ts"
import type { Timestamp } from "../values/time/timestamp.ts"
import { type Batch, hex } from "./batch.ts"
import {
  type ImportedKey,
  type RecordOf,
  type Refusal,
  refuse,
  type SecretCounts,
  unknownAccount,
  type Verdict,
} from "./feed.ts"
import type { Changed } from "./states.ts"

const kinds: readonly KeyKind[] = [...issuedKinds, "imported"]

const keyId = createShape({ type: "string", pattern: keyIdForm.source }, (value, member) => {
  const id = text(value, member)
  if (keyIdForm.test(id)) return id
  throw new InvalidRecord(member, "must be key_ and 16 letters or digits")
})

const keyKind = createShape({ enum: kinds }, (value, member) => {
  const kind = kinds.find((known) => known === value)
  if (kind !== undefined) return kind
  throw new InvalidRecord(member, `must be one of ${kinds.join(", ")}`)
})

const keyNameSchema = { type: "string", maxLength: keyNameCharactersMax }

const keyName = createShape(keyNameSchema, (value, member) => {
  const name = text(value, member)
  if ([...name].length <= keyNameCharactersMax) return name
  throw new InvalidRecord(member, `must be at most ${keyNameCharactersMax} characters`)
})

export const movedKeyMembers = {
  username,
  id: keyId,
  kind: keyKind,
  name: keyName,
  items: optional(nonEmptyList(identifier, Number.POSITIVE_INFINITY)),
  created_at: timestamp,
  expires_at: optional(timestamp),
  revoked_at: optional(timestamp),
  replaced_at: optional(timestamp),
  sealed: base64,
}

export function findKeyByLookup({ keys, keyIds }: Batch, lookup: Uint8Array): ImportedKey | null {
  const id = keyIds.get(hex(lookup))
  return id === undefined ? null : keys.find(id)
}

export function putNewKey({ keys, keyIds }: Batch, key: ImportedKey): void {
  keys.put(key.id, key)
  keyIds.set(hex(key.lookup), key.id)
}

/** For the key in the line of an account. */
export function judgeKeyOf(
  batch: Batch,
  username: string,
  key: ImportedKey | null,
): Refusal | null {
  const kept = key && findKeyByLookup(batch, key.lookup)
  return kept === null || kept.username === username
    ? null
    : refuse("api_key", "belongs to another account")
}

export function takeKey(batch: Batch, { key }: RecordOf<"key">): Verdict {
  const { accounts, keys } = batch
  if (accounts.find(key.username) === null) return unknownAccount(key.username)
  const sameSecret = findKeyByLookup(batch, key.lookup)
  const refusal = judgeMovedKey(key, keys.find(key.id), sameSecret)
  if (refusal !== null) return refusal
  const change = sameSecret && mergeMovedKey(key, sameSecret)
  if (sameSecret === null) putNewKey(batch, key)
  else if (change !== null) keys.put(sameSecret.id, { ...sameSecret, ...change })
  return null
}

export function takePassword(
  { accounts, passwords }: Batch,
  { username, hash, mayReplace }: RecordOf<"password">,
): Verdict {
  if (accounts.find(username) === null) return unknownAccount(username)
  const kept = passwords.find(username)
  if (kept?.hash === hash) return null
  // An older export must not bring an old password back.
  if (kept !== null && !mayReplace) {
    return refuse("sealed", "is not the password the account has")
  }
  passwords.put(username, { username, hash })
  return null
}

/**
 * Null when the key may be kept, or brought to the state of the one that comes. `sameId` and
 * `sameSecret` are the keys here that have its id and its look-up value.
 */
function judgeMovedKey(
  key: ImportedKey,
  sameId: ImportedKey | null,
  sameSecret: ImportedKey | null,
): Refusal | null {
  const isForeign = (other: ImportedKey | null) => other !== null && other.username !== key.username
  if (isForeign(sameId)) return refuse("id", "belongs to another account")
  if (isForeign(sameSecret)) return refuse("sealed", "belongs to another account")
  if (sameId !== null && sameId.id !== sameSecret?.id) {
    return refuse("id", "belongs to another key")
  }
  if (sameSecret !== null && String(sameSecret.itemIds) !== String(key.itemIds)) {
    return refuse("items", "are not those the key was made for")
  }
  return null
}

/** An ended key stays ended: of two ends the earlier one counts. Null when nothing changes. */
function mergeMovedKey(key: ImportedKey, kept: ImportedKey) {
  const { name } = key
  const expiresAt = earlier(key.expiresAt, kept.expiresAt)
  const revokedAt = earlier(key.revokedAt, kept.revokedAt)
  const replacedAt = earlier(key.replacedAt, kept.replacedAt)
  const isSame =
    name === kept.name &&
    expiresAt === kept.expiresAt &&
    revokedAt === kept.revokedAt &&
    replacedAt === kept.replacedAt
  return isSame ? null : { name, expiresAt, revokedAt, replacedAt }
}

function earlier(one: Timestamp | null, other: Timestamp | null): Timestamp | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

/** Adds what a batch changed. */
export const addSecrets = (
  sum: SecretCounts,
  { keys, passwords }: Readonly<Record<"keys" | "passwords", Changed<unknown>>>,
): SecretCounts => ({
  keys: sum.keys + keys.inserted.length + keys.updated.length,
  passwords: sum.passwords + passwords.inserted.length + passwords.updated.length,
})
