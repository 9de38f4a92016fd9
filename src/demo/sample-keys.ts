/** The keys of the sample marketplace: one of each kind, one that was replaced and one that was shipped in a product. */
import { type IssuedKind, type StoredKey, stateOf } from "../domain/keys/api-key.ts"
import { commandLine } from "../domain/sign-in/audit-event.ts"
import { daySeconds, formatTimestamp } from "../domain/values/time/timestamp.ts"
import { requireAccount } from "../operations/catalog/account-operations.ts"
import { type IssuedKey, issueKey, rotateKey } from "../operations/keys/issue-key.ts"
import type { App } from "../server/app.ts"
import { addSampleRequests, type SampleRequests } from "./sample-requests.ts"

type SampleKey = Readonly<{
  username: string
  kind: IssuedKind
  name: string
  itemIds?: readonly number[]
  calls: SampleRequests
}>

const onServer = { validate_purchase: 0.7, read_item: 0.15, list_items: 0.1, read_account: 0.05 }
const inProduct = { validate_purchase: 1 }

const printedKeys: readonly SampleKey[] = [
  {
    username: "elif",
    kind: "sk",
    name: "Support desk",
    calls: { requestsPerDay: 70, ipRanges: 2, minutesApart: 4, operations: onServer },
  },
  {
    username: "elif",
    kind: "vk",
    name: "Theme updater",
    itemIds: [1001, 1002, 1006],
    calls: {
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
    calls: { requestsPerDay: 25, ipRanges: 1, minutesApart: 190, operations: onServer },
  },
  {
    username: "marcus",
    kind: "sk",
    name: "Storefront",
    calls: { requestsPerDay: 120, ipRanges: 3, minutesApart: 2, operations: onServer },
  },
]

/** A secret key that is used from many networks, as if it were inside a product. */
const shippedKey: SampleKey = {
  username: "elif",
  kind: "sk",
  name: "Old theme updater",
  calls: { requestsPerDay: 110, ipRanges: 26, minutesApart: 7, operations: inProduct },
}
const replacedKey: SampleKey = {
  username: "elif",
  kind: "sk",
  name: "Billing",
  calls: { requestsPerDay: 30, ipRanges: 1, minutesApart: 95, operations: onServer },
}
const daysSinceReplaced = 3

/** Issues the keys as of some months ago and adds thirty days of calls. */
export async function addSampleKeys(app: App): Promise<void> {
  for (const [index, wanted] of [shippedKey, ...printedKeys].entries()) {
    await issueUsed(app, wanted, 90 - index)
  }
  const { key } = await issueUsed(app, replacedKey, 60)
  const successor = await rotateKey(servicesAt(app, daysSinceReplaced), key, "7d")
  const calls = { ...replacedKey.calls, days: daysSinceReplaced, callsADay: 60, minutesApart: 12 }
  await addSampleRequests(app, successor.key.id, calls)
}

export type PrintedKey = Readonly<{ username: string; kind: IssuedKind; secret: string }>

/** The keys for the welcome, always the same ones. One that was revoked since is issued again. */
export async function listPrintedKeys(app: App): Promise<readonly PrintedKey[]> {
  const printed: PrintedKey[] = []
  for (const wanted of printedKeys) {
    const { username, kind } = wanted
    printed.push({ username, kind, secret: await findOrIssue(app, wanted) })
  }
  return printed
}

async function findOrIssue(app: App, wanted: SampleKey): Promise<string> {
  const account = await requireAccount(app.store.accounts, wanted.username)
  const at = formatTimestamp(app.now())
  const isWanted = (key: StoredKey) =>
    key.kind === wanted.kind && key.name === wanted.name && stateOf(key, at) === "active"
  const kept = (await app.store.keys.list(account.id)).find(isWanted)
  if (kept !== undefined) return app.keyCipher.decrypt(kept.encrypted, kept)
  return (await issue(app, wanted, 0)).secret
}

async function issueUsed(app: App, wanted: SampleKey, daysAgo: number): Promise<IssuedKey> {
  const issued = await issue(app, wanted, daysAgo)
  await addSampleRequests(app, issued.key.id, wanted.calls)
  return issued
}

async function issue(app: App, wanted: SampleKey, daysAgo: number): Promise<IssuedKey> {
  const { username, kind, name, itemIds = null } = wanted
  const account = await requireAccount(app.store.accounts, username)
  const options = { kind, name, itemIds, expiresAt: null }
  return issueKey(servicesAt(app, daysAgo), account, options)
}

const servicesAt = (app: App, daysAgo: number) => ({
  ...app.keyServices(commandLine),
  now: () => new Date(app.now().getTime() - daysAgo * daySeconds * 1000),
})
