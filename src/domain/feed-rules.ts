/**
 * Decides what becomes of every record of a feed, for both stores. A store reads what a batch
 * mentions (`Found`), `decideBatch` goes through the records in order, and the store writes the
 * changes. No SQL repeats a rule of this file.
 */
import type { AccountRecord } from "./account.ts"
import {
  type AsOf,
  type Dated,
  type DatedKind,
  isOutdated,
  type Tombstone,
  tombstoneName,
} from "./as-of.ts"
import {
  type AccountPatch,
  type FedAccount,
  type FeedRecord,
  type ImportedKey,
  type ItemPatch,
  type PurchasePatch,
  type Refusal,
  type Rename,
  refuse,
  unknownAccount,
  unknownItem,
  unknownPurchase,
  type Verdict,
} from "./feed.ts"
import { createDating } from "./feed-dating.ts"
import { patchAccount, patchItem, patchPurchase } from "./feed-patch.ts"
import { type NameChange, renameAccount } from "./feed-rename.ts"
import { createSecretRules, type FoundPassword } from "./feed-secrets.ts"
import { type Changed, createStates } from "./feed-states.ts"
import { createWaiting } from "./feed-waiting.ts"
import type { ItemRecord } from "./item.ts"
import type { PurchaseRecord } from "./purchase.ts"
import { InvalidRecord } from "./shape.ts"
import type { WaitingRecord } from "./waiting-record.ts"

export type FoundAccount = DecidedAccount & Readonly<{ id: number }>
export type DatedItem = ItemRecord & Dated
export type DatedPurchase = PurchaseRecord & Dated

/**
 * The state in the store of everything that a batch mentions; absent ones are left out, and bodies
 * that are not compared may be empty.
 */
export type Found = Readonly<{
  accounts: ReadonlyMap<string, FoundAccount>
  items: ReadonlyMap<number, DatedItem>
  purchases: ReadonlyMap<string, DatedPurchase>
  /** Of the identities in `absentOf`, by `tombstoneName`. */
  tombstones: ReadonlyMap<string, Tombstone>
  /** Of all absent items and purchases that the batch mentions, by `tombstoneName`. */
  waiting: ReadonlyMap<string, WaitingRecord>
  /** Whether any record waits in the store. */
  hasWaiting: boolean
  /** Keys with one of the ids or one of the look-up values. */
  keys: readonly ImportedKey[]
  passwords: ReadonlyMap<string, FoundPassword>
  /** Accounts to be deleted that have items which the batch does not mention. */
  accountsInUse: ReadonlySet<string>
  /** Items to be deleted that have purchases which the batch does not mention. */
  itemsInUse: ReadonlySet<number>
  /** New codes that the store has no room for. */
  codesWithoutRoom: ReadonlySet<string>
}>

/** An account without `id` is made by this batch. */
export type DecidedAccount = AccountRecord &
  Dated &
  Readonly<{ id: number | null; isSuspendedByOperator: boolean }>

export type Changes = Readonly<{
  accounts: Changed<DecidedAccount>
  items: Changed<DatedItem>
  purchases: Changed<DatedPurchase>
  tombstones: Changed<Tombstone>
  waiting: Changed<WaitingRecord>
  /** Removed keys and passwords go with their account. */
  keys: Changed<ImportedKey>
  passwords: Changed<FoundPassword>
  /** Accounts of `updated` that have another name in the store. */
  renamedAccounts: readonly DecidedAccount[]
  /** Every renaming and removal of an account, in order. */
  nameChanges: readonly NameChange[]
  /** Items of `updated` that have another author in the store. */
  movedItems: readonly DatedItem[]
  /** Authors whose list of items changed. */
  changedLists: ReadonlySet<string>
}>

export type Decision = Readonly<{ verdicts: readonly Verdict[]; changes: Changes }>

const sharedCode = "a code that several items share is no code"

/** `kind` is the reason without the values that vary. */
const refuseAs = (kind: string, member: string, reason: string): Refusal => ({
  ...refuse(member, reason),
  kind,
})

/**
 * Answers each record with its verdict, in order; a record sees the effect of those before it. `nowMs`
 * is the moment of records without one, and `waitingRoom` the number of records that may yet wait.
 */
export function decideBatch(
  records: readonly FeedRecord[],
  found: Found,
  nowMs: number,
  waitingRoom = Number.POSITIVE_INFINITY,
): Decision {
  const accounts = createStates<string, DecidedAccount>(found.accounts)
  const items = createStates<number, DatedItem>(found.items)
  const purchases = createStates<string, DatedPurchase>(found.purchases)
  const tombstones = createStates<string, Tombstone>(found.tombstones)
  const waiting = createWaiting(found.waiting, waitingRoom, nowMs)
  const dated = { tombstones, waiting }
  const accountDating = createDating("account", { ...dated, states: accounts }, nowMs)
  const itemDating = createDating("item", { ...dated, states: items }, nowMs)
  const purchaseDating = createDating("purchase", { ...dated, states: purchases }, nowMs)
  const passwords = createStates<string, FoundPassword>(found.passwords)
  const keys = createStates(new Map(found.keys.map((key) => [key.id, key])))
  const accountsInUse = new Set(found.accountsInUse)
  const changedLists = new Set<string>()
  const nameChanges: NameChange[] = []
  const movedItems = new Set<number>()

  const { findKeyByLookup, putNewKey, judgeKeyOf, putKey, putPassword } = createSecretRules({
    accounts,
    keys,
    passwords,
  })

  /** Whether an operator had suspended or refunded a record that was removed since. */
  const wasByOperator = (kind: DatedKind, identity: string) =>
    !tombstones.isEmpty() && tombstones.find(tombstoneName(kind, identity))?.byOperator === true

  /** Null unless the account is still here under its earlier name. */
  function renameOf(username: string, was: Rename | undefined): Rename | null {
    if (was === undefined || was.from === username) return null
    return accounts.find(was.from) === null ? null : was
  }

  /** Before the rest of the record is decided, which then finds the account under its new name. */
  function takeName(username: string, { key, was, asOf }: NamedRecord): Verdict {
    const rename = renameOf(username, was)
    const kept = rename && accounts.find(rename.from)
    if (rename === null || kept === null) return null
    const { from } = rename
    if (accounts.find(username) !== null) {
      return refuseAs(
        "there are two accounts",
        "was",
        `there are two accounts, ${from} and ${username}`,
      )
    }
    if (isOutdated(kept, asOf)) return "outdated"
    const refusal = judgeKeyOf(from, key)
    if (refusal !== null) return refusal
    const batch = { accounts, items, keys, passwords, accountsInUse, changedLists }
    renameAccount(batch, rename, username)
    nameChanges.push({ from, to: username })
    const moment = { asOf: Math.max(kept.asOf, asOf?.ms ?? nowMs) }
    accounts.put(username, { ...kept, username, ...moment })
    // An older feed must not bring the old name back.
    const earlier = { kind: "account", identity: from, byOperator: false } as const
    tombstones.put(tombstoneName("account", from), { ...earlier, ...moment })
    tombstones.remove(tombstoneName("account", username))
    return null
  }

  function putAccount(fed: FedAccount, key: ImportedKey | null, asOf: number): Verdict {
    const { username } = fed
    const kept = accounts.find(username)
    const account = {
      ...fed,
      isSuspended: fed.isSuspended ?? kept?.isSuspended ?? false,
      isSuspendedByOperator:
        fed.isSuspendedByOperator === true ||
        (kept?.isSuspendedByOperator ?? wasByOperator("account", username)),
    }
    const refusal = judgeKeyOf(username, key)
    if (refusal !== null) return refusal
    if (kept === null || !isSameAccount(kept, account)) {
      accounts.put(username, { ...account, asOf, id: kept?.id ?? null })
    }
    if (key !== null && findKeyByLookup(key.lookup) === null) putNewKey(key)
    return null
  }

  function deleteAccount(username: string): Verdict {
    if (accounts.find(username) === null) return null
    if (accountsInUse.has(username) || items.some(({ author }) => author === username)) {
      return refuse("username", "still has items")
    }
    accounts.remove(username)
    passwords.remove(username)
    keys.removeAll((key) => key.username === username)
    nameChanges.push({ from: username, to: null })
    return null
  }

  function putItem(item: ItemRecord, asOf: number, wasAuthor?: string): Verdict {
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

  function deleteItem(id: number): Verdict {
    const kept = items.find(id)
    waiting.remove("item", id)
    if (kept === null) return null
    if (found.itemsInUse.has(id) || purchases.some(({ itemId }) => itemId === id)) {
      return refuseAs("the item still has purchases", "id", `item ${id} still has purchases`)
    }
    items.remove(id)
    changedLists.add(kept.author)
    return null
  }

  function putPurchase(purchase: PurchaseRecord, asOf: number): Verdict {
    const { code, itemId } = purchase
    const kept = purchases.find(code)
    const known = kept ?? waiting.findPurchase(code)
    const isRevokedByOperator =
      purchase.isRevokedByOperator === true ||
      (known === null ? wasByOperator("purchase", code) : known.isRevokedByOperator === true)
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

  function changeAccount(patch: AccountPatch, asOf: number): Verdict {
    const kept = accounts.find(patch.username)
    if (kept === null) return unknownAccount(patch.username)
    return putAccount(patchAccount(kept, patch), patch.key, asOf)
  }

  function changeItem(patch: ItemPatch, asOf: number): Verdict {
    const kept = items.find(patch.id) ?? waiting.findItem(patch.id)
    if (kept === null) return unknownItem(patch.id, "id")
    try {
      return putItem(patchItem(kept, patch), asOf, patch.wasAuthor)
    } catch (error) {
      if (error instanceof InvalidRecord) return error.problems[0]
      throw error
    }
  }

  function changePurchase(patch: PurchasePatch, asOf: number): Verdict {
    const kept = purchases.find(patch.code) ?? waiting.findPurchase(patch.code)
    if (kept === null) return unknownPurchase(patch.code)
    return putPurchase(patchPurchase(kept, patch), asOf)
  }

  function decide(record: FeedRecord): Verdict {
    const { asOf: given } = record
    switch (record.type) {
      case "account":
        return (
          takeName(record.account.username, record) ??
          accountDating(record.account.username, given, (asOf) =>
            putAccount(record.account, record.key, asOf),
          )
        )
      case "key":
        return putKey(record.key)
      case "password":
        return putPassword(record)
      case "item":
        return itemDating(record.item.id, given, (asOf) =>
          putItem(record.item, asOf, record.wasAuthor),
        )
      case "purchase":
        return purchaseDating(record.purchase.code, given, (asOf) =>
          putPurchase(record.purchase, asOf),
        )
      case "patched account":
        return (
          takeName(record.username, record) ??
          accountDating(record.username, given, (asOf) => changeAccount(record, asOf))
        )
      case "patched item":
        return itemDating(record.id, given, (asOf) => changeItem(record, asOf))
      case "patched purchase":
        return purchaseDating(record.code, given, (asOf) => changePurchase(record, asOf))
      case "deleted account":
        return accountDating(record.username, given, () => deleteAccount(record.username))
      case "deleted item":
        return itemDating(record.id, given, () => deleteItem(record.id))
      case "deleted purchase":
        return purchaseDating(record.code, given, () => {
          purchases.remove(record.code)
          waiting.remove("purchase", record.code)
          return null
        })
      case "mentioned account":
        return accounts.find(record.username) && accountDating(record.username, given, () => null)
      case "mentioned item":
        return (
          (items.find(record.id) ?? waiting.find("item", record.id)) &&
          itemDating(record.id, given, () => null)
        )
      case "mentioned purchase":
        return (
          (purchases.find(record.code) ?? waiting.find("purchase", record.code)) &&
          purchaseDating(record.code, given, () => null)
        )
    }
  }

  const verdicts = records.map(decide)
  const [changedAccounts, changedItems] = [accounts.changes(), items.changes()]
  return {
    verdicts,
    changes: {
      accounts: changedAccounts,
      items: changedItems,
      purchases: purchases.changes(),
      tombstones: tombstones.changes(),
      waiting: waiting.changes(),
      keys: keys.changes(),
      passwords: passwords.changes(),
      renamedAccounts: changedAccounts.updated.filter(
        ({ id, username }) => found.accounts.get(username)?.id !== id,
      ),
      nameChanges,
      movedItems: changedItems.updated.filter(({ id }) => movedItems.has(id)),
      changedLists,
    },
  }
}

type NamedRecord = Readonly<{
  key: ImportedKey | null
  was?: Rename | undefined
  asOf?: AsOf | undefined
}>

type FedWords = AccountRecord & Pick<DecidedAccount, "isSuspendedByOperator">

const isSameAccount = (one: FedWords, other: FedWords) =>
  one.isSuspended === other.isSuspended &&
  one.isSuspendedByOperator === other.isSuspendedByOperator &&
  one.body === other.body

const isSamePurchase = (one: PurchaseRecord, other: PurchaseRecord) =>
  one.isRevoked === other.isRevoked &&
  (one.isRevokedByOperator === true) === (other.isRevokedByOperator === true) &&
  one.buyer === other.buyer &&
  one.beforeItem === other.beforeItem &&
  one.afterItem === other.afterItem
