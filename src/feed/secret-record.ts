/** Lines that carry keys and passwords from one store to another, always sealed, and back. */
import { username } from "../domain/account.ts"
import { SealBroken } from "../domain/error.ts"
import type { FeedRecord, FeedSecrets, SnapshotKey } from "../domain/feed.ts"
import { movedKeyMembers } from "../domain/moved-key.ts"
import type { PasswordVault } from "../domain/session.ts"
import { base64, given, InvalidRecord, Problems, record } from "../domain/shape.ts"

const keyLine = record({ type: given, ...movedKeyMembers })
const passwordLine = record({ type: given, username, sealed: base64 })

/** The look-up value does not travel: it is made anew of the secret, which the master key opens. */
export function parseKey(value: unknown, { keys }: FeedSecrets): FeedRecord {
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
  const identity = { id, username, kind }
  const lookup = keys.lookup(open(() => keys.unseal(sealed, identity), "key"))
  const ends = {
    expiresAt: line.expires_at ?? null,
    revokedAt: line.revoked_at ?? null,
    replacedAt: line.replaced_at ?? null,
  }
  const key = { ...identity, name, itemIds: items, lookup, sealed, createdAt: line.created_at }
  return { type: "key", key: { ...key, ...ends } }
}

export function parsePassword(value: unknown, { passwords }: FeedSecrets): FeedRecord {
  const { username, sealed } = passwordLine(value, "")
  const hash = open(() => passwords.unseal(sealed, username), "account")
  return { type: "password", username, hash }
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

/** SQLite keeps a NUL in a name, which neither a feed nor PostgreSQL takes: it goes, the key stays. */
export function renderKeyLine(key: SnapshotKey): string {
  const { username, id, kind, name, itemIds, createdAt, sealed } = key
  // What is undefined is left out.
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

export function renderPasswordLine(
  passwords: PasswordVault,
  { username, hash }: Readonly<{ username: string; hash: string }>,
): string {
  const sealed = toBase64(passwords.seal(hash, username))
  return JSON.stringify({ type: "password", username, sealed })
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")
