import type { MarkStore } from "../domain/store.ts"
import { createCanary, isSameCanary, type MasterKey } from "./key-vault.ts"
import { MasterKeyError } from "./master-key.ts"

const canaryMark = "master key canary"

/**
 * A store remembers its master key by a canary. Under another one every key would be unknown and
 * nothing could be shown again, so a wrong one is refused before anything is written with it.
 */
export async function admitMasterKey(
  marks: MarkStore,
  readMasterKey: (isStoreKnown: boolean) => MasterKey,
): Promise<MasterKey> {
  const known = await marks.find(canaryMark)
  const master = readMasterKey(known !== null)
  const kept = await marks.putFirst(canaryMark, createCanary(master))
  if (!isSameCanary(kept, createCanary(master))) {
    throw new MasterKeyError("this store was made with another master key; give it that one")
  }
  return master
}
