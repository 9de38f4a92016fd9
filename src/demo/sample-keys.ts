/** The keys of the sample marketplace: one of each kind, a rotated one, and one that was shipped in a product. */
import { type IssuedKind, type StoredKey, stateOf } from "../domain/keys/api-key.ts"
import { commandLine } from "../domain/sign-in/audit-event.ts"
import { daySeconds, formatTimestamp } from "../domain/values/time/timestamp.ts"
import { requireAccount } from "../operations/catalog/account-operations.ts"
import { type IssuedKey, issueKey, rotateKey } from "../operations/keys/key-operations.ts"
import type { App } from "../server/app.ts"
import { addSampleRequests, type SampleRequests } from "./sample-requests.ts"

type SampleKey = Readonly<{
  username: string
  kind: IssuedKind
  name: string
  itemIds?: readonly number[]
  requests: SampleRequests
}>

const onServer = { validate_purchase: 0.7, read_item: 0.15, list_items: 0.1, read_account: 0.05 }
const inProduct = { validate_purchase: 1 }

const printedKeys: readonly SampleKey[] = [
  {
    username: "elif",
    kind: "sk",
    name: "Support desk",
    requests: { requestsPerDay: 70, ipRanges: 2, minutesApart: 4, operations: onServer },
  },
  {
    username: "elif",
    kind: "vk",
    name: "Theme updater",
    itemIds: [1001, 1002, 1006],
    requests: {
      requestsPerDay: 180,
      ipRanges: 60,
      minutesApart: 1,
      operations: inProduct,
    },
  },
  {
    username: "elif",
    kind: "tk",
    name: "Staging site",
    requests: { requestsPerDay: 25, ipRanges: 1, minutesApart: 190, operations: onServer },
  },
  {
    username: "marcus",
    kind: "sk",
    name: "Storefront",
    requests: { requestsPerDay: 120, ipRanges: 3, minutesApart: 2, operations: onServer },
  },
]

/** A secret key that is used from many IP ranges, as if it were shipped in a product. */
const shippedKey: SampleKey = {
  username: "elif",
  kind: "sk",
  name: "Old theme updater",
  requests: { requestsPerDay: 110, ipRanges: 26, minutesApart: 7, operations: inProduct },
}
const rotatedKey: SampleKey = {
  username: "elif",
  kind: "sk",
  name: "Billing",
  requests: { requestsPerDay: 30, ipRanges: 1, minutesApart: 95, operations: onServer },
}
const daysSinceRotation = 3

export async function addSampleKeys(app: App): Promise<void> {
  for (const [index, sample] of [shippedKey, ...printedKeys].entries()) {
    await issueWithRequests(app, sample, 90 - index)
  }
  const { key } = await issueWithRequests(app, rotatedKey, 60)
  const successor = await rotateKey(servicesAt(app, daysSinceRotation), key, "7d")
  await addSampleRequests(app, successor.key.id, {
    ...rotatedKey.requests,
    days: daysSinceRotation,
    requestsPerDay: 60,
    minutesApart: 12,
  })
}

export type PrintedKey = Readonly<{ username: string; kind: IssuedKind; secret: string }>

/** Returns the keys that the demo prints. A revoked one is issued again. */
export async function listPrintedKeys(app: App): Promise<readonly PrintedKey[]> {
  const printed: PrintedKey[] = []
  for (const sample of printedKeys) {
    const { username, kind } = sample
    printed.push({ username, kind, secret: await findOrIssue(app, sample) })
  }
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
