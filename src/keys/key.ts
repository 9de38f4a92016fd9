/** `pzr_<kind>_<30 base62 characters><6 base62 characters of CRC-32>`: a mistyped key is rejected without a look-up. */
import { createHmac } from "node:crypto"
import type {
  ApiKey,
  FoundKey,
  IssuedKind,
  KeyKind,
  KeyScope,
  Operation,
} from "../contract/operation.ts"
import {
  base62,
  createCipher,
  deriveId,
  idLength,
  keysOf,
  type MasterKey,
  type MasterKeys,
  randomBase62,
  subKey,
} from "../platform/crypto/cipher.ts"
import { DecryptionFailed, DomainError, type Failure } from "../platform/error.ts"
import { createSchema, invalid, nonEmpty } from "../platform/schema.ts"
import { isPlaceholder, trimWhitespace } from "../platform/text.ts"
import type { Timestamp } from "../platform/time.ts"
import type { NewEvent } from "../webhooks/webhook.ts"

const scopeOperations: Readonly<Record<KeyScope, readonly Operation[]>> = {
  help_desk: ["validate_purchase", "release_site", "list_purchases", "list_sites"],
  catalog: ["list_items", "read_item"],
}

/** The key exists and is not accepted. The log names it; the response does not reveal its owner. */
export class KeyRejected extends DomainError {
  readonly key: ApiKey

  constructor(reason: Failure, key: ApiKey) {
    super(reason)
    this.key = key
  }
}

/** The secret is not stored, only its look-up value and an encrypted copy. */
export type StoredKey = ApiKey &
  Readonly<{
    username: string
    name: string
    lookup: Uint8Array
    encrypted: Uint8Array
    createdAt: Timestamp
    /** When the key was rotated; it is valid until `expiresAt`. */
    replacedAt: Timestamp | null
    /** The id of the new key; null if it was not stored. */
    replacedBy: string | null
  }>

export type KeyDates = Pick<StoredKey, "id" | "kind" | "revokedAt" | "expiresAt" | "replacedAt">

export interface ApiKeyStore {
  /**
   * Finds revoked and expired keys and those of suspended accounts too. Reads all lookup values of a secret at once: the
   * key may be re-encrypted between two reads.
   */
  findByLookup(...lookups: readonly Uint8Array[]): Promise<FoundKey | null>
  find(id: string): Promise<StoredKey | null>
  /** Oldest first. */
  list(accountId: number): Promise<readonly StoredKey[]>
  /** Like `list`, with less data: an account may have thousands of inactive keys. */
  listDates(accountId: number): Promise<readonly KeyDates[]>
  listByIds(ids: readonly string[]): Promise<readonly StoredKey[]>
  /** Returns false if the account has no room (`hasRoomForKey`), also for concurrent calls. Throws if the id exists. */
  insert(key: StoredKey): Promise<boolean>
  rename(id: string, name: string): Promise<void>
  /** An earlier revocation stays. With `leaked`, which is enqueued, the key is marked, here and in `rotate`. */
  revoke(id: string, at: Timestamp, leaked?: NewEvent | null): Promise<void>
  /** Keys of previous authors that validate purchases of the item. Oldest first. */
  listOfMovedItem(itemId: number): Promise<readonly StoredKey[]>
  /** The key no longer validates purchases of the item. Returns false unless `listOfMovedItem` has the key. */
  revokeForItem(id: string, itemId: number, at: Timestamp): Promise<boolean>
  /** In one transaction: inserts the replacement and ends the old key. False if it was rotated or revoked before. */
  rotate(
    oldId: string,
    endsAt: Timestamp,
    replacement: StoredKey,
    leaked?: NewEvent | null,
  ): Promise<boolean>
}

/** An encrypted secret is bound to these: moved to another row, it does not decrypt. */
export type KeyIdentity = Pick<ApiKey, "id" | "accountId" | "kind">

const issuedForm = /^pzr_(?:sk|vk|tk)_[0-9A-Za-z]{36}$/
const issuedPrefix = "pzr_"
const checksumLength = 6
export const randomLength = 30
const keyCharactersMax = 255
export const keyNameCharactersMax = 100

export function formatSecret(kind: IssuedKind, random: string): string {
  const unchecked = `${issuedPrefix}${kind}_${random}`
  return unchecked + checksum(unchecked)
}

function checksum(text: string): string {
  let rest = Bun.hash.crc32(text)
  let digits = ""
  while (digits.length < checksumLength) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Returns false for a text that cannot be a key: too long, malformed, or with a wrong checksum. */
export function couldBeKey(secret: string): boolean {
  if (secret.length > 2 * keyCharactersMax || !secret.isWellFormed()) return false
  if (!secret.startsWith(issuedPrefix)) return true
  if (!issuedForm.test(secret)) return false
  return checksum(secret.slice(0, -checksumLength)) === secret.slice(-checksumLength)
}

const issuedAnywhere = /pzr_(?:sk|vk|tk)_[0-9A-Za-z]{36}/g

/** Finds an issued key in pasted text, such as a line of code. Otherwise returns the trimmed text. */
export function extractSecret(text: string): string {
  const found = text.match(issuedAnywhere)?.find(couldBeKey)
  return found ?? trimWhitespace(text)
}

/** Also true for a key with a wrong checksum. */
export const containsKey = (text: string) => /pzr_(?:sk|vk|tk)_[0-9A-Za-z]{8}/.test(text)

/** The ending of a shorter key would reveal too much of it. */
const maskedCharactersMin = 16

/** The prefix and the last four characters: `pzr_sk_…9H9q`. */
export function maskSecret(secret: string): string {
  const start = issuedForm.test(secret) ? secret.slice(0, "pzr_sk_".length) : ""
  const end = [...secret].length < maskedCharactersMin ? "" : [...secret].slice(-4).join("")
  return `${start}…${end}`
}

/** Reads the last four characters, alone or in a masked key. Returns null for other text. */
export function parseKeyEnding(text: string): string | null {
  const [, ending = null] = /^(?:(?:pzr_(?:sk|vk|tk)_)?(?:…|\.{3}))?(\S{4})$/u.exec(text) ?? []
  return ending
}

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

/** A key that the marketplace's clients already use: any text that a request can carry unchanged. */
export const importedKey = createSchema(importedKeySchema, (value, field) => {
  const secret = nonEmpty(value, field)
  if ([...secret].length > keyCharactersMax) {
    throw invalid(field, "too_long", { max: keyCharactersMax })
  }
  if (secret.includes("\ufffd")) throw invalid(field, "damaged_text")
  if (trimWhitespace(secret) !== secret) throw invalid(field, "untrimmed")
  if (secret.startsWith(issuedPrefix)) throw invalid(field, "issued_key", { prefix: issuedPrefix })
  // Placeholders are guessable, and a client without its setting sends `null` or `undefined`.
  if (isPlaceholder(secret)) throw invalid(field, "placeholder", { value: secret })
  return secret
})

export type KeyState = "active" | "ending" | "revoked" | "expired"

/** `ending`: rotated and in its overlap period. */
export function stateOf(
  { revokedAt, expiresAt, replacedAt }: Pick<StoredKey, "revokedAt" | "expiresAt" | "replacedAt">,
  at: Timestamp,
): KeyState {
  if (revokedAt !== null) return "revoked"
  if (expiresAt !== null && expiresAt <= at) return "expired"
  return replacedAt === null ? "active" : "ending"
}

export const isLive = (state: KeyState) => state === "active" || state === "ending"

type KeyEnds = Parameters<typeof stateOf>[0]

/** Per account: enough for each product and server of a large author. Thousands would slow down their pages. */
export const liveKeysMax = 100
const liveAndEndingMax = 2 * liveKeysMax

const countLive = (keys: readonly KeyEnds[], at: Timestamp) =>
  keys.filter((key) => isLive(stateOf(key, at))).length

export const hasRoomForKey = (keys: readonly KeyEnds[], at: Timestamp) =>
  countLive(keys, at) < liveKeysMax

/** A key that ends immediately makes room for its own replacement. */
export const hasRoomForReplacement = (keys: readonly KeyEnds[], at: Timestamp, endsAt: Timestamp) =>
  endsAt <= at || countLive(keys, at) < liveAndEndingMax

/** Without a stored id, it is the key with the same rights that was created when the old one was rotated. */
export function findSuccessor<Key extends StoredKey>(
  keys: readonly Key[],
  { id, kind, name, itemIds, replacedAt, replacedBy }: StoredKey,
): Key | null {
  if (replacedBy !== null) return keys.find((key) => key.id === replacedBy) ?? null
  const wanted = kind === "imported" ? "sk" : kind
  const sameRights = keys.filter(
    (key) =>
      key.id !== id &&
      key.createdAt === replacedAt &&
      key.kind === wanted &&
      String(key.itemIds) === String(itemIds),
  )
  const sameName = sameRights.filter((key) => key.name === name)
  const candidates = sameRights.length === 1 ? sameRights : sameName
  return candidates.length === 1 ? (candidates[0] ?? null) : null
}

export const productOperations: readonly Operation[] = [
  "validate_purchase",
  "release_site",
  "create_download",
]

export const isList = (operation: Operation): boolean =>
  operation === "list_items" || operation === "list_purchases"

export function mayPerform({ kind, scope }: ApiKey, operation: Operation): boolean {
  if (scope !== null) return scopeOperations[scope].includes(operation)
  return kind !== "vk" || productOperations.includes(operation)
}

export function isItemInScope(key: Pick<ApiKey, "itemIds">, itemId: number): boolean {
  return key.itemIds === null || key.itemIds.includes(itemId)
}

export const keySorts = ["created", "used", "name"] as const
export type KeySort = (typeof keySorts)[number]

export type KeyQuery = Readonly<{
  accountId: number | null
  kind: KeyKind | null
  isLive: boolean | null
  at: Timestamp
  /** Part of the name, or the id; an empty text matches all. */
  text: string
  /** Keys that match the text by their last characters, which are encrypted. */
  matchingIds: readonly string[]
  sort: KeySort
  isDescending: boolean
  offset: number
  rowsMax: number
}>

export interface KeySearch {
  /** Keys that were never used are the least recently used. Ties are ordered newest first. */
  search(query: KeyQuery): Promise<Readonly<{ ids: readonly string[]; total: number }>>
  /** For operators: secret and imported keys used from at least `ipRangesMin` IP ranges since the day `since`, also inactive ones. */
  listWidelyUsed(
    since: string,
    ipRangesMin: number,
    rowsMax: number,
  ): Promise<readonly WidelyUsedKey[]>
}

export type ImportedKey = Pick<StoredKey, "id" | "kind" | "name" | "lookup" | "createdAt"> &
  Readonly<{
    /** The look-up values under which the key may be stored already. */
    lookups: readonly Uint8Array[]
    encrypt(accountId: number): Uint8Array
  }>

export type WidelyUsedKey = Pick<
  StoredKey,
  "id" | "accountId" | "username" | "kind" | "name" | "expiresAt" | "revokedAt" | "replacedAt"
> &
  Readonly<{ ipRanges: number }>

/**
 * API keys at rest. One subkey of the master key computes the lookup value, another encrypts the copy that can be shown
 * again. Without the master key the database reveals no API key.
 */
export function createKeyCipher(master: MasterKey | MasterKeys) {
  const { current, previous } = keysOf(master)
  const idKey = subKey(current, "key id")
  const lookupKey = subKey(current, "key look-up")
  const lookupKeys = previous ? [subKey(previous, "key look-up"), lookupKey] : [lookupKey]
  const computeLookup = (key: Uint8Array, secret: string): Uint8Array =>
    createHmac("sha256", key).update(secret).digest()
  return {
    createSecret: (kind: IssuedKind) => formatSecret(kind, randomBase62(randomLength)),
    createKeyId: () => `key_${randomBase62(idLength)}`,
    /** The same text gives the same id: a form that is sent twice creates one key. */
    deriveKeyId: (text: string) => `key_${deriveId(idKey, text)}`,
    /** The look-up value of a new key. Useless without the master key. */
    lookup: (secret: string) => computeLookup(lookupKey, secret),
    /** Two during a rotation. */
    lookups: (secret: string) => lookupKeys.map((key) => computeLookup(key, secret)),
    ...createCipher<KeyIdentity>(master, "key", ({ id, accountId, kind }) => [
      id,
      String(accountId),
      kind,
    ]),
  }
}

export type KeyCipher = ReturnType<typeof createKeyCipher>
