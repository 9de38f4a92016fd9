/** Fills an empty store with the sample marketplace, through the same door as any feed. */
import type { App } from "../app.ts"
import type { IssuedKind, StoredKey } from "../domain/api-key.ts"
import { importFeed } from "../feed/import-feed.ts"
import { findAccount } from "../operations/find-account.ts"
import { issueKey } from "../operations/issue-key.ts"
import marketplace from "./marketplace.ndjson" with { type: "text" }

const source = "the sample marketplace"

export type DemoKey = Readonly<{ username: string; label: string; secret: string }>

const wishes: readonly Readonly<{ username: string; kind: IssuedKind; label: string }>[] = [
  { username: "elif", kind: "sk", label: "Secret key" },
  { username: "elif", kind: "vk", label: "Validation key" },
  { username: "elif", kind: "tk", label: "Test key" },
  { username: "marcus", kind: "sk", label: "Secret key" },
]

/** A store that was filled before keeps what has become of it since. */
export async function fillOnce(app: App): Promise<readonly DemoKey[]> {
  const last = await app.store.feed.findLastRun(source)
  if (last?.finishedAt === undefined || last.finishedAt === null) await fill(app)
  const keys: DemoKey[] = []
  for (const wish of wishes) keys.push({ ...wish, secret: await findOrIssue(app, wish) })
  return keys
}

async function fill(app: App): Promise<void> {
  const { rejected } = await importFeed({
    feed: app.store.feed,
    prepareKey: app.prepareKey,
    source,
    bytes: (async function* () {
      yield new TextEncoder().encode(marketplace)
    })(),
    mode: "batches",
    batchRecords: 1_000,
    onRefused: () => {},
    onRefusedBytes: () => {},
    onProgress: () => {},
  })
  if (rejected > 0) throw new Error(`${rejected} records of the sample marketplace were refused`)
}

async function findOrIssue(app: App, wish: (typeof wishes)[number]): Promise<string> {
  const { username, kind, label: name } = wish
  const { accounts, keys, items } = app.store
  const account = await findAccount(accounts, username)
  const isWanted = (key: StoredKey) => key.kind === kind && key.name === name && key.revokedAt === null
  const kept = (await keys.list(account.id)).find(isWanted)
  if (kept !== undefined) return app.vault.unseal(kept.sealed, kept)
  const services = { keys, items, vault: app.vault, now: app.now }
  const issued = await issueKey(services, account, { kind, name, itemIds: null, expiresAt: null })
  return issued.secret
}
