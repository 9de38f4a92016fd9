import { type ApiKeyStore, isLive, type KeyVault, stateOf } from "../../domain/keys/api-key.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"

export type TestKeySources = Readonly<{
  keys: Pick<ApiKeyStore, "list">
  vault: Pick<KeyVault, "unseal">
  now: () => Date
}>

/**
 * The secret of the account's newest live test key; null where there is none. No reveal is recorded:
 * a test key reaches the sample world only.
 */
export async function findTestKey(
  { keys, vault, now }: TestKeySources,
  accountId: number,
): Promise<string | null> {
  const at = formatTimestamp(now())
  const found = (await keys.list(accountId)).findLast(
    (key) => key.kind === "tk" && isLive(stateOf(key, at)),
  )
  return found === undefined ? null : vault.unseal(found.sealed, found)
}
