import type { ApiKeyStore, StoredKey } from "../../domain/keys/api-key.ts"

/** Null for an unknown key and for another account's key. */
export async function findOwnKey(
  keys: Pick<ApiKeyStore, "find">,
  accountId: number,
  keyId: string,
): Promise<StoredKey | null> {
  const key = await keys.find(keyId)
  return key?.accountId === accountId ? key : null
}
