/** Password hashes on their way from one store to another of the same master key. */
import { createHmac } from "node:crypto"
import type { PasswordVault } from "../../domain/sign-in/password.ts"
import type { MasterKey } from "../keys/key-vault.ts"
import { nonceBytes, seal, subKey, unseal } from "../keys/sealing.ts"

/**
 * The nonce is a keyed digest of the sealed text and its owner: the same hash gives the same bytes, as an
 * export needs, and different ones are as unlikely to share a nonce as with random nonces. Two exports
 * reveal only whether a password changed between them.
 */
export function createPasswordVault(master: MasterKey): PasswordVault {
  const sealKey = subKey(master, "password seal")
  const nonceKey = subKey(master, "password nonce")
  return {
    seal(hash, username) {
      const sealed = JSON.stringify([username, hash])
      const nonce = createHmac("sha256", nonceKey).update(sealed).digest().subarray(0, nonceBytes)
      return seal(sealKey, nonce, hash, [username])
    },
    unseal: (sealed, username) => unseal(sealKey, sealed, [username]),
  }
}
