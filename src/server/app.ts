/**
 * Composition: configuration → store → services. A command needs no more; server-app.ts adds the
 * listeners, so that commands do not load the pages.
 */
import type { Config } from "../config/config.ts"
import type { EventVault } from "../domain/events/event.ts"
import type { FeedSecrets } from "../domain/feed/feed.ts"
import type { KeyVault } from "../domain/keys/api-key.ts"
import type { Actor } from "../domain/sign-in/audit-event.ts"
import type { Store } from "../domain/store.ts"
import type { EndpointServices } from "../operations/events/endpoints.ts"
import { type Issuing, importKey } from "../operations/keys/issue-key.ts"
import { createSigningKeys, type SigningKeyServices } from "../operations/keys/signing-keys.ts"
import {
  adoptMasterKey,
  type OpenedKeys,
  openMasterKeys,
  readMasterKey,
} from "../secrets/master-key.ts"
import {
  createEndpointVault,
  createEventVault,
  createKeyVault,
  createSigningKeyVault,
} from "../secrets/vaults.ts"
import { createSigningKeyMaker } from "../signing/signing.ts"
import { migrateStore, openStore } from "../store/open.ts"
import type { StoreUse } from "../store/sql/database.ts"
import type { Migrated, OnMigration, OnProgress } from "../store/sql/migrate.ts"
import { createTargetRules, type TargetRules } from "../webhooks/target.ts"

export type App = Readonly<{
  store: Store
  vault: KeyVault
  feedSecrets: FeedSecrets
  now: () => Date
  /** The services for acting on a key; the audit names the actor. */
  keyServices(actor: Actor): Issuing
  signingKeyServices: SigningKeyServices
  /** The services for acting on an endpoint; the audit names the actor. */
  endpointServices(actor: Actor): EndpointServices
  targetRules: TargetRules
  eventVault: EventVault
  masterKeys: OpenedKeys
  close(): Promise<void>
}>

/** Creates the store, its master key and signing keys, or brings an older store to this version. */
export async function migrateApp(
  config: Config,
  onMigration: OnMigration,
  onProgress: OnProgress = () => {},
): Promise<Migrated> {
  // Read the key first: if it cannot be read, no store is created.
  if (config.masterKey.from !== "made") readMasterKey(config.masterKey)
  const migrated = await migrateStore(config.store, onMigration, onProgress)
  const store = await openStore(config.store, "command")
  try {
    const master = await adoptMasterKey(store.metadata, config)
    const signingKeyMaker = createSigningKeyMaker(createSigningKeyVault(master))
    const { signingKeys } = store
    await createSigningKeys({ signingKeys, signingKeyMaker, now: () => new Date() })
  } finally {
    await store.close()
  }
  return migrated
}

/** Throws MigrationNeeded where there is no store, or an older one. */
export const openApp = (config: Config): Promise<App> =>
  openStoreFor("command", config, async (store, masterKeys) => createApp(config, store, masterKeys))

/** Opens the store and its master key, and closes the store again if `assemble` fails. */
export async function openStoreFor<T>(
  use: StoreUse,
  config: Config,
  assemble: (store: Store, masterKeys: OpenedKeys) => Promise<T>,
): Promise<T> {
  const store = await openStore(config.store, use)
  try {
    return await assemble(store, await openMasterKeys(store.metadata, config))
  } catch (error) {
    await store.close()
    throw error
  }
}

export function createApp(
  config: Config,
  store: Store,
  masterKeys: OpenedKeys,
  now: () => Date = () => new Date(),
): App {
  const vault = createKeyVault(masterKeys)
  const feedSecrets: FeedSecrets = {
    prepareKey: (username, secret) => importKey(vault, now, username, secret),
    keys: vault,
  }
  const signingKeyMaker = createSigningKeyMaker(createSigningKeyVault(masterKeys))
  const endpointVault = createEndpointVault(masterKeys)
  const targetRules = createTargetRules(config)
  const { keys, items, audit, signingKeys, endpoints, messages } = store
  return {
    store,
    vault,
    feedSecrets,
    now,
    keyServices: (actor) => ({ keys, items, audit, vault, now, actor }),
    signingKeyServices: { signingKeys, signingKeyMaker, now },
    endpointServices: (actor) => ({
      endpoints,
      messages,
      audit,
      endpointVault,
      findHostProblem: targetRules.findHostProblem,
      now,
      actor,
    }),
    targetRules,
    eventVault: createEventVault(masterKeys),
    masterKeys,
    close: () => store.close(),
  }
}
