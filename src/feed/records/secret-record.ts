/** Converts keys and passwords to sealed lines of a feed, and back. */
import { username } from "../../domain/catalogue/account.ts"
import type { FeedRecord, FeedSecrets, SnapshotKey } from "../../domain/feed/feed.ts"
import { movedKeyMembers } from "../../domain/feed/secrets.ts"
import type { PasswordVault } from "../../domain/sign-in/password.ts"
import { RefusedError, SealBroken } from "../../domain/values/error.ts"
import { anything, base64, InvalidRecord, Problems, record } from "../../domain/values/shape.ts"

const keyLine = record({ type: anything, ...movedKeyMembers })
const passwordLine = record({ type: anything, username, sealed: base64 })

/** Look-up value and sealed copy are not in the line: the importing store makes both from the secret. */
export function parseKey(value: unknown, { keys, travel }: FeedSecrets): FeedRecord {
  const line = keyLine(value, "")
  const { username, id, kind, name, items = null, sealed } = line
  const problems = new Problems()
  if (items !== null && kind !== "vk") {
    problems.add("items", "must be left out unless the kind is vk")
  }
  if (line.replaced_at !== undefined && line.expires_at === undefined) {
    problems.add("expires_at", "is missing (a key that was replaced has an end)")
  }
  problems.refuse()
  const key = {
    id,
    username,
    kind,
    itemIds: items,
    createdAt: line.created_at,
    expiresAt: line.expires_at ?? null,
    revokedAt: line.revoked_at ?? null,
    replacedAt: line.replaced_at ?? null,
  }
  const secret = open(() => travel.unsealKey(sealed, key), "key")
  const kept = { name, lookup: keys.lookup(secret), sealed: keys.seal(secret, key) }
  return { type: "key", key: { ...key, ...kept } }
}

export function parsePassword(
  value: unknown,
  { passwords, mayReplacePasswords }: FeedSecrets,
): FeedRecord {
  const { username, sealed } = passwordLine(value, "")
  const hash = open(() => passwords.unseal(sealed, username), "account")
  return { type: "password", username, hash, mayReplace: mayReplacePasswords }
}

function open(unseal: () => string, owner: "key" | "account"): string {
  try {
    return unseal()
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new InvalidRecord(
      "sealed",
      `was sealed under another master key, or for another ${owner}`,
    )
  }
}

/** Removes NUL from a name: SQLite stores it, but neither a feed nor PostgreSQL accepts it. */
export function renderKeyLine({ keys, travel }: FeedSecrets, key: SnapshotKey): string {
  const { username, id, kind, name, itemIds, createdAt } = key
  const sealed = travel.sealKey(unsealStored(keys, key), key)
  // JSON.stringify leaves out undefined members.
  return JSON.stringify({
    type: "key",
    username,
    id,
    kind,
    name: name.replaceAll("\0", ""),
    items: itemIds ?? undefined,
    created_at: createdAt,
    expires_at: key.expiresAt ?? undefined,
    revoked_at: key.revokedAt ?? undefined,
    replaced_at: key.replacedAt ?? undefined,
    sealed: toBase64(sealed),
  })
}

function unsealStored(keys: FeedSecrets["keys"], key: SnapshotKey): string {
  try {
    return keys.unseal(key.sealed, key)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new RefusedError(`${key.id} cannot be exported: its sealed copy does not open`)
  }
}

export function renderPasswordLine(
  passwords: PasswordVault,
  { username, hash }: Readonly<{ username: string; hash: string }>,
): string {
  const sealed = toBase64(passwords.seal(hash, username))
  return JSON.stringify({ type: "password", username, sealed })
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")
