import { createCipher, type MasterKey, type MasterKeys } from "../platform/crypto/cipher.ts"
import type { SigningKeyCipher } from "./signing-key.ts"

export const createSigningKeyCipher = (master: MasterKey | MasterKeys): SigningKeyCipher =>
  createCipher(master, "signing key", (id) => [id])
