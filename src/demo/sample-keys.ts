/** The keys of the sample marketplace: one of each kind, a rotated one, and one that was shipped in a product. */
import { commandLine } from "../access/actor.ts"
import { requireAccount } from "../accounts/account-operations.ts"
import type { IssuedKind, Operation } from "../contract/operation.ts"
import { type StoredKey, stateOf } from "../keys/key.ts"
import { type IssuedKey, issueKey, rotateKey } from "../keys/key-operations.ts"
import type { Reason } from "../platform/error.ts"
import { daySeconds, formatTimestamp, lastRange, secondsBefore } from "../platform/time.ts"
import type { App } from "../server/app.ts"
import { ipRangeDays, shownCode } from "../usage/usage.ts"

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

export async function addSampleKeys(app: App): Promise<void> {
  for (const [index, sample] of [shippedKey, ...printedKeys].entries())
    await issueWithRequests(app, sample, 90 - index)
  const { key } = await issueWithRequests(app, rotatedKey, 60)
  const successor = await rotateKey(servicesAt(app, daysSinceRotation), key, "7d")
  const requests = { ...onServer(60, 1, 12), days: daysSinceRotation }
  await addSampleRequests(app, successor.key.id, requests)
}

/** Returns the keys that the demo prints. A revoked one is issued again. */
export async function listPrintedKeys(app: App) {
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

export type SampleRequests = Readonly<{
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
      outcomesOf(operation).map(([outcome, share]) => ({
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

const outcomesOf = (operation: string) =>
  operation === "validate_purchase" ? outcomes : ([["ok", 1]] as const)
