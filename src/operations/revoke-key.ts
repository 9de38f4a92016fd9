import type { ApiKeyStore } from "../domain/api-key.ts"
import { RefusedError } from "../domain/error.ts"
import { formatTimestamp } from "../domain/timestamp.ts"

export type Revocation = Readonly<{ keys: Pick<ApiKeyStore, "find" | "revoke">; now: () => Date }>

/** Revoking twice is no error: the key is as dead as was asked for. */
export async function revokeKey({ keys, now }: Revocation, keyId: string): Promise<void> {
  if ((await keys.find(keyId)) === null) throw new RefusedError(`there is no key ${keyId}`)
  await keys.revoke(keyId, formatTimestamp(now()))
}
