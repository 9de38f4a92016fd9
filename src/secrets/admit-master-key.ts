/**
 * A store recognises its master key by a canary. With another key all API keys would be unknown, so a
 * wrong one is refused before anything is written with it.
 */
import type { MetadataStore } from "../domain/store.ts"
import { createCanary, isSameCanary, type MasterKey } from "./keys/key-vault.ts"
import {
  MasterKeyError,
  type MasterKeySource,
  makeMasterKeyFile,
  readMasterKey,
} from "./master-key.ts"

const canaryMark = "master key canary"

/** The store's master key. Throws MasterKeyError when it cannot be read, or is not the store's. */
export async function admitMasterKey(
  metadata: Pick<MetadataStore, "find">,
  source: MasterKeySource,
): Promise<MasterKey> {
  const known = await metadata.find(canaryMark)
  if (known === null) {
    throw new MasterKeyError(
      "this store has no master key yet, because its creation was interrupted; run `pazar migrate`",
    )
  }
  const master = readMasterKey(source)
  assertSame(known, master)
  return master
}

/** Gives a new store its master key, and creates the key file if the source says so. */
export async function adoptMasterKey(
  metadata: MetadataStore,
  source: MasterKeySource,
): Promise<MasterKey> {
  const isNew = (await metadata.find(canaryMark)) === null
  // A store that lost its key file gets no new one: its keys could not be read with it.
  const master =
    isNew && source.from === "made" ? makeMasterKeyFile(source.path) : readMasterKey(source)
  assertSame(await metadata.putFirst(canaryMark, createCanary(master)), master)
  return master
}

function assertSame(canary: string, master: MasterKey): void {
  if (isSameCanary(canary, createCanary(master))) return
  throw new MasterKeyError("this store was made with another master key; give it that one")
}
