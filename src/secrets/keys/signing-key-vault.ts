import { randomBytes } from "node:crypto"
import type { SigningKeyVault } from "../../domain/keys/signing-key.ts"
import type { MasterKey } from "./key-vault.ts"
import { nonceBytes, seal, subKey, unseal } from "./sealing.ts"

export function createSigningKeyVault(master: MasterKey): SigningKeyVault {
  const sealKey = subKey(master, "signing key seal")
  return {
    seal: (privateKey, id) => seal(sealKey, randomBytes(nonceBytes), privateKey, [id]),
    unseal: (sealed, id) => unseal(sealKey, sealed, [id]),
  }
}
