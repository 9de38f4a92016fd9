/** Fills an empty store with the sample marketplace, through the same door as any feed. */
import { encodeBase62 } from "../domain/keys/api-key.ts"
import { commandLine } from "../domain/sign-in/audit-event.ts"
import { UserError } from "../domain/values/error.ts"
import { exportFeed } from "../feed/export-feed.ts"
import { importFeed } from "../feed/import-feed.ts"
import { asOfWrite } from "../feed/parse-line.ts"
import { requireAccount } from "../operations/catalog/account-operations.ts"
import { createOperator } from "../operations/sign-in/operators/manage-operator.ts"
import { setPassword } from "../operations/sign-in/password-operations.ts"
import { createPasswordHasher } from "../secrets/sign-in/password-hasher.ts"
import { tokens } from "../secrets/sign-in/tokens.ts"
import type { App } from "../server/app.ts"
import marketplace from "./marketplace.ndjson" with { type: "text" }
import { addSampleKeys, listPrintedKeys, type PrintedKey } from "./sample-keys.ts"
import { addSampleSites } from "./sample-sites.ts"

const source = "the sample marketplace"
const filledMark = "filled with the sample marketplace"
const usedMark = "filled with the sample marketplace's keys"
const sitesMark = "filled with the sample marketplace's sites"

/** The password is that of the author elif and of the operator. */
export type DemoCredentials = Readonly<{
  keys: readonly PrintedKey[]
  password: string
  operator: string
}>

const operator = "operator"

/**
 * A store that was filled before is left as it is, but for the addresses of its pictures. One that
 * holds anything else is refused: it may be a real marketplace. `baseUrl` is the server's address.
 */
export async function seedDemo(app: App, baseUrl: string): Promise<DemoCredentials> {
  const { accounts, feed, metadata } = app.store
  if ((await metadata.find(filledMark)) === null) {
    // Older demos set no mark, and an import can be cut short: the recorded run shows both.
    const run = await feed.findLastRun(source)
    if (run === null && (await accounts.list("", 1)).length > 0) {
      throw new UserError(
        "this store holds something else than the sample marketplace: give the demo an empty one, or none",
      )
    }
    if (run === null || run.finishedAt === null) await load(app, source, marketplace)
    await metadata.putIfAbsent(filledMark, "yes")
  }
  await movePictures(app, baseUrl)
  if ((await metadata.find(usedMark)) === null) {
    await addSampleKeys(app)
    await metadata.putIfAbsent(usedMark, "yes")
  }
  if ((await metadata.find(sitesMark)) === null) {
    await addSampleSites(app)
    await metadata.putIfAbsent(sitesMark, "yes")
  }
  return { keys: await listPrintedKeys(app), password: await choosePassword(app), operator }
}

/** The same at every start, and a secret of this store: it is made of the store's master key. */
async function choosePassword({ store, keyCipher, now }: App): Promise<string> {
  const password = encodeBase62(keyCipher.lookup("the demo's password")).slice(0, 12)
  const elif = await requireAccount(store.accounts, "elif")
  const hasher = createPasswordHasher()
  if ((await store.passwords.find(elif.id)) === null) {
    await setPassword({ passwords: store.passwords, hasher }, elif, password)
  }
  if (!(await store.operators.hasAny())) {
    const services = { ...store, hasher, tokens, now, actor: commandLine }
    await createOperator(services, operator, password)
  }
  return password
}

/** The server itself has the pictures, so their addresses change with its own. */
async function movePictures(app: App, baseUrl: string): Promise<void> {
  const moved: string[] = []
  await exportFeed(app.store.feed, async (lines) => {
    for (const line of lines.split("\n")) {
      const here = line.replaceAll(/"https?:\/\/[^"/]+(?=\/demo\/[a-z]+\.svg")/g, `"${baseUrl}`)
      if (here !== line) moved.push(here)
    }
  })
  if (moved.length > 0) await load(app, "the sample marketplace's pictures", moved.join("\n"))
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
    throw new Error(`${counts.rejected} records of the sample marketplace were refused`)
}
