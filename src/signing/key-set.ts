import { listPublished, type SigningKey } from "../domain/keys/signing-key.ts"
import type { Timestamp } from "../domain/values/time/timestamp.ts"

/** The JWK set that products verify with: current, next, then retired. */
export function renderKeySet(keys: readonly SigningKey[], at: Timestamp): string {
  const members = listPublished(keys, at).map(({ id, publicKey, endorsements }) => ({
    kty: "OKP",
    crv: "Ed25519",
    x: publicKey,
    kid: id,
    endorsed: endorsements,
  }))
  return JSON.stringify({ keys: members })
}
