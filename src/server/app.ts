/** Composition for commands: configuration → store → services. compose.ts adds the listeners and pages. */

import { type Actor, commandLine } from "../access/actor.ts"
import { tokens } from "../access/token.ts"
import { type Config, readConfig } from "../config/config.ts"
import type { PrepareKey } from "../feed/feed-record.ts"
import { createKeyCipher } from "../keys/key.ts"
import { importKey } from "../keys/key-operations.ts"
import { createEmailCipher } from "../mail/email.ts"
import { createPasswordHasher } from "../people/password.ts"
import { invitationLink } from "../people/person-email-operations.ts"
import { hideExpired } from "../people/session.ts"
import type { CommandContext } from "../platform/cli/command.ts"
import type { Migrated, OnMigration, OnProgress } from "../platform/database/schema-versions.ts"
import type { StoreUse } from "../platform/database/sql.ts"
import { assertNotOwnFile } from "../platform/database/sqlite-file.ts"
import { httpUrl } from "../platform/ip-range.ts"
import { secondsBefore } from "../platform/time.ts"
import { createSigningKeyCipher, createSigningKeyMaker } from "../signing/signing-key.ts"
import { createSigningKeys } from "../signing/signing-key-operations.ts"
import {
  initializeMasterKey,
  type OpenedKeys,
  openMasterKeys,
  readMasterKey,
} from "../store/master-key.ts"
import { findLocalServerUrl, nodeGoneSeconds } from "../store/node.ts"
import { migrateStore, openStore } from "../store/open-store.ts"
import type { Store } from "../store/store.ts"
import { createTargetRules } from "../webhooks/sender.ts"
import { createEndpointCipher, createEventCipher } from "../webhooks/webhook.ts"

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

export type App = ReturnType<typeof createApp>

export function createApp(
  config: Config,
  stores: Store,
  masterKeys: OpenedKeys,
  now: () => Date = () => new Date(),
) {
  const store = { ...stores, sessions: hideExpired(stores.sessions, now) }
  const keyCipher = createKeyCipher(masterKeys)
  const signingKeyMaker = createSigningKeyMaker(createSigningKeyCipher(masterKeys))
  const endpointCipher = createEndpointCipher(masterKeys)
  const targetRules = createTargetRules(config)
  const { findHostProblem } = targetRules
  const emailCipher = createEmailCipher(masterKeys)
  const { mailServer, siteLocale } = config
  const notices = mailServer && { emailCipher, now, siteLocale }
  const { keys, items, audit, signingKeys, endpoints, messages } = store
  const prepareKey: PrepareKey = (secret) => importKey(keyCipher, now, secret)
  return {
    store,
    keyCipher,
    prepareKey,
    now,
    keyServices: (actor: Actor) => ({ keys, items, audit, keyCipher, now, actor }),
    signingKeyServices: (actor: Actor) => ({ signingKeys, signingKeyMaker, audit, now, actor }),
    endpointServices(actor: Actor) {
      return { endpoints, messages, audit, endpointCipher, findHostProblem, now, actor }
    },
    targetRules,
    eventCipher: createEventCipher(masterKeys),
    emailCipher,
    /** E-mails about changes. Null without a mail server, as below. */
    notices,
    createMailing: (baseUrl: string) =>
      notices && { ...notices, linkOf: (token: string) => invitationLink(baseUrl, token) },
    masterKeys,
    close: () => store.close(),
  }
}

/** Opens the database for one command: `await using app = await openCommandApp(context)`. */
export async function openCommandApp({
  env,
  printStderr,
}: Pick<CommandContext, "env" | "printStderr">) {
  const app = await openApp(readConfig(env))
  const { store, keyCipher, now, notices } = app
  const hasher = createPasswordHasher()
  const services = { ...store, keyCipher, now, tokens, hasher, notices, actor: commandLine }
  return {
    ...app,
    services,
    readLinkBaseUrl: () => readLinkBaseUrl({ env, printStderr }, app),
    [Symbol.asyncDispose]: app.close,
  }
}

/** Throws UserError if `path` is a file of the database, which output must not overwrite. Ignores null. */
export function rejectDatabaseFiles(
  { env }: Pick<CommandContext, "env">,
  path: string | null,
): void {
  const { store } = readConfig(env)
  if (path !== null && store.kind === "sqlite") assertNotOwnFile(store.path, path)
}

/** Returns the base URL of links. Warns if it is a guess: PAZAR_PUBLIC_URL is not set, and no server runs here. */
async function readLinkBaseUrl(
  { env, printStderr }: Pick<CommandContext, "env" | "printStderr">,
  { store, now }: Pick<App, "store" | "now">,
): Promise<string> {
  const { publicUrl, host, port } = readConfig(env)
  if (publicUrl !== null) return publicUrl
  const local = findLocalServerUrl(await store.nodes.list(secondsBefore(now(), nodeGoneSeconds)))
  if (local !== null) return local
  const guess = httpUrl(host, port)
  printStderr(`no server is known at ${guess}, the base URL of the links; set PAZAR_PUBLIC_URL`)
  return guess
}
