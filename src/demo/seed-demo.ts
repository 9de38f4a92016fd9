import { commandLine } from "../access/actor.ts"
import { tokens } from "../access/token.ts"
import { requireAccount } from "../accounts/account-operations.ts"
import { exportFeed } from "../feed/export-operations.ts"
import { importFeed } from "../feed/import-operations.ts"
import { asOfWrite } from "../feed/parse-line.ts"
import { createPasswordHasher } from "../people/password.ts"
import { createOperator } from "../people/person-operations.ts"
import { setPassword } from "../people/security-operations.ts"
import { findOrCreateOwner } from "../people/sign-in-operations.ts"
import { encodeBase62 } from "../platform/crypto/cipher.ts"
import { UserError } from "../platform/error.ts"
import { daySeconds, formatTimestamp, secondsBefore } from "../platform/time.ts"
import { setSiteLimits } from "../purchases/site-operations.ts"
import type { App } from "../server/app.ts"
import { createEndpoint } from "../webhooks/endpoint-operations.ts"
import marketplace from "./marketplace.ndjson" with { type: "text" }
import { addSampleKeys, listPrintedKeys } from "./sample-keys.ts"

const source = "the sample marketplace"

const operator = "operator"

/**
 * Seeds a database once; later calls only update the URLs of pictures. Throws UserError for a database with other data,
 * which may be a real marketplace. `password` is valid for the author elif and for the operator.
 */
export async function seedDemo(app: App, baseUrl: string) {
  const { accounts, feed } = app.store
  await once(app, `filled with ${source}`, async () => {
    // A recorded run without the metadata key is an interrupted import.
    const run = await feed.findLastRun(source)
    if (run === null && (await accounts.list("", 1)).length > 0) {
      throw new UserError(
        "the database contains other data than the sample marketplace; use an empty database, or unset DATABASE_URL",
      )
    }
    if (run === null || run.finishedAt === null) await load(app, source, marketplace)
  })
  await updatePictureUrls(app, baseUrl)
  await once(app, `filled with ${source}'s keys`, () => addSampleKeys(app))
  await once(app, `filled with ${source}'s sites`, () => addSampleSites(app))
  return { keys: await listPrintedKeys(app), password: await choosePassword(app), operator }
}

async function once({ store }: App, metadataKey: string, work: () => Promise<void>): Promise<void> {
  if ((await store.metadata.find(metadataKey)) !== null) return
  await work()
  await store.metadata.putIfAbsent(metadataKey, "yes")
}

export type DemoCredentials = Awaited<ReturnType<typeof seedDemo>>

/**
 * Derives the password from the master key, so that it is secret and the same at every start. `cem` is in the team of
 * elif, and marcus is an author and an operator.
 */
async function choosePassword({ store, keyCipher, now, notices }: App): Promise<string> {
  const password = encodeBase62(keyCipher.lookup("the demo's password")).slice(0, 12)
  const hasher = createPasswordHasher()
  const at = formatTimestamp(now())
  const account = await requireAccount(store.accounts, "elif")
  const elif = await findOrCreateOwner({ ...store, now }, account)
  if ((await store.passwords.find(elif.id)) === null) {
    await setPassword({ ...store, hasher }, elif, password)
    const marcus = await findOrCreateOwner(
      { ...store, now },
      await requireAccount(store.accounts, "marcus"),
    )
    await setPassword({ ...store, hasher }, marcus, password)
    await store.operators.insert(marcus.id, "support")
    const id = await store.people.insert({ name: "cem", email: null, createdAt: at })
    const cem = id === null ? null : await store.people.find(id)
    if (cem !== null) {
      await store.people.putMember(account.id, cem.id, "support", at)
      await setPassword({ ...store, hasher }, cem, password)
    }
  }
  if ((await store.operators.findByName(operator)) === null) {
    const services = { ...store, hasher, tokens, now, notices, actor: commandLine }
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
    prepareKey: app.prepareKey,
    source: from,
    via: "file",
    bytes: (async function* () {
      yield new TextEncoder().encode(lines)
    })(),
    mode: "batches",
    chooseAsOf: asOfWrite,
    fullSync: null,
    batchRecords: 1_000,
    now: app.now,
    onRejected: () => {},
    onDefaulted: () => {},
    onProgress: () => {},
  })
  if (counts.rejected > 0)
    throw new Error(`${counts.rejected} records of the sample marketplace were rejected`)
}

/** Reserved names, which do not belong to real sites. */
const branches = ["ankara", "izmir", "bursa", "adana", "konya", "mersin"].flatMap((city) => [
  `${city}.example.com`,
  `${city}.example.net`,
])

const siteVisits = [
  { daysAgo: 210, code: "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21", sites: ["old-shop.example.com"] },
  { daysAgo: 80, code: "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21", sites: ["shop.example.com"] },
  {
    daysAgo: 1,
    code: "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21",
    sites: ["shop.example.com", "blog.example.net", "staging.shop.example.com", "localhost"],
  },
  { daysAgo: 3, code: "c9f0f895-fb98-4b91-8a7d-2f1e5b6c4d90", sites: branches },
  { daysAgo: 2, code: "45c48cce-2e2d-4f3a-9c1b-7a8d9e0f1b2c", sites: ["studio.example.org"] },
]

export async function addSampleSites({ store, now }: Pick<App, "store" | "now">): Promise<void> {
  for (const { daysAgo, code, sites } of siteVisits) {
    const visits = sites.map((site) => ({ code, site }))
    await store.sites.recordSeen(secondsBefore(now(), daysAgo * daySeconds), visits)
  }
  const { id: accountId, username } = await requireAccount(store.accounts, "elif")
  const services = { sites: store.sites, audit: store.audit, now, actor: commandLine }
  const limits = { sites: 3, byLicense: { Extended: 25 } }
  await setSiteLimits(services, { id: 1001, accountId, username }, limits)
}

const path = "/pazar-demo-receiver"

export type DemoReceiver = ReturnType<typeof openDemoReceiver>

export function openDemoReceiver(print: (line: string) => void) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      // Only the type is printed, because other fields could contain control characters.
      const [, type] = /^\{"type":"([a-z_.]{1,40})"/.exec(await request.text()) ?? []
      if (type === undefined) return new Response(null, { status: 400 })
      print(`received webhook: ${type}`)
      return new Response("received")
    },
  })
  return { url: `http://127.0.0.1:${server.port}${path}`, close: () => server.stop(true) }
}

/** Sets the URL of the demo webhook, because the port changes at every start. A webhook that a user removed is not created again. */
export async function updateDemoWebhook(app: App, url: string): Promise<void> {
  const { accounts, endpoints, metadata } = app.store
  const elif = await requireAccount(accounts, "elif")
  const found = (await endpoints.list(elif.id)).find((each) => each.url.endsWith(path))
  if (found !== undefined) {
    await endpoints.change(found.id, { url, events: found.events })
  } else if ((await metadata.find(webhookMetadataKey)) === null) {
    // Authors cannot use a URL on this machine, except the one of this receiver.
    const services = { ...app.endpointServices(commandLine), findHostProblem: () => null }
    await createEndpoint(services, elif, { url, events: [] })
    await metadata.putIfAbsent(webhookMetadataKey, "yes")
  }
}

const webhookMetadataKey = "filled with the sample marketplace's webhook"
