import { randomBase62 } from "../platform/crypto/base62.ts"
import {
  createCipher,
  idLength,
  type MasterKey,
  type MasterKeys,
} from "../platform/crypto/cipher.ts"
import type { EmailCipher } from "./email.ts"

/** Bound to the id, so that ciphertexts cannot be exchanged. */
export const createEmailCipher = (master: MasterKey | MasterKeys): EmailCipher => ({
  createEmailId: () => `mail_${randomBase62(idLength)}`,
  ...createCipher<string>(master, "e-mail", (id) => [id]),
})
