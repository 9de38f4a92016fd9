import type { SealedRow } from "../domain/keys/sealed-rows.ts"
import type { Store } from "../domain/store.ts"
import { SealBroken } from "../domain/values/error.ts"
import { completeRotation, type OpenedKeys } from "./master-key.ts"
import { createKeyVault, createSealer, type MasterKey, type Sealer } from "./vaults.ts"

/**
 * Encrypts with the current master key what the previous one has encrypted. Servers with both keys keep running. An
 * interrupted run is completed by the next. `broken` names the rows that neither key decrypts.
 */
export async function reseal(
  { metadata, sealedRows }: Pick<Store, "metadata" | "sealedRows">,
  keys: OpenedKeys & Readonly<{ previous: MasterKey }>,
  onBatch: (table: string, rows: number) => void,
): Promise<Readonly<{ rows: number; broken: readonly string[] }>> {
  const vault = createKeyVault(keys.current)
  const broken = new Set<string>()
  const createReseal = (purpose: string) => {
    const bind = (owner: readonly string[]) => owner
    const sealer = createSealer(keys.current, purpose, bind)
    const previous = createSealer(keys.previous, purpose, bind)
    return (row: SealedRow) => {
      const own = decrypt(sealer, row)
      const text = own ?? decrypt(previous, row)
      if (text === null) {
        broken.add(`${row.owner.join(" of ")} in ${row.table}`)
        return null
      }
      const lookup = purpose === "key" ? vault.lookup(text) : null
      // Renaming an account encrypts its keys again, but leaves their look-up values.
      const isFound = lookup === null || Buffer.from(lookup).equals(row.lookup ?? new Uint8Array())
      return own !== null && isFound ? null : { sealed: sealer.seal(text, row.owner), lookup }
    }
  }
  let rows = 0
  for (let changed = 1; changed > 0; rows += changed) {
    broken.clear()
    changed = await sealedRows.rewrite(createReseal, onBatch)
  }
  if (!keys.isResealed) await completeRotation(metadata, keys)
  return { rows, broken: [...broken] }
}

/** Null if another key has encrypted it. */
function decrypt(sealer: Sealer<readonly string[]>, { sealed, owner }: SealedRow): string | null {
  try {
    return sealer.unseal(sealed, owner)
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}
