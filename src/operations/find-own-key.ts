import type { ApiKeyStore, StoredKey } from "../domain/api-key.ts"

/** Null for another account's key as for one that never was. */
export async function findOwnKey(
  keys: Pick<ApiKeyStore, "find">,
  accountId: number,
  keyId: string,
): Promise<StoredKey | null> {
  const key = await keys.find(keyId)
  return key?.accountId === accountId ? key : null
}
