/** The keys of the sample marketplace: one of each kind, one that was replaced and one that was shipped in a product. */
import type { App } from "../app.ts"
import { type IssuedKind, type StoredKey, stateOf } from "../domain/api-key.ts"
import { daySeconds } from "../domain/date-arithmetic.ts"
import { formatTimestamp } from "../domain/timestamp.ts"
import { type IssuedKey, issueKey } from "../operations/issue-key.ts"
import { requireAccount } from "../operations/require-account.ts"
import { rotateKey } from "../operations/rotate-key.ts"
import { addMonthOfCalls, type Month } from "./month-of-calls.ts"

type SampleKey = Readonly<{
  username: string
  kind: IssuedKind
  name: string
  itemIds?: readonly number[]
  month?: Month
}>

const onServer = { validate_purchase: 0.7, read_item: 0.15, list_items: 0.1, read_account: 0.05 }
const inProduct = { validate_purchase: 1 }

const printedKeys: readonly SampleKey[] = [
  {
    ...{ username: "elif", kind: "sk", name: "Support desk" },
    month: { callsADay: 40, networks: 2, operations: onServer },
  },
  {
    ...{ username: "elif", kind: "vk", name: "Theme updater", itemIds: [1001, 1002, 1006] },
    month: { callsADay: 400, networks: 60, operations: inProduct },
  },
  { username: "elif", kind: "tk", name: "Staging site" },
  {
    ...{ username: "marcus", kind: "sk", name: "Storefront" },
    month: { callsADay: 120, networks: 3, operations: onServer },
  },
]

/** A secret key that is used from many networks, as if it were inside a product. */
const shippedKey: SampleKey = {
  ...{ username: "elif", kind: "sk", name: "Old theme updater" },
  month: { callsADay: 90, networks: 26, operations: inProduct },
}
const replacedKey: SampleKey = {
  ...{ username: "elif", kind: "sk", name: "Billing" },
  month: { callsADay: 12, networks: 1, operations: onServer },
}

/** Issues the keys as of last season and adds thirty days of calls. */
export async function addSampleKeys(app: App): Promise<void> {
  for (const [index, wanted] of [shippedKey, ...printedKeys].entries()) {
    await issueUsed(app, wanted, 90 - index)
  }
  const { key } = await issueUsed(app, replacedKey, 60)
  await rotateKey(servicesAt(app, 3), key, "7d")
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
  if (kept !== undefined) return app.vault.unseal(kept.sealed, kept)
  return (await issue(app, wanted, 0)).secret
}

async function issueUsed(app: App, wanted: SampleKey, daysAgo: number): Promise<IssuedKey> {
  const issued = await issue(app, wanted, daysAgo)
  if (wanted.month !== undefined) await addMonthOfCalls(app, issued.key.id, wanted.month)
  return issued
}

async function issue(app: App, wanted: SampleKey, daysAgo: number): Promise<IssuedKey> {
  const { username, kind, name, itemIds = null } = wanted
  const account = await requireAccount(app.store.accounts, username)
  const options = { kind, name, itemIds, expiresAt: null }
  return issueKey(servicesAt(app, daysAgo), account, options)
}

const servicesAt = (app: App, daysAgo: number) => ({
  ...app.keyServices("operator"),
  now: () => new Date(app.now().getTime() - daysAgo * daySeconds * 1000),
})
