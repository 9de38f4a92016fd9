/** A key that comes from another store: the members of its line, and how it changes the key here. */
import { username } from "./account.ts"
import { issuedKinds, type KeyKind, keyIdForm, keyNameCharactersMax } from "./api-key.ts"
import type { ImportedKey, Refusal } from "./feed.ts"
import {
  base64,
  createShape,
  InvalidRecord,
  identifier,
  nonEmptyList,
  optional,
  text,
  timestamp,
} from "./shape.ts"
import type { Timestamp } from "./timestamp.ts"

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

/**
 * Null when the key may be kept, or brought to the state of the one that comes. `sameId` and
 * `sameSecret` are the keys here that have its id and its look-up value.
 */
export function judgeMovedKey(
  key: ImportedKey,
  sameId: ImportedKey | null,
  sameSecret: ImportedKey | null,
): Refusal | null {
  const isForeign = (other: ImportedKey | null) => other !== null && other.username !== key.username
  if (isForeign(sameId)) return { member: "id", reason: "belongs to another account" }
  if (isForeign(sameSecret)) return { member: "sealed", reason: "belongs to another account" }
  if (sameId !== null && sameId.id !== sameSecret?.id) {
    return { member: "id", reason: "belongs to another key" }
  }
  if (sameSecret !== null && String(sameSecret.itemIds) !== String(key.itemIds)) {
    return { member: "items", reason: "are not those the key was made for" }
  }
  return null
}

/** An ended key stays ended: of two ends the earlier one counts. Null when nothing changes. */
export function mergeMovedKey(key: ImportedKey, kept: ImportedKey) {
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
