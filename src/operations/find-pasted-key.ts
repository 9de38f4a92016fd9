import {
  type ApiKeyStore,
  couldBeKey,
  type KeyVault,
  type StoredKey,
  secretIn,
} from "../domain/api-key.ts"

/** Null for an unknown key and for another account's key. The pasted text is not kept. */
export async function findPastedKey(
  {
    keys,
    vault,
  }: Readonly<{
    keys: Pick<ApiKeyStore, "find" | "findByLookup">
    vault: Pick<KeyVault, "lookup">
  }>,
  accountId: number,
  pasted: string,
): Promise<StoredKey | null> {
  const secret = secretIn(pasted)
  const found = couldBeKey(secret) ? await keys.findByLookup(vault.lookup(secret)) : null
  return found?.accountId === accountId ? keys.find(found.id) : null
}
