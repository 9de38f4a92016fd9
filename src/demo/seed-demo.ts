import { commandLine } from "../access/actor.ts"
import { tokens } from "../access/token.ts"
import { requireAccount } from "../accounts/account-operations.ts"
import type { IssuedKind, Operation } from "../contract/operation.ts"
import { exportFeed, importFeed } from "../feed/feed-operations.ts"
import { asOfWrite } from "../feed/parse-line.ts"
import { type StoredKey, stateOf } from "../keys/key.ts"
import { type IssuedKey, issueKey, rotateKey } from "../keys/key-operations.ts"
import { createPasswordHasher } from "../people/password.ts"
import { createOperator } from "../people/person-operations.ts"
import { setPassword } from "../people/security-operations.ts"
import { findOrCreateOwner } from "../people/sign-in-operations.ts"
import { encodeBase62 } from "../platform/crypto/cipher.ts"
import { type Reason, UserError } from "../platform/error.ts"
import { daySeconds, formatTimestamp, lastRange, secondsBefore } from "../platform/time.ts"
import { setSiteLimits } from "../purchases/site-operations.ts"
import type { App } from "../server/app.ts"
import { ipRangeDays, shownCode } from "../usage/usage.ts"
import { createEndpoint } from "../webhooks/endpoint-operations.ts"
import marketplace from "./marketplace.ndjson" with { type: "text" }

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
    async *readBytes() {
      yield new TextEncoder().encode(lines)
    },
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

type SampleKey = Readonly<{
  username: string
  kind: IssuedKind
  name: string
  itemIds?: readonly number[]
  requests: SampleRequests
}>

/** `minutesApart` is the time between the last requests of two IP ranges, and since the latest request. */
const use =
  (operations: SampleRequests["operations"]) =>
  (requestsPerDay: number, ipRanges: number, minutesApart: number): SampleRequests => ({
    requestsPerDay,
    ipRanges,
    minutesApart,
    operations,
  })
const onServer = use({
  validate_purchase: 0.7,
  read_item: 0.15,
  list_items: 0.1,
  read_account: 0.05,
})
const inProduct = use({ validate_purchase: 1 })

const elif = { username: "elif" }
const oldName = "Old theme updater"
const itemIds = [1001, 1002, 1006]

const printedKeys: readonly SampleKey[] = [
  { ...elif, kind: "sk", name: "Support desk", requests: onServer(70, 2, 4) },
  { ...elif, kind: "vk", name: "Theme updater", itemIds, requests: inProduct(180, 60, 1) },
  { ...elif, kind: "tk", name: "Staging site", requests: onServer(25, 1, 190) },
  { username: "marcus", kind: "sk", name: "Storefront", requests: onServer(120, 3, 2) },
]

/** A secret key that is used from many IP ranges, as if it were shipped in a product. */
const shippedKey: SampleKey = {
  ...elif,
  kind: "sk",
  name: oldName,
  requests: inProduct(110, 26, 7),
}
const rotatedKey: SampleKey = {
  ...elif,
  kind: "sk",
  name: "Billing",
  requests: onServer(30, 1, 95),
}
const daysSinceRotation = 3

async function addSampleKeys(app: App): Promise<void> {
  for (const [index, sample] of [shippedKey, ...printedKeys].entries())
    await issueWithRequests(app, sample, 90 - index)
  const { key } = await issueWithRequests(app, rotatedKey, 60)
  const successor = await rotateKey(servicesAt(app, daysSinceRotation), key, "7d")
  const requests = { ...onServer(60, 1, 12), days: daysSinceRotation }
  await addSampleRequests(app, successor.key.id, requests)
}

/** Returns the keys that the demo prints. A revoked one is issued again. */
async function listPrintedKeys(app: App) {
  const printed: { username: string; kind: IssuedKind; secret: string }[] = []
  for (const each of printedKeys) printed.push({ ...each, secret: await findOrIssue(app, each) })
  return printed
}

async function findOrIssue(app: App, sample: SampleKey): Promise<string> {
  const account = await requireAccount(app.store.accounts, sample.username)
  const at = formatTimestamp(app.now())
  const matches = (key: StoredKey) =>
    key.kind === sample.kind && key.name === sample.name && stateOf(key, at) === "active"
  const existing = (await app.store.keys.list(account.id)).find(matches)
  if (existing !== undefined) return app.keyCipher.decrypt(existing.encrypted, existing)
  return (await issue(app, sample, 0)).secret
}

async function issueWithRequests(app: App, sample: SampleKey, daysAgo: number): Promise<IssuedKey> {
  const issued = await issue(app, sample, daysAgo)
  await addSampleRequests(app, issued.key.id, sample.requests)
  return issued
}

async function issue(app: App, sample: SampleKey, daysAgo: number): Promise<IssuedKey> {
  const { username, kind, name, itemIds = null } = sample
  const account = await requireAccount(app.store.accounts, username)
  const options = { kind, name, itemIds, expiresAt: null }
  return issueKey(servicesAt(app, daysAgo), account, options)
}

const servicesAt = (app: App, daysAgo: number) => ({
  ...app.keyServices(commandLine),
  now: () => new Date(app.now().getTime() - daysAgo * daySeconds * 1000),
})

type SampleRequests = Readonly<{
  /** Days until today, at most 30. Default: 30. */
  days?: number
  requestsPerDay: number
  ipRanges: number
  minutesApart: number
  operations: Readonly<Partial<Record<Operation, number>>>
}>

const outcomes: readonly (readonly [Reason, number])[] = [
  ["ok", 0.86],
  ["unknown_code", 0.13],
  ["unavailable", 0.01],
]

const mistyped = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
const weekdays = [0.5, 1, 1.1, 1.2, 1, 0.9, 0.6]

export async function addSampleRequests(
  { store, now }: Pick<App, "store" | "now">,
  keyId: string,
  { days = 30, requestsPerDay, ipRanges, minutesApart, operations }: SampleRequests,
): Promise<void> {
  const at = now()
  const counts = Array.from({ length: days }, (_, ago) => {
    const day = secondsBefore(at, ago * daySeconds).slice(0, 10)
    const weekday = weekdays[new Date(day).getUTCDay()] ?? 1
    const calls = requestsPerDay * weekday * (1 - ago / 60) * (1 + 0.2 * Math.sin(ago * 1.7))
    return Object.entries(operations).flatMap(([operation, part]) =>
      listOutcomes(operation).map(([outcome, share]) => ({
        keyId,
        day,
        // Object.entries loses the key type of the record.
        operation: operation as Operation,
        outcome,
        calls: Math.round(calls * part * share),
      })),
    )
  }).flat()
  const week = lastRange(formatTimestamp(at), ipRangeDays).from
  const usedAt = Array.from({ length: ipRanges }, (_, index) =>
    secondsBefore(at, (index + 1) * minutesApart * 60),
  )
  await store.counts.add(formatTimestamp(at), {
    calls: counts.filter(({ calls }) => calls > 0),
    lastUses: usedAt.slice(0, 1).map((lastUsedAt) => ({ keyId, lastUsedAt })),
    ipRanges: usedAt.map((lastUsedAt, index) => ({
      keyId,
      ipRange: `198.51.${index}.0/24`,
      lastDay: lastUsedAt.slice(0, 10),
    })),
    failures: counts.flatMap(({ day, outcome, calls, operation }) => {
      if (outcome === "ok" || calls === 0 || day < week) return []
      const code = outcome === "unknown_code" ? shownCode({ code: mistyped, isOwn: false }) : ""
      const times = { firstAt: `${day}T00:00:00Z`, lastAt: `${day}T00:00:00Z` }
      return [
        { keyId, operation, reason: outcome, ipRange: "198.51.0.0/24", code, ...times, calls },
      ]
    }),
  })
}

const listOutcomes = (operation: string) =>
  operation === "validate_purchase" ? outcomes : ([["ok", 1]] as const)
