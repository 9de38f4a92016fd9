/**
 * Decides what becomes of every record of a feed, for both stores. No SQL repeats
 * one of these rules.
 */

import type { AccountRecord } from "../catalogue/account.ts"
import { dropForbiddenMedia, type ItemRecord, itemShape } from "../catalogue/item.ts"
import {
  type PurchaseRecord,
  purchaseMembersOf,
  renderPurchaseText,
} from "../catalogue/purchase.ts"
import { InvalidRecord, isObject, type Members, mergeMembers } from "../values/shape.ts"
import { type AsOf, isOutdated, tombstoneName } from "./as-of.ts"
import {
  type Batch,
  changesOf,
  createBatch,
  type DecidedAccount,
  type Decision,
  type Found,
  refuseAs,
  wasByOperator,
} from "./batch.ts"
import {
  type AccountPatch,
  type FedAccount,
  type FeedRecord,
  type ImportedKey,
  type ItemPatch,
  type PurchasePatch,
  type RecordOf,
  type Rename,
  refuse,
  unknownAccount,
  unknownItem,
  unknownPurchase,
  type Verdict,
} from "./feed.ts"
import { findKeyByLookup, judgeKeyOf, putNewKey, takeKey, takePassword } from "./secrets.ts"

/** Answers each record with its verdict, in order; a record sees the effect of those before it. */
export function decideBatch(
  records: readonly FeedRecord[],
  found: Found,
  nowMs: number,
  waitingRoom = Number.POSITIVE_INFINITY,
): Decision {
  const batch = createBatch(found, nowMs, waitingRoom)
  return { verdicts: records.map((record) => decide(batch, record)), changes: changesOf(batch) }
}

function decide(batch: Batch, record: FeedRecord): Verdict {
  switch (record.type) {
    case "account":
      return takeAccount(batch, record)
    case "patched account":
      return takeAccountPatch(batch, record)
    case "mentioned account":
      return mentionAccount(batch, record)
    case "deleted account":
      return deleteAccount(batch, record)
    case "key":
      return takeKey(batch, record)
    case "password":
      return takePassword(batch, record)
    case "item":
      return takeItem(batch, record)
    case "patched item":
      return takeItemPatch(batch, record)
    case "mentioned item":
      return mentionItem(batch, record)
    case "deleted item":
      return deleteItem(batch, record)
    case "purchase":
      return takePurchase(batch, record)
    case "patched purchase":
      return takePurchasePatch(batch, record)
    case "mentioned purchase":
      return mentionPurchase(batch, record)
    case "deleted purchase":
      return deletePurchase(batch, record)
  }
}

const takeAccount = (batch: Batch, record: RecordOf<"account">): Verdict =>
  takeName(batch, record.account.username, record) ??
  batch.ifNewer.account(record.account.username, record.asOf, (asOf) =>
    putAccount(batch, record, asOf),
  )

const takeAccountPatch = (batch: Batch, record: RecordOf<"patched account">): Verdict =>
  takeName(batch, record.username, record) ??
  batch.ifNewer.account(record.username, record.asOf, (asOf) => {
    const kept = batch.accounts.find(record.username)
    if (kept === null) return unknownAccount(record.username)
    return putAccount(batch, { account: patchAccount(kept, record), key: record.key }, asOf)
  })

const mentionAccount = (
  { accounts, ifNewer }: Batch,
  { username, asOf }: RecordOf<"mentioned account">,
): Verdict => accounts.find(username) && ifNewer.account(username, asOf, () => null)

const deleteAccount = (batch: Batch, { username, asOf }: RecordOf<"deleted account">): Verdict =>
  batch.ifNewer.account(username, asOf, () => {
    const { accounts, items, keys, passwords, accountsInUse, nameChanges } = batch
    if (accounts.find(username) === null) return null
    if (accountsInUse.has(username) || items.some(({ author }) => author === username)) {
      return refuse("username", "still has items")
    }
    accounts.remove(username)
    passwords.remove(username)
    keys.removeAll((key) => key.username === username)
    nameChanges.push({ from: username, to: null })
    return null
  })

function putAccount(
  batch: Batch,
  { account: fed, key }: Readonly<{ account: FedAccount; key: ImportedKey | null }>,
  asOf: number,
): Verdict {
  const { username } = fed
  const kept = batch.accounts.find(username)
  const account = {
    ...fed,
    isSuspended: fed.isSuspended ?? kept?.isSuspended ?? false,
    isSuspendedByOperator:
      fed.isSuspendedByOperator === true ||
      (kept?.isSuspendedByOperator ?? wasByOperator(batch, "account", username)),
  }
  const refusal = judgeKeyOf(batch, username, key)
  if (refusal !== null) return refusal
  if (kept === null || !isSameAccount(kept, account)) {
    batch.accounts.put(username, { ...account, asOf, id: kept?.id ?? null })
  }
  if (key !== null && findKeyByLookup(batch, key.lookup) === null) putNewKey(batch, key)
  return null
}

type FedWords = AccountRecord & Pick<DecidedAccount, "isSuspendedByOperator">

const isSameAccount = (one: FedWords, other: FedWords) =>
  one.isSuspended === other.isSuspended &&
  one.isSuspendedByOperator === other.isSuspendedByOperator &&
  one.body === other.body

/** Makes a whole record of a kept one and a patch, whose members were checked when it was read. */
export function patchAccount(kept: AccountRecord, patch: AccountPatch): FedAccount {
  const { username, isSuspended = kept.isSuspended, isSuspendedByOperator, members } = patch
  const body = JSON.stringify(mergeMembers(JSON.parse(kept.body), members))
  return { ...kept, username, isSuspended, isSuspendedByOperator, body }
}

type NamedRecord = Readonly<{
  key: ImportedKey | null
  was?: Rename | undefined
  asOf?: AsOf | undefined
}>

/**
 * Renames the account that is still here under its earlier name, before the rest of the record is decided, which
 * then finds it under its new name.
 */
function takeName(batch: Batch, username: string, { key, was, asOf }: NamedRecord): Verdict {
  const { accounts, tombstones, nowMs } = batch
  if (was === undefined || was.from === username) return null
  const { from } = was
  const kept = accounts.find(from)
  if (kept === null) return null
  if (accounts.find(username) !== null) {
    return refuseAs(
      "there are two accounts",
      "was",
      `there are two accounts, ${from} and ${username}`,
    )
  }
  if (isOutdated(kept, asOf)) return "outdated"
  const refusal = judgeKeyOf(batch, from, key)
  if (refusal !== null) return refusal
  renameAccount(batch, was, username)
  const moment = { asOf: Math.max(kept.asOf, asOf?.ms ?? nowMs) }
  accounts.put(username, { ...kept, username, ...moment })
  // An older feed must not bring the old name back.
  const earlier = { kind: "account", identity: from, byOperator: false } as const
  tombstones.put(tombstoneName("account", from), { ...earlier, ...moment })
  tombstones.remove(tombstoneName("account", username))
  return null
}

/** Everything that names its owner follows. */
function renameAccount(batch: Batch, { from, reseal }: Rename, to: string): void {
  const { accounts, items, keys, passwords, accountsInUse, changedLists, nameChanges } = batch
  accounts.move(from, to, (account) => ({ ...account, username: to }))
  passwords.move(from, to, (password) => ({ ...password, username: to }))
  items.revise((item) => (item.author === from ? { ...item, author: to } : item))
  // A sealed copy is bound to the name of the account, so each is written anew.
  for (const [id, key] of keys.list()) {
    if (key.username === from) keys.put(id, { ...key, username: to, sealed: reseal(key, to) })
  }
  if (accountsInUse.delete(from)) accountsInUse.add(to)
  if (changedLists.delete(from)) changedLists.add(to)
  nameChanges.push({ from, to })
}

const takeItem = (batch: Batch, { item, wasAuthor, asOf: given }: RecordOf<"item">): Verdict =>
  batch.ifNewer.item(item.id, given, (asOf) => putItem(batch, item, asOf, wasAuthor))

const takeItemPatch = (batch: Batch, patch: RecordOf<"patched item">): Verdict =>
  batch.ifNewer.item(patch.id, patch.asOf, (asOf) => {
    const kept = batch.items.find(patch.id) ?? batch.waiting.findItem(patch.id)
    if (kept === null) return unknownItem(patch.id, "id")
    try {
      return putItem(batch, patchItem(kept, patch), asOf, patch.wasAuthor)
    } catch (error) {
      if (error instanceof InvalidRecord) return error.problems[0]
      throw error
    }
  })

const mentionItem = (
  { items, waiting, ifNewer }: Batch,
  { id, asOf }: RecordOf<"mentioned item">,
): Verdict => (items.find(id) ?? waiting.find("item", id)) && ifNewer.item(id, asOf, () => null)

const deleteItem = (batch: Batch, { id, asOf }: RecordOf<"deleted item">): Verdict =>
  batch.ifNewer.item(id, asOf, () => {
    const { found, items, purchases, waiting, changedLists } = batch
    const kept = items.find(id)
    waiting.remove("item", id)
    if (kept === null) return null
    if (found.itemsInUse.has(id) || purchases.some(({ itemId }) => itemId === id)) {
      return refuseAs("the item still has purchases", "id", `item ${id} still has purchases`)
    }
    items.remove(id)
    changedLists.add(kept.author)
    return null
  })

function putItem(
  { accounts, items, waiting, changedLists, movedItems }: Batch,
  item: ItemRecord,
  asOf: number,
  wasAuthor: string | undefined,
): Verdict {
  const { id, author } = item
  const kept = items.find(id)
  // A kept item has an author, which the batch need not mention.
  if (kept?.author !== author && accounts.find(author) === null) {
    const refusal = unknownAccount(author, "author")
    return kept === null ? waiting.put({ kind: "item", record: item }, asOf, refusal) : refusal
  }
  const isMoved = kept !== null && kept.author !== author
  if (isMoved && kept.author !== wasAuthor) {
    return refuseAs(
      "the item belongs to another author",
      "author",
      `item ${id} belongs to another author`,
    )
  }
  if (!isMoved && kept?.body === item.body && kept.isHidden === item.isHidden) return null
  items.put(id, { ...item, asOf })
  waiting.remove("item", id)
  changedLists.add(author)
  if (isMoved) {
    changedLists.add(kept.author)
    movedItems.add(id)
  }
  return null
}

/**
 * Makes a whole record of a kept one and a patch, whose members were checked when it was read. Throws
 * InvalidRecord where the item would lack media that its kind needs.
 */
export function patchItem(kept: ItemRecord, patch: ItemPatch): ItemRecord {
  const { author = kept.author, isHidden = kept.isHidden, members } = patch
  const merged: Members = mergeMembers(JSON.parse(kept.body), members)
  if (isObject(merged.media)) dropForbiddenMedia(merged.media)
  return { ...kept, author, isHidden, body: JSON.stringify(itemShape(merged, "")) }
}

const takePurchase = (batch: Batch, { purchase, asOf: given }: RecordOf<"purchase">) =>
  batch.ifNewer.purchase(purchase.code, given, (asOf) => putPurchase(batch, purchase, asOf))

const takePurchasePatch = (batch: Batch, patch: RecordOf<"patched purchase">): Verdict =>
  batch.ifNewer.purchase(patch.code, patch.asOf, (asOf) => {
    const kept = batch.purchases.find(patch.code) ?? batch.waiting.findPurchase(patch.code)
    if (kept === null) return unknownPurchase(patch.code)
    return putPurchase(batch, patchPurchase(kept, patch), asOf)
  })

const mentionPurchase = (
  { purchases, waiting, ifNewer }: Batch,
  { code, asOf }: RecordOf<"mentioned purchase">,
): Verdict =>
  (purchases.find(code) ?? waiting.find("purchase", code)) &&
  ifNewer.purchase(code, asOf, () => null)

const deletePurchase = (
  { purchases, waiting, ifNewer }: Batch,
  { code, asOf }: RecordOf<"deleted purchase">,
): Verdict =>
  ifNewer.purchase(code, asOf, () => {
    purchases.remove(code)
    waiting.remove("purchase", code)
    return null
  })

const sharedCode = "a code that several items share is no code"

function putPurchase(batch: Batch, purchase: PurchaseRecord, asOf: number): Verdict {
  const { found, items, purchases, waiting } = batch
  const { code, itemId } = purchase
  const kept = purchases.find(code)
  const known = kept ?? waiting.findPurchase(code)
  const isRevokedByOperator =
    purchase.isRevokedByOperator === true ||
    (known === null ? wasByOperator(batch, "purchase", code) : known.isRevokedByOperator === true)
  const sold = { ...purchase, isRevokedByOperator }
  if (kept === null) {
    if (found.codesWithoutRoom.has(code)) {
      return refuse("purchase_code", "too many codes have its checksum")
    }
    if (items.find(itemId) === null) {
      return waiting.put({ kind: "purchase", record: sold }, asOf, unknownItem(itemId))
    }
  } else if (kept.itemId !== itemId) {
    const reason = `this code was sold for item ${kept.itemId}, and ${sharedCode}`
    return refuseAs(sharedCode, "item_id", reason)
  }
  if (kept === null || !isSamePurchase(kept, sold)) purchases.put(code, { ...sold, asOf })
  waiting.remove("purchase", code)
  return null
}

const isSamePurchase = (one: PurchaseRecord, other: PurchaseRecord) =>
  one.isRevoked === other.isRevoked &&
  (one.isRevokedByOperator === true) === (other.isRevokedByOperator === true) &&
  one.buyer === other.buyer &&
  one.beforeItem === other.beforeItem &&
  one.afterItem === other.afterItem

/** Makes a whole record of a kept one and a patch, whose members were checked when it was read. */
export function patchPurchase(kept: PurchaseRecord, patch: PurchasePatch): PurchaseRecord {
  const { itemId = kept.itemId, isRevoked = kept.isRevoked, buyer = kept.buyer, members } = patch
  const text = renderPurchaseText(mergeMembers(purchaseMembersOf(kept), members))
  const { isRevokedByOperator = kept.isRevokedByOperator } = patch
  return { ...kept, itemId, isRevoked, isRevokedByOperator, buyer, ...text }
}
