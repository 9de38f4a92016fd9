import type { EncryptedRow } from "../domain/keys/encrypted-rows.ts"
import type { Store } from "../domain/store.ts"
import { DecryptionFailed } from "../domain/values/error.ts"
import { type Cipher, createCipher, createKeyCipher, type MasterKey } from "./ciphers.ts"
import { completeRotation, type OpenedKeys } from "./master-key.ts"

/**
 * Encrypts with the current master key what the previous one has encrypted. Servers with both keys keep running. An
 * interrupted run is completed by the next. `broken` names the rows that neither key decrypts.
 */
export async function reencrypt(
  { metadata, encryptedRows }: Pick<Store, "metadata" | "encryptedRows">,
  keys: OpenedKeys & Readonly<{ previous: MasterKey }>,
  onBatch: (table: string, rows: number) => void,
): Promise<Readonly<{ rows: number; broken: readonly string[] }>> {
  const keyCipher = createKeyCipher(keys.current)
  const broken = new Set<string>()
  const createReencrypt = (purpose: string) => {
    const bind = (owner: readonly string[]) => owner
    const cipher = createCipher(keys.current, purpose, bind)
    const previous = createCipher(keys.previous, purpose, bind)
    return (row: EncryptedRow) => {
      const own = decrypt(cipher, row)
      const text = own ?? decrypt(previous, row)
      if (text === null) {
        broken.add(`${row.owner.join(" of ")} in ${row.table}`)
        return null
      }
      const lookup = purpose === "key" ? keyCipher.lookup(text) : null
      // Renaming an account encrypts its keys again, but leaves their look-up values.
      const isFound = lookup === null || Buffer.from(lookup).equals(row.lookup ?? new Uint8Array())
      return own !== null && isFound ? null : { encrypted: cipher.encrypt(text, row.owner), lookup }
    }
  }
  let rows = 0
  for (let changed = 1; changed > 0; rows += changed) {
    broken.clear()
    changed = await encryptedRows.rewrite(createReencrypt, onBatch)
  }
  if (!keys.isReencrypted) await completeRotation(metadata, keys)
  return { rows, broken: [...broken] }
}

/** Null if another key has encrypted it. */
function decrypt(
  cipher: Cipher<readonly string[]>,
  { encrypted, owner }: EncryptedRow,
): string | null {
  try {
    return cipher.decrypt(encrypted, owner)
  } catch (error) {
    if (error instanceof DecryptionFailed) return null
    throw error
  }
}
