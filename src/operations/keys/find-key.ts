import {
  type ApiKey,
  type ApiKeyStore,
  couldBeKey,
  extractSecret,
  isLive,
  type KeyCipher,
  type StoredKey,
  stateOf,
} from "../../domain/keys/api-key.ts"
import type { OperatorReads, WidelyUsedKey } from "../../domain/usage/operator-reads.ts"
import { ipRangeDays, isShipped, manyIpRanges } from "../../domain/usage/usage.ts"
import { UserError } from "../../domain/values/error.ts"
import { formatTimestamp, lastRange, type Timestamp } from "../../domain/values/time/timestamp.ts"

/** Returns null for an unknown key and for another account's key. */
export async function findOwnKey(
  keys: Pick<ApiKeyStore, "find">,
  accountId: number,
  keyId: string,
): Promise<StoredKey | null> {
  const key = await keys.find(keyId)
  return key?.accountId === accountId ? key : null
}

/** For the command line. Throws UserError. */
export async function requireKey(
  keys: Pick<ApiKeyStore, "find">,
  keyId: string,
): Promise<StoredKey> {
  const key = await keys.find(keyId)
  if (key === null) throw new UserError(`key ${keyId} does not exist`)
  return key
}

type KeyReading = Readonly<{
  keys: Pick<ApiKeyStore, "find" | "findByLookup">
  keyCipher: Pick<KeyCipher, "lookups">
}>

/** Returns null for an unknown key and for another account's key. The pasted text is not stored. */
export async function findPastedKey(
  reading: KeyReading,
  accountId: number,
  pasted: string,
): Promise<StoredKey | null> {
  const found = await lookUp(reading, pasted)
  return found?.accountId === accountId ? reading.keys.find(found.id) : null
}

/** Like `findPastedKey`, for operators: keys of all accounts. */
export async function findPastedKeyOfAny(
  reading: KeyReading,
  pasted: string,
): Promise<StoredKey | null> {
  const found = await lookUp(reading, pasted)
  return found && reading.keys.find(found.id)
}

async function lookUp({ keys, keyCipher }: KeyReading, pasted: string): Promise<ApiKey | null> {
  const secret = extractSecret(pasted)
  if (!couldBeKey(secret)) return null
  for (const lookup of keyCipher.lookups(secret)) {
    const found = await keys.findByLookup(lookup)
    if (found !== null) return found
  }
  return null
}

type TestKeySources = Readonly<{
  keys: Pick<ApiKeyStore, "list">
  keyCipher: Pick<KeyCipher, "decrypt">
  now: () => Date
}>

/** The secret of the account's newest active test key. No reveal is recorded: a test key reaches test data only. */
export async function findTestKey(
  { keys, keyCipher, now }: TestKeySources,
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
  reads: Pick<OperatorReads, "listWidelyUsed">,
  at: Timestamp,
  rowsMax: number,
): Promise<readonly WidelyUsedKey[]> {
  const since = lastRange(at, ipRangeDays).from
  const candidates = await reads.listWidelyUsed(since, manyIpRanges, candidatesMax)
  return candidates
    .filter((key) => isShipped(key, key.ipRanges) && stateOf(key, at) === "active")
    .slice(0, rowsMax)
}
