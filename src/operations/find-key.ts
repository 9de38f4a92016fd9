import type { ApiKeyStore, StoredKey } from "../domain/api-key.ts"
import { RefusedError } from "../domain/error.ts"

/** For people at a prompt: an unknown id is a refusal with the id in it. */
export async function findKey(keys: Pick<ApiKeyStore, "find">, keyId: string): Promise<StoredKey> {
  const key = await keys.find(keyId)
  if (key === null) throw new RefusedError(`there is no key ${keyId}`)
  return key
}

/** Null for another account's key as for one that never was. */
export async function findOwnKey(
  keys: Pick<ApiKeyStore, "find">,
  accountId: number,
  keyId: string,
): Promise<StoredKey | null> {
  const key = await keys.find(keyId)
  return key?.accountId === accountId ? key : null
}
