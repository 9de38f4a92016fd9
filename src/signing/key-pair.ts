/** Ed25519 key pairs: made, named by their thumbprint, sealed, and endorsed by their predecessor. */
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto"
import type { SigningKey, SigningKeyMaker, SigningKeyVault } from "../domain/keys/signing-key.ts"

export function createSigningKeyMaker(vault: SigningKeyVault): SigningKeyMaker {
  return {
    createPair() {
      const { x = "", d = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
      const id = thumbprintOf(x)
      return { id, publicKey: x, sealed: vault.seal(d, id) }
    },
    endorse: (by, id) => ({ by: by.id, sig: endorse(unsealPrivateKey(by, vault), id) }),
  }
}

/** RFC 7638: SHA-256 of the required members in the order of their names. */
export const thumbprintOf = (publicKey: string) =>
  createHash("sha256")
    .update(`{"crv":"Ed25519","kty":"OKP","x":"${publicKey}"}`)
    .digest("base64url")

export const endorse = (privateKey: KeyObject, id: string) =>
  sign(null, Buffer.from(`pazar-key:${id}`), privateKey).toString("base64url")

export function unsealPrivateKey(
  { id, publicKey, sealed }: Pick<SigningKey, "id" | "publicKey" | "sealed">,
  vault: Pick<SigningKeyVault, "unseal">,
): KeyObject {
  const d = vault.unseal(sealed, id)
  return createPrivateKey({
    format: "jwk",
    key: { kty: "OKP", crv: "Ed25519", x: publicKey, d },
  })
}
