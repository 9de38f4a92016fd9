/** Composition: configuration → store → services. The one place where the program is assembled. */

import type { Config, MasterKeySource } from "./config.ts"
import type { KeyVault } from "./domain/api-key.ts"
import { sampleWorld } from "./domain/sample-world.ts"
import type { Store } from "./domain/store.ts"
import type { PrepareKey } from "./feed/record.ts"
import { type Listener, openServer } from "./http/server.ts"
import type { Log } from "./log.ts"
import { importKey } from "./operations/import-key.ts"
import { createCanary, createKeyVault, isSameCanary, type MasterKey } from "./secrets/key-vault.ts"
import { MasterKeyError, makeMasterKeyFile, readMasterKeyFile } from "./secrets/master-key.ts"
import { openStore } from "./store/open.ts"

export type App = Readonly<{
  store: Store
  vault: KeyVault
  prepareKey: PrepareKey
  now: () => Date
  listen(log: Log): Listener
  close(): Promise<void>
}>

const canaryMark = "master key canary"

export async function openApp(config: Config): Promise<App> {
  const store = await openStore(config.store)
  try {
    const vault = createKeyVault(await admitMasterKey(store, config.masterKey))
    return assemble(config, store, vault)
  } catch (error) {
    await store.close()
    throw error
  }
}

function assemble(config: Config, store: Store, vault: KeyVault): App {
  const now = () => new Date()
  const prepareKey: PrepareKey = (username, secret) => importKey(vault, now, username, secret)
  const { host, port, siteLocale, operatorToken } = config
  return {
    store,
    vault,
    prepareKey,
    now,
    listen(log) {
      const api = { catalogue: store, sampleWorld, keys: store.keys, vault, now, siteLocale }
      const operator =
        operatorToken === null ? null : { token: operatorToken, feed: store.feed, prepareKey }
      return openServer({ host, port, api, operator, log })
    },
    close: () => store.close(),
  }
}

/**
 * A store remembers its master key by a canary. Under another one every key would be unknown and
 * nothing could be shown again, so a wrong one is refused before anything is written with it.
 */
async function admitMasterKey(store: Store, source: MasterKeySource): Promise<MasterKey> {
  const known = await store.marks.find(canaryMark)
  const master = readMasterKey(source, known !== null)
  const kept = await store.marks.putFirst(canaryMark, createCanary(master))
  if (!isSameCanary(kept, createCanary(master))) {
    throw new MasterKeyError("this store was made with another master key; give it that one")
  }
  return master
}

function readMasterKey(source: MasterKeySource, isStoreKnown: boolean): MasterKey {
  if (source.from === "environment") return source.key
  if (source.from === "file" || isStoreKnown) return readMasterKeyFile(source.path)
  return makeMasterKeyFile(source.path)
}
