import type { AccountRecord } from "../catalog/account.ts"
import { problem } from "../values/problems/problem.ts"
import { mergeFields } from "../values/schema.ts"
import { type AsOf, isOutdated, replacementAsOf, tombstoneName } from "./as-of.ts"
import { type Batch, type DecidedAccount, hex, wasByOperator } from "./batch.ts"
import {
  type AccountPatch,
  type FeedAccount,
  type ImportedKey,
  type RecordOf,
  type Rejection,
  type Rename,
  unknownAccount,
  type Verdict,
} from "./feed-record.ts"

export const applyAccount = (batch: Batch, record: RecordOf<"account">): Verdict =>
  applyUsername(batch, record.account.username, record) ??
  batch.ifNewer.account(record.account.username, record.asOf, (asOf) =>
    putAccount(batch, record, asOf),
  )

export const applyAccountPatch = (batch: Batch, record: RecordOf<"patched account">): Verdict =>
  applyUsername(batch, record.username, record) ??
  batch.ifNewer.account(record.username, record.asOf, (asOf) => {
    const stored = batch.accounts.find(record.username)
    if (stored === null) return unknownAccount(record.username)
    return putAccount(batch, { account: patchAccount(stored, record), key: record.key }, asOf)
  })

export const mentionAccount = (
  { accounts, ifNewer }: Batch,
  { username, asOf }: RecordOf<"mentioned account">,
): Verdict => accounts.find(username) && ifNewer.account(username, asOf, () => null)

export const deleteAccount = (
  batch: Batch,
  { username, asOf }: RecordOf<"deleted account">,
): Verdict =>
  batch.ifNewer.account(username, asOf, () => {
    const { accounts, items, keys, accountsInUse, nameChanges } = batch
    if (accounts.find(username) === null) return null
    if (accountsInUse.has(username) || items.some(({ author }) => author === username)) {
      return problem("username", "has_items")
    }
    accounts.remove(username)
    keys.removeAll((key) => key.username === username)
    nameChanges.push({ from: username, to: null })
    return null
  })

function putAccount(
  batch: Batch,
  { account: fed, key }: Readonly<{ account: FeedAccount; key: ImportedKey | null }>,
  asOf: number,
): Verdict {
  const { username } = fed
  const stored = batch.accounts.find(username)
  const account = {
    ...fed,
    isSuspended: fed.isSuspended ?? stored?.isSuspended ?? false,
    isSuspendedByOperator:
      stored?.isSuspendedByOperator ?? wasByOperator(batch, "account", username),
  }
  const rejection = checkKeyOf(batch, username, key)
  if (rejection !== null) return rejection
  if (stored === null || !isSameAccount(stored, account)) {
    batch.accounts.put(username, { ...account, asOf, id: stored?.id ?? null })
  }
  if (key !== null && findSameKey(batch, key) === null) {
    batch.keys.put(key.id, key)
    batch.keyIds.set(hex(key.lookup), key.id)
  }
  return null
}

function findSameKey(
  { keys, keyIds }: Batch,
  { lookup, lookups = [lookup] }: ImportedKey,
): ImportedKey | null {
  const id = lookups.map((each) => keyIds.get(hex(each))).find((each) => each !== undefined)
  return id === undefined ? null : keys.find(id)
}

function checkKeyOf(batch: Batch, username: string, key: ImportedKey | null): Rejection | null {
  const stored = key && findSameKey(batch, key)
  return stored === null || stored.username === username
    ? null
    : problem("api_key", "key_of_other_account")
}

type FeedValues = AccountRecord & Pick<DecidedAccount, "isSuspendedByOperator">

const isSameAccount = (one: FeedValues, other: FeedValues) =>
  one.isSuspended === other.isSuspended &&
  one.isSuspendedByOperator === other.isSuspendedByOperator &&
  one.body === other.body

/** The patch was validated when it was read. */
export function patchAccount(stored: AccountRecord, patch: AccountPatch): FeedAccount {
  const { username, isSuspended = stored.isSuspended, fields } = patch
  const body = JSON.stringify(mergeFields(JSON.parse(stored.body), fields))
  return { ...stored, username, isSuspended, body }
}

type NamedRecord = Readonly<{
  key: ImportedKey | null
  was?: Rename | undefined
  asOf?: AsOf | undefined
}>

/** Runs before the rest of the record, which then finds the account under its new name. */
function applyUsername(batch: Batch, username: string, { key, was, asOf }: NamedRecord): Verdict {
  const { accounts, tombstones, nowMs } = batch
  if (was === undefined || was.from === username) return null
  const { from } = was
  const stored = accounts.find(from)
  if (stored === null) return null
  if (accounts.find(username) !== null) {
    return problem("was", "both_accounts_exist")
  }
  if (isOutdated(stored, asOf, nowMs)) return "outdated"
  const rejection = checkKeyOf(batch, from, key)
  if (rejection !== null) return rejection
  renameAccount(batch, was, username)
  const timestamp = { asOf: replacementAsOf(stored, asOf, nowMs) }
  accounts.put(username, { ...stored, username, ...timestamp })
  // An older feed must not restore the old name.
  const earlier = { kind: "account", identity: from, byOperator: false } as const
  tombstones.put(tombstoneName("account", from), { ...earlier, ...timestamp })
  tombstones.remove(tombstoneName("account", username))
  return null
}

function renameAccount(batch: Batch, { from, reencrypt }: Rename, to: string): void {
  const { accounts, items, keys, accountsInUse, changedLists, nameChanges } = batch
  accounts.move(from, to, (account) => ({ ...account, username: to }))
  items.revise((item) => (item.author === from ? { ...item, author: to } : item))
  // An encrypted key is bound to the name of its account.
  for (const [id, key] of keys.list()) {
    if (key.username === from) keys.put(id, { ...key, username: to, encrypted: reencrypt(key, to) })
  }
  if (accountsInUse.delete(from)) accountsInUse.add(to)
  if (changedLists.delete(from)) changedLists.add(to)
  nameChanges.push({ from, to })
}
