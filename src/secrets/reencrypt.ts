import type { EncryptedRow, Store } from "../domain/store.ts"
import { DecryptionFailed } from "../domain/values/error.ts"
import { type Cipher, createCipher, createKeyCipher, type MasterKey } from "./ciphers.ts"
import { completeRotation, type OpenedKeys } from "./master-key.ts"

/**
 * Re-encrypts all rows with the current master key. Servers that have both keys can keep running. The next run completes
 * an interrupted one. `broken` lists the rows that neither key decrypts.
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
      const current = decrypt(cipher, row)
      const text = current ?? decrypt(previous, row)
      if (text === null) {
        broken.add(`${row.owner.join(" of ")} in ${row.table}`)
        return null
      }
      const lookup = purpose === "key" ? keyCipher.lookup(text) : null
      // Renaming an account re-encrypts its keys, but does not change their lookup values.
      const isLookupCurrent =
        lookup === null || Buffer.from(lookup).equals(row.lookup ?? new Uint8Array())
      if (current !== null && isLookupCurrent) return null
      return { encrypted: cipher.encrypt(text, row.owner), lookup }
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

/** Returns null if the row was encrypted with another key. */
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
