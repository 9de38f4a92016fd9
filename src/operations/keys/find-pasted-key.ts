import {
  type ApiKey,
  type ApiKeyStore,
  couldBeKey,
  type KeyVault,
  type StoredKey,
  secretIn,
} from "../../domain/keys/api-key.ts"

type KeyReading = Readonly<{
  keys: Pick<ApiKeyStore, "find" | "findByLookup">
  vault: Pick<KeyVault, "lookup">
}>

/** Null for an unknown key and for another account's key. The pasted text is not kept. */
export async function findPastedKey(
  reading: KeyReading,
  accountId: number,
  pasted: string,
): Promise<StoredKey | null> {
  const found = await lookUp(reading, pasted)
  return found?.accountId === accountId ? reading.keys.find(found.id) : null
}

/** The same for the operator, who may ask about the keys of every account. */
export async function findPastedKeyOfAny(
  reading: KeyReading,
  pasted: string,
): Promise<StoredKey | null> {
  const found = await lookUp(reading, pasted)
  return found && reading.keys.find(found.id)
}

async function lookUp({ keys, vault }: KeyReading, pasted: string): Promise<ApiKey | null> {
  const secret = secretIn(pasted)
  return couldBeKey(secret) ? keys.findByLookup(vault.lookup(secret)) : null
}
