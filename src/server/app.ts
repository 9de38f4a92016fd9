/** Composition for commands: configuration → store → services. server-app.ts adds the listeners and pages. */
import type { Config } from "../config/config.ts"
import type { Account } from "../domain/catalog/account.ts"
import type { EventCipher } from "../domain/events/event.ts"
import type { FeedSecrets } from "../domain/feed/feed-record.ts"
import type { KeyCipher } from "../domain/keys/api-key.ts"
import type { EmailCipher } from "../domain/mail/email.ts"
import type { Actor } from "../domain/sign-in/audit-event.ts"
import type { Operator } from "../domain/sign-in/operator.ts"
import type { Store } from "../domain/store.ts"
import type { EndpointServices } from "../operations/events/endpoint-operations.ts"
import { type Issuing, importKey } from "../operations/keys/key-operations.ts"
import {
  createSigningKeys,
  type SigningKeyServices,
} from "../operations/keys/signing-key-operations.ts"
import {
  createAuthorMailing,
  createOperatorMailing,
  type LinkMailing,
} from "../operations/sign-in/invitation-operations.ts"
import {
  createEmailCipher,
  createEndpointCipher,
  createEventCipher,
  createKeyCipher,
  createSigningKeyCipher,
} from "../secrets/ciphers.ts"
import {
  initializeMasterKey,
  type OpenedKeys,
  openMasterKeys,
  readMasterKey,
} from "../secrets/master-key.ts"
import { createSigningKeyMaker } from "../signing/response-signing.ts"
import { migrateStore, openStore } from "../store/open.ts"
import type { Migrated, OnMigration, OnProgress } from "../store/sql/schema-versions.ts"
import type { StoreUse } from "../store/sql/sql-database.ts"
import { createTargetRules, type TargetRules } from "../webhooks/target.ts"

type Mailings = Readonly<{ authors: LinkMailing<Account>; operators: LinkMailing<Operator> }>

export type App = Readonly<{
  store: Store
  keyCipher: KeyCipher
  feedSecrets: FeedSecrets
  now: () => Date
  keyServices(actor: Actor): Issuing
  signingKeyServices(actor: Actor): SigningKeyServices
  endpointServices(actor: Actor): EndpointServices
  targetRules: TargetRules
  eventCipher: EventCipher
  emailCipher: EmailCipher
  /** Sends links to `baseUrl` by e-mail. Null without a mail server. */
  createMailings(baseUrl: string): Mailings | null
  masterKeys: OpenedKeys
  close(): Promise<void>
}>

/** Creates the database with its master key and signing keys, or upgrades an older one. */
export async function migrateApp(
  config: Config,
  onMigration: OnMigration,
  onProgress: OnProgress = () => {},
): Promise<Migrated> {
  // Reads the key first, so that no database is created without it.
  if (config.masterKey.from !== "made") readMasterKey(config.masterKey)
  const migrated = await migrateStore(config.store, onMigration, onProgress)
  const store = await openStore(config.store, "command")
  try {
    const master = await initializeMasterKey(store.metadata, config)
    const signingKeyMaker = createSigningKeyMaker(createSigningKeyCipher(master))
    const { signingKeys } = store
    await createSigningKeys({ signingKeys, signingKeyMaker, now: () => new Date() })
  } finally {
    await store.close()
  }
  return migrated
}

/** Throws MigrationNeeded if the database does not exist or is older. */
export const openApp = (config: Config): Promise<App> =>
  openStoreFor("command", config, async (store, masterKeys) => createApp(config, store, masterKeys))

/** Opens the store and its master key, and closes the store if `assemble` fails. */
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
  const keyCipher = createKeyCipher(masterKeys)
  const feedSecrets: FeedSecrets = {
    prepareKey: (username, secret) => importKey(keyCipher, now, username, secret),
    keys: keyCipher,
  }
  const signingKeyMaker = createSigningKeyMaker(createSigningKeyCipher(masterKeys))
  const endpointCipher = createEndpointCipher(masterKeys)
  const targetRules = createTargetRules(config)
  const emailCipher = createEmailCipher(masterKeys)
  const { mailServer, siteLocale } = config
  const { keys, items, audit, signingKeys, endpoints, messages } = store
  return {
    store,
    keyCipher,
    feedSecrets,
    now,
    keyServices: (actor) => ({ keys, items, audit, keyCipher, now, actor }),
    signingKeyServices: (actor) => ({ signingKeys, signingKeyMaker, audit, now, actor }),
    endpointServices: (actor) => ({
      endpoints,
      messages,
      audit,
      endpointCipher,
      findHostProblem: targetRules.findHostProblem,
      now,
      actor,
    }),
    targetRules,
    eventCipher: createEventCipher(masterKeys),
    emailCipher,
    createMailings(baseUrl) {
      if (mailServer === null) return null
      const services = { emailCipher, preferences: store.preferences, now }
      return {
        authors: createAuthorMailing(services, siteLocale, baseUrl),
        operators: createOperatorMailing(services, siteLocale, baseUrl),
      }
    },
    masterKeys,
    close: () => store.close(),
  }
}
