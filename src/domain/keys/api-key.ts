/**
 * API keys: their form, what each kind may do, and the ports that keep and seal them.
 * A key is `pzr_<kind>_<30 base62 characters><6 base62 characters of CRC-32>`; the checksum covers
 * everything before it, so a mistyped key is refused without a look-up.
 */
import { isPlaceholder } from "../catalog/purchase-code.ts"
import type { NewEvent } from "../events/event.ts"
import { DecryptionFailed, DomainError, type Failure } from "../values/error.ts"
import { createSchema, invalid, nonEmpty } from "../values/schema.ts"
import { trimWhitespace } from "../values/text.ts"
import type { Timestamp } from "../values/time/timestamp.ts"

export const issuedKinds = ["sk", "vk", "tk"] as const
export type IssuedKind = (typeof issuedKinds)[number]

/** `sk` may do everything, `vk` only validates and releases, `tk` sees the sample world, `imported` came with a feed. */
export const keyKinds = [...issuedKinds, "imported"] as const
export type KeyKind = (typeof keyKinds)[number]

export type Operation =
  | "read_account"
  | "list_items"
  | "read_item"
  | "validate_purchase"
  | "release_site"

/** The part of a key that a request needs. */
export type ApiKey = Readonly<{
  id: string
  accountId: number
  kind: KeyKind
  /** The items a validation key answers for; null for all of the account. */
  itemIds: readonly number[] | null
  /** Whether a validation with this key must name its site. */
  isSiteRequired: boolean
  expiresAt: Timestamp | null
  revokedAt: Timestamp | null
}>

/** A key as a request finds it, with the state of its account. */
export type FoundKey = ApiKey & Readonly<{ isAccountSuspended: boolean }>

/** The key was found and is not accepted. The log names it; the caller is not told whose it is. */
export class KeyRejected extends DomainError {
  readonly key: ApiKey

  constructor(reason: Failure, key: ApiKey) {
    super(reason)
    this.key = key
  }
}

/** A key as it is stored: not the secret, only its look-up value and a sealed copy. */
export type StoredKey = ApiKey &
  Readonly<{
    username: string
    name: string
    lookup: Uint8Array
    encrypted: Uint8Array
    createdAt: Timestamp
    /** When another key replaced it; it works until `expiresAt`. */
    replacedAt: Timestamp | null
    /** The id of that key; null where it was not stored. */
    replacedBy: string | null
  }>

export type KeyDates = Pick<StoredKey, "id" | "kind" | "revokedAt" | "expiresAt" | "replacedAt">

export interface ApiKeyStore {
  /**
   * Null when no key has this look-up value. Revoked and expired keys, and those of
   * suspended accounts, are found like any other.
   */
  findByLookup(lookup: Uint8Array): Promise<FoundKey | null>
  find(id: string): Promise<StoredKey | null>
  /** All keys of the account, oldest first. */
  list(accountId: number): Promise<readonly StoredKey[]>
  /** The same, but only what decides whether a key is live: an account may have thousands of ended ones. */
  listDates(accountId: number): Promise<readonly KeyDates[]>
  /** The keys with these ids that exist, in any order. */
  listByIds(ids: readonly string[]): Promise<readonly StoredKey[]>
  /**
   * False, and nothing done, when the account has no room for it (`hasRoomForKey`), also if several are
   * inserted at once. Throws when the id or the look-up value is taken.
   */
  insert(key: StoredKey): Promise<boolean>
  rename(id: string, name: string): Promise<void>
  reencrypt(id: string, encrypted: Uint8Array): Promise<void>
  /** The key is refused from `at` on. An earlier revocation stays. `leaked` is told, here and below. */
  revoke(id: string, at: Timestamp, leaked?: NewEvent | null): Promise<void>
  /**
   * Inserts the replacement, marks the old key as replaced now and ends it at `endsAt`, all or
   * nothing. False, and nothing done, when it was replaced before.
   */
  rotate(
    oldId: string,
    endsAt: Timestamp,
    replacement: StoredKey,
    leaked?: NewEvent | null,
  ): Promise<boolean>
}

/** A sealed copy is bound to these: moved to another row, it no longer opens. */
export type KeyIdentity = Readonly<{ id: string; username: string; kind: KeyKind }>

export interface KeyCipher {
  /** A new random secret of this kind, in the form above. */
  createSecret(kind: IssuedKind): string
  createKeyId(): string
  /** The same id for the same text: sending one form twice makes one key. */
  deriveKeyId(text: string): string
  /** The value a new key is found by; worthless without the master key. */
  lookup(secret: string): Uint8Array
  /**
   * The values that a key may be found by: two during a rotation of the master key. The previous key's value comes first,
   * so that a key which is re-encrypted between two look-ups is found by the second.
   */
  lookups(secret: string): readonly Uint8Array[]
  encrypt(secret: string, identity: KeyIdentity): Uint8Array
  /** Throws SealBroken when it was sealed for another identity or under another master key. */
  decrypt(encrypted: Uint8Array, identity: KeyIdentity): string
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const issuedForm = /^pzr_(?:sk|vk|tk)_[0-9A-Za-z]{36}$/
const issuedPrefix = "pzr_"
const checksumLength = 6
export const randomLength = 30
const keyCharactersMax = 255
export const keyNameCharactersMax = 100

/** 248 = 4 × 62: larger bytes would favour some characters and are skipped. */
export function encodeBase62(bytes: Uint8Array): string {
  let encoded = ""
  for (const byte of bytes) if (byte < 248) encoded += base62[byte % 62]
  return encoded
}

export function formatSecret(kind: IssuedKind, random: string): string {
  const unchecked = `${issuedPrefix}${kind}_${random}`
  return unchecked + checksum(unchecked)
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ""
  while (digits.length < checksumLength) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** False for a text that no key can be: too long, damaged, or in our form with a wrong checksum. */
export function couldBeKey(secret: string): boolean {
  if (secret.length > 2 * keyCharactersMax || !secret.isWellFormed()) return false
  if (!secret.startsWith(issuedPrefix)) return true
  if (!issuedForm.test(secret)) return false
  return checksum(secret.slice(0, -checksumLength)) === secret.slice(-checksumLength)
}

const issuedAnywhere = /pzr_(?:sk|vk|tk)_[0-9A-Za-z]{36}/g

/** The key in a pasted text, such as a line of a program; the text itself where it holds none of our form. */
export function extractSecret(text: string): string {
  const found = text.match(issuedAnywhere)?.find(couldBeKey)
  return found ?? trimWhitespace(text)
}

/** Whether a text holds a key of our form, also one with a wrong checksum. */
export const containsKey = (text: string) => /pzr_(?:sk|vk|tk)_[0-9A-Za-z]{8}/.test(text)

/** Fewer characters than this would give away too much of a key. */
const maskedCharactersMin = 16

/** Tells keys apart without showing them: the start that its kind has, and the last four characters. */
export function maskSecret(secret: string): string {
  const start = issuedForm.test(secret) ? secret.slice(0, "pzr_sk_".length) : ""
  const end = [...secret].length < maskedCharactersMin ? "" : [...secret].slice(-4).join("")
  return `${start}…${end}`
}

/** The ending in a text that may be a masked key, or only its last four characters; null for any other. */
export function parseKeyEnding(text: string): string | null {
  const [, ending = null] = /^(?:(?:pzr_(?:sk|vk|tk)_)?(?:…|\.{3}))?(\S{4})$/u.exec(text) ?? []
  return ending
}

/** A key whose sealed copy is damaged has no last characters to show. */
export function maskOf(
  keyCipher: Pick<KeyCipher, "decrypt">,
  key: KeyIdentity & Pick<StoredKey, "encrypted">,
): string {
  try {
    return maskSecret(keyCipher.decrypt(key.encrypted, key))
  } catch (error) {
    if (error instanceof DecryptionFailed) return maskSecret("")
    throw error
  }
}

const importedKeySchema = { type: "string", minLength: 1, maxLength: keyCharactersMax }

/** A key the operator's clients already use: any text a request can carry unchanged. */
export const importedKey = createSchema(importedKeySchema, (value, field) => {
  const secret = nonEmpty(value, field)
  if ([...secret].length > keyCharactersMax) {
    throw invalid(field, "too_long", { max: keyCharactersMax })
  }
  if (secret.includes("\ufffd")) {
    throw invalid(field, "damaged_text")
  }
  if (trimWhitespace(secret) !== secret) {
    throw invalid(field, "untrimmed")
  }
  if (secret.startsWith(issuedPrefix)) {
    throw invalid(field, "issued_key", { prefix: issuedPrefix })
  }
  // Anybody can guess it, and a program without its setting sends `null` or `undefined`.
  if (isPlaceholder(secret)) {
    throw invalid(field, "placeholder", { value: secret })
  }
  return secret
})

export type KeyState = "active" | "ending" | "revoked" | "expired"

/** `ending`: replaced, and works until its overlap ends. */
export function stateOf(
  { revokedAt, expiresAt, replacedAt }: Pick<StoredKey, "revokedAt" | "expiresAt" | "replacedAt">,
  at: Timestamp,
): KeyState {
  if (revokedAt !== null) return "revoked"
  if (expiresAt !== null && expiresAt <= at) return "expired"
  return replacedAt === null ? "active" : "ending"
}

/** Whether a request with this key is answered. */
export const isLive = (state: KeyState) => state === "active" || state === "ending"

type KeyEnds = Parameters<typeof stateOf>[0]

/** Of an account. A key for each product and server of a large author; thousands would slow their pages. */
export const liveKeysMax = 100
/** A replaced key works until its overlap ends, so there may be as many again. */
const liveAndEndingMax = 2 * liveKeysMax

const countLive = (keys: readonly KeyEnds[], at: Timestamp) =>
  keys.filter((key) => isLive(stateOf(key, at))).length

export const hasRoomForKey = (keys: readonly KeyEnds[], at: Timestamp) =>
  countLive(keys, at) < liveKeysMax

/** A key that ends at once makes room for its own replacement. */
export const hasRoomForReplacement = (keys: readonly KeyEnds[], at: Timestamp, endsAt: Timestamp) =>
  endsAt <= at || countLive(keys, at) < liveAndEndingMax

/**
 * The key that replaced this one. Where its id was not stored, it is the key with the same rights that was
 * created at the moment the old one was marked. Null when no key, or more than one, could be it.
 */
export function findSuccessor<Key extends StoredKey>(
  keys: readonly Key[],
  { id, kind, name, itemIds, replacedAt, replacedBy }: StoredKey,
): Key | null {
  if (replacedBy !== null) return keys.find((key) => key.id === replacedBy) ?? null
  const wanted = kind === "imported" ? "sk" : kind
  const made = keys.filter(
    (key) =>
      key.id !== id &&
      key.createdAt === replacedAt &&
      key.kind === wanted &&
      String(key.itemIds) === String(itemIds),
  )
  const sameName = made.filter((key) => key.name === name)
  const candidates = made.length === 1 ? made : sameName
  return candidates.length === 1 ? (candidates[0] ?? null) : null
}

export function mayPerform(key: ApiKey, operation: Operation): boolean {
  return key.kind !== "vk" || operation === "validate_purchase" || operation === "release_site"
}

/** Keys that may do everything must not be shipped: no web page may read what they are answered. */
export const serverKinds: readonly KeyKind[] = ["sk", "imported"]

export const belongsOnServer = ({ kind }: Pick<ApiKey, "kind">) => serverKinds.includes(kind)

export function isItemInScope(key: Pick<ApiKey, "itemIds">, itemId: number): boolean {
  return key.itemIds === null || key.itemIds.includes(itemId)
}

/** CRC-32 as in zip and PNG (reflected polynomial EDB88320), over the ASCII codes of a text. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1
  }
  return remainder
})

export function crc32(ascii: string): number {
  let remainder = 0xffffffff
  for (let at = 0; at < ascii.length; at++) {
    const entry = table[(remainder ^ ascii.charCodeAt(at)) & 0xff] ?? 0
    remainder = (remainder >>> 8) ^ entry
  }
  return (remainder ^ 0xffffffff) >>> 0
}

/**
 * The test key in the samples of the documentation. Everybody may use it, and like every test key it
 * sees only the sample world. It belongs to no account and is in no store.
 */
export const publicTestSecret = "pzr_tk_PublicTestKeyOfTheSampleWorld049quFB"

export const publicTestKey: FoundKey = {
  id: "public",
  accountId: 0,
  kind: "tk",
  itemIds: null,
  isSiteRequired: false,
  expiresAt: null,
  revokedAt: null,
  isAccountSuspended: false,
}
