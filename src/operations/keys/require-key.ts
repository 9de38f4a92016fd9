import type { ApiKeyStore, StoredKey } from "../../domain/keys/api-key.ts"
import { RefusedError } from "../../domain/values/error.ts"

/** For the command line. Throws RefusedError with the id when there is no such key. */
export async function requireKey(
  keys: Pick<ApiKeyStore, "find">,
  keyId: string,
): Promise<StoredKey> {
  const key = await keys.find(keyId)
  if (key === null) throw new RefusedError(`there is no key ${keyId}`)
  return key
}
