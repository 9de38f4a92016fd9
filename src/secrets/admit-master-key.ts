/**
 * A store remembers its master key by a canary. Under another key every API key would be unknown and
 * nothing could be shown again, so a wrong one is refused before anything is written with it.
 */
import type { MarkStore } from "../domain/store.ts"
import { createCanary, isSameCanary, type MasterKey } from "./key-vault.ts"
import {
  MasterKeyError,
  type MasterKeySource,
  makeMasterKeyFile,
  readMasterKey,
} from "./master-key.ts"

const canaryMark = "master key canary"

/** The store's master key. Throws MasterKeyError when it cannot be read, or is not the store's. */
export async function admitMasterKey(
  marks: Pick<MarkStore, "find">,
  source: MasterKeySource,
): Promise<MasterKey> {
  const known = await marks.find(canaryMark)
  if (known === null) {
    throw new MasterKeyError(
      "this store has no master key yet, because its creation was interrupted; run `pazar migrate`",
    )
  }
  const master = readMasterKey(source)
  assertSame(known, master)
  return master
}

/** Gives a store without a master key one, which is made where the source says so. */
export async function adoptMasterKey(marks: MarkStore, source: MasterKeySource): Promise<void> {
  const isNew = (await marks.find(canaryMark)) === null
  // A store that has lost its key file gets no other.
  const master =
    isNew && source.from === "made" ? makeMasterKeyFile(source.path) : readMasterKey(source)
  assertSame(await marks.putFirst(canaryMark, createCanary(master)), master)
}

function assertSame(canary: string, master: MasterKey): void {
  if (isSameCanary(canary, createCanary(master))) return
  throw new MasterKeyError("this store was made with another master key; give it that one")
}
