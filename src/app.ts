/** Composition: configuration → store → services. The one place where the program is assembled. */

import { version } from "../package.json"
import type { Config } from "./config.ts"
import type { KeyVault } from "./domain/api-key.ts"
import type { FeedSecrets } from "./domain/feed.ts"
import { sampleWorld } from "./domain/sample-world.ts"
import type { Store } from "./domain/store.ts"
import { every } from "./every.ts"
import { type Housekeeping, openHousekeeping } from "./housekeeping.ts"
import { createResponseCache } from "./http/api/response-cache.ts"
import { type Listener, openServer } from "./http/server.ts"
import { createSignInThrottle } from "./limits/sign-in-throttle.ts"
import type { Log } from "./log.ts"
import { createSigningKeys } from "./operations/create-signing-keys.ts"
import { importKey } from "./operations/import-key.ts"
import type { Issuing } from "./operations/issue-key.ts"
import type { MovingSigningKeys } from "./operations/move-signing-keys.ts"
import type { SigningKeyRotation } from "./operations/rotate-signing-key.ts"
import { admitMasterKey, adoptMasterKey } from "./secrets/admit-master-key.ts"
import { createKeyVault, type MasterKey } from "./secrets/key-vault.ts"
import { createKnownKeys } from "./secrets/known-keys.ts"
import { readMasterKey } from "./secrets/master-key.ts"
import { createNoteVault } from "./secrets/note-vault.ts"
import { createPasswordHasher } from "./secrets/password-hasher.ts"
import { createPasswordVault } from "./secrets/password-vault.ts"
import { createSigningKeyVault } from "./secrets/signing-key-vault.ts"
import { tokens } from "./secrets/tokens.ts"
import { createTravelVault } from "./secrets/travel-vault.ts"
import { createSigningKeyMaker } from "./signing/key-pair.ts"
import { createKnownSigningKeys, type KnownSigningKeys } from "./signing/known-signing-keys.ts"
import { createSigning } from "./signing/signing.ts"
import type { Migrated, OnMigration } from "./store/migrate.ts"
import { migrateStore, openStore } from "./store/open.ts"
import type { StoreUse } from "./store/use.ts"
import { openUsageCounter } from "./usage/usage-counter.ts"

export type App = Readonly<{
  store: Store
  vault: KeyVault
  feedSecrets: FeedSecrets
  now: () => Date
  /** The services for acting on a key; `from` is shown to the author as the actor. */
  keyServices(from: string): Issuing
  signingKeyServices: SigningKeyRotation & MovingSigningKeys
  /** One listener of a process watches the store and logs when it can no longer be used. */
  listen(log: Log, options: Readonly<{ watchesStore: boolean }>): Listener
  /** One thread of each program runs it. */
  openHousekeeping(log: Log): Housekeeping
  close(): Promise<void>
}>

const now = () => new Date()

/** Creates the store, its master key and signing keys, or brings an older store to this version. */
export async function migrateApp(config: Config, onMigration: OnMigration): Promise<Migrated> {
  // Read the key first: if it cannot be read, no store is created.
  if (config.masterKey.from !== "made") readMasterKey(config.masterKey)
  const migrated = await migrateStore(config.store, onMigration)
  const store = await openStore(config.store, "command")
  try {
    const master = await adoptMasterKey(store.metadata, config.masterKey)
    const signingKeyMaker = createSigningKeyMaker(createSigningKeyVault(master))
    await createSigningKeys({ ...store, signingKeyMaker, now })
  } finally {
    await store.close()
  }
  return migrated
}

/** Throws MigrationNeeded where there is no store, or an older one. For a server it also reads the signing keys. */
export async function openApp(config: Config, use: StoreUse): Promise<App> {
  const store = await openStore(config.store, use)
  try {
    const master = await admitMasterKey(store.metadata, config.masterKey)
    const knownSigningKeys = createKnownSigningKeys({
      ...store,
      vault: createSigningKeyVault(master),
    })
    if (use === "serve") await knownSigningKeys.read()
    return assemble(config, store, master, knownSigningKeys)
  } catch (error) {
    await store.close()
    throw error
  }
}

function assemble(
  config: Config,
  store: Store,
  master: MasterKey,
  knownSigningKeys: KnownSigningKeys,
): App {
  const vault = createKeyVault(master)
  const feedSecrets: FeedSecrets = {
    prepareKey: (username, secret) => importKey(vault, now, username, secret),
    keys: vault,
    passwords: createPasswordVault(master),
    travel: createTravelVault(master),
    mayReplacePasswords: false,
  }
  const keyServices = (from: string) => ({ ...store, vault, now, from })
  const signingKeyVault = createSigningKeyVault(master)
  const signingKeyMaker = createSigningKeyMaker(signingKeyVault)
  const { siteLocale, siteName, supportUrl, operatorToken, receiptDays } = config
  return {
    store,
    vault,
    feedSecrets,
    now,
    keyServices,
    signingKeyServices: { ...store, signingKeyMaker, signingKeyVault, now, receiptDays },
    listen(log, { watchesStore }) {
      const usage = openUsageCounter({
        usage: store.usage,
        now,
        every,
        onFault: (fault) => log.failure("usage could not be written", fault),
      })
      const knownKeys = createKnownKeys({ ...store, vault })
      const cache = createResponseCache((fault) => log.failure("a list could not be cached", fault))
      const { prepareSigning, readKeySet } = createSigning(knownSigningKeys, { now, receiptDays })
      const listener = openServer({
        ...config,
        api: {
          ...{ catalogue: store, sampleWorld, findKey: knownKeys.find, now },
          ...{ siteLocale, cache, prepareSigning },
        },
        readKeySet,
        operator:
          operatorToken === null
            ? null
            : { token: operatorToken, feed: store.feed, secrets: feedSecrets },
        createWorkspaceServices: (url) => ({
          ...{ store, vault, tokens, now, keyServices, siteLocale },
          site: { name: siteName, supportUrl },
          noteVault: createNoteVault(master),
          hasher: createPasswordHasher(config.passwordCost),
          throttle: createSignInThrottle({
            failures: store.signInFailures,
            digest: tokens.digest,
            now,
          }),
          publicUrl: config.publicUrl ?? url,
        }),
        usage,
        version,
        askStore: store.probe,
        watchesStore,
        log,
      })
      return {
        ...listener,
        async close() {
          await listener.close()
          await usage.close()
        },
      }
    },
    openHousekeeping: (log) => openHousekeeping({ ...store, now }, log),
    close: () => store.close(),
  }
}
