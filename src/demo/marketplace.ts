/** Fills an empty store with the sample marketplace, through the same door as any feed. */
import type { App } from "../app.ts"
import { encodeBase62, type IssuedKind, type StoredKey, stateOf } from "../domain/api-key.ts"
import { RefusedError } from "../domain/error.ts"
import { formatTimestamp } from "../domain/timestamp.ts"
import { importFeed } from "../feed/import-feed.ts"
import { issueKey } from "../operations/issue-key.ts"
import { requireAccount } from "../operations/require-account.ts"
import { setPassword } from "../operations/set-password.ts"
import { createPasswordHasher } from "../secrets/password-hasher.ts"
import marketplace from "./marketplace.ndjson" with { type: "text" }

const source = "the sample marketplace"
const filledMark = "filled with the sample marketplace"

export type DemoKey = Readonly<{ username: string; label: string; secret: string }>

const demoKeys: readonly Readonly<{ username: string; kind: IssuedKind; label: string }>[] = [
  { username: "elif", kind: "sk", label: "Secret key" },
  { username: "elif", kind: "vk", label: "Validation key" },
  { username: "elif", kind: "tk", label: "Test key" },
  { username: "marcus", kind: "sk", label: "Secret key" },
]

export type Demo = Readonly<{ keys: readonly DemoKey[]; password: string }>

/**
 * A store that was filled before is left as it is. One that holds anything else is refused: it may be a
 * real marketplace.
 */
export async function fillOnce(app: App): Promise<Demo> {
  const { accounts, feed, metadata } = app.store
  if ((await metadata.find(filledMark)) === null) {
    // Older demos set no mark, and an import can be cut short: the recorded run shows both.
    const run = await feed.findLastRun(source)
    if (run === null && (await accounts.list("", 1)).length > 0) {
      throw new RefusedError(
        "this store holds something else than the sample marketplace: give the demo an empty one, or none",
      )
    }
    if (run === null || run.finishedAt === null) await fill(app)
    await metadata.putFirst(filledMark, "yes")
  }
  const keys: DemoKey[] = []
  for (const wanted of demoKeys) keys.push({ ...wanted, secret: await findOrIssue(app, wanted) })
  return { keys, password: await choosePassword(app) }
}

/** The same at every start, and a secret of this store: it is made of the store's master key. */
async function choosePassword({ store, vault }: App): Promise<string> {
  const password = encodeBase62(vault.lookup("the demo's password")).slice(0, 12)
  const elif = await requireAccount(store.accounts, "elif")
  if ((await store.passwords.find(elif.id)) === null) {
    const services = { passwords: store.passwords, hasher: createPasswordHasher() }
    await setPassword(services, elif, password)
  }
  return password
}

async function fill(app: App): Promise<void> {
  const { rejected } = await importFeed({
    feed: app.store.feed,
    secrets: app.feedSecrets,
    source,
    bytes: (async function* () {
      yield new TextEncoder().encode(marketplace)
    })(),
    mode: "batches",
    isSealed: () => false,
    batchRecords: 1_000,
    onRefused: () => {},
    onRefusedBytes: () => {},
    onProgress: () => {},
  })
  if (rejected > 0) throw new Error(`${rejected} records of the sample marketplace were refused`)
}

async function findOrIssue(app: App, wanted: (typeof demoKeys)[number]): Promise<string> {
  const { username, kind, label: name } = wanted
  const { accounts, keys } = app.store
  const account = await requireAccount(accounts, username)
  const at = formatTimestamp(app.now())
  const isWanted = (key: StoredKey) =>
    key.kind === kind && key.name === name && stateOf(key, at) === "active"
  const kept = (await keys.list(account.id)).find(isWanted)
  if (kept !== undefined) return app.vault.unseal(kept.sealed, kept)
  const options = { kind, name, itemIds: null, expiresAt: null }
  const issued = await issueKey(app.keyServices("operator"), account, options)
  return issued.secret
}
