import { encodeBase62 } from "../domain/keys/api-key.ts"
import { commandLine } from "../domain/sign-in/audit-event.ts"
import { UserError } from "../domain/values/error.ts"
import { exportFeed } from "../feed/export-feed.ts"
import { importFeed } from "../feed/import-feed.ts"
import { asOfWrite } from "../feed/parse-line.ts"
import { requireAccount } from "../operations/catalog/account-operations.ts"
import { createOperator } from "../operations/sign-in/operator-operations.ts"
import { setPassword } from "../operations/sign-in/sign-in.ts"
import { createPasswordHasher } from "../secrets/sign-in/password-hasher.ts"
import { tokens } from "../secrets/sign-in/tokens.ts"
import type { App } from "../server/app.ts"
import marketplace from "./marketplace.ndjson" with { type: "text" }
import { addSampleKeys, listPrintedKeys, type PrintedKey } from "./sample-keys.ts"
import { addSampleSites } from "./sample-sites.ts"

const source = "the sample marketplace"
const recordsMetadataKey = "filled with the sample marketplace"
const keysMetadataKey = "filled with the sample marketplace's keys"
const sitesMetadataKey = "filled with the sample marketplace's sites"

/** `password` is valid for the author elif and for the operator. */
export type DemoCredentials = Readonly<{
  keys: readonly PrintedKey[]
  password: string
  operator: string
}>

const operator = "operator"

/**
 * Seeds a database once; later calls only update the URLs of pictures. Throws UserError for a database with other data,
 * which may be a real marketplace.
 */
export async function seedDemo(app: App, baseUrl: string): Promise<DemoCredentials> {
  const { accounts, feed, metadata } = app.store
  if ((await metadata.find(recordsMetadataKey)) === null) {
    // A recorded run without the metadata key is an interrupted import, or a demo of an older version.
    const run = await feed.findLastRun(source)
    if (run === null && (await accounts.list("", 1)).length > 0) {
      throw new UserError(
        "the database contains other data than the sample marketplace; use an empty database, or unset DATABASE_URL",
      )
    }
    if (run === null || run.finishedAt === null) await load(app, source, marketplace)
    await metadata.putIfAbsent(recordsMetadataKey, "yes")
  }
  await updatePictureUrls(app, baseUrl)
  if ((await metadata.find(keysMetadataKey)) === null) {
    await addSampleKeys(app)
    await metadata.putIfAbsent(keysMetadataKey, "yes")
  }
  if ((await metadata.find(sitesMetadataKey)) === null) {
    await addSampleSites(app)
    await metadata.putIfAbsent(sitesMetadataKey, "yes")
  }
  return { keys: await listPrintedKeys(app), password: await choosePassword(app), operator }
}

/** Derives the password from the master key, so that it is secret and the same at every start. */
async function choosePassword({ store, keyCipher, now }: App): Promise<string> {
  const password = encodeBase62(keyCipher.lookup("the demo's password")).slice(0, 12)
  const elif = await requireAccount(store.accounts, "elif")
  const hasher = createPasswordHasher()
  if ((await store.passwords.find(elif.id)) === null) {
    await setPassword({ passwords: store.passwords, hasher }, elif, password)
  }
  if (!(await store.operators.hasAny())) {
    const services = { ...store, hasher, tokens, now, actor: commandLine }
    await createOperator(services, { name: operator, email: null, role: "admin" }, password)
  }
  return password
}

/** The server itself serves the pictures, so their URLs change with its own. */
async function updatePictureUrls(app: App, baseUrl: string): Promise<void> {
  const changed: string[] = []
  await exportFeed(app.store.feed, async (lines) => {
    for (const line of lines.split("\n")) {
      const updated = line.replaceAll(/"https?:\/\/[^"/]+(?=\/demo\/[a-z]+\.svg")/g, `"${baseUrl}`)
      if (updated !== line) changed.push(updated)
    }
  })
  if (changed.length > 0) await load(app, "the sample marketplace's pictures", changed.join("\n"))
}

async function load(app: App, from: string, lines: string): Promise<void> {
  const { counts } = await importFeed({
    feed: app.store.feed,
    secrets: app.feedSecrets,
    source: from,
    via: "file",
    bytes: (async function* () {
      yield new TextEncoder().encode(lines)
    })(),
    mode: "batches",
    chooseAsOf: asOfWrite,
    fullSync: null,
    batchRecords: 1_000,
    onRejected: () => {},
    onDefaulted: () => {},
    onProgress: () => {},
  })
  if (counts.rejected > 0)
    throw new Error(`${counts.rejected} records of the sample marketplace were rejected`)
}
