/** Decides every record of a feed, for both stores: SQL repeats none of these rules. */

import type { AccountRecord } from "../accounts/account.ts"
import { checkItemSize, dropForbiddenMedia, type ItemRecord, itemSchema } from "../items/item.ts"
import type { ImportedKey } from "../keys/key.ts"
import { type Problem, problem } from "../platform/problem.ts"
import { type Fields, InvalidRecord, isObject, mergeFields } from "../platform/schema.ts"
import { type PurchaseRecord, purchaseFieldsOf, renderPurchaseText } from "../purchases/purchase.ts"
import {
  type Changed,
  type DatedItem,
  type DatedPurchase,
  type DecidedAccount,
  type Decision,
  type ExistingRecords,
  hex,
  isSameSale,
} from "./batch.ts"
import {
  type AccountPatch,
  type AsOf,
  type Dated,
  type DatedKind,
  type FeedAccount,
  type FeedRecord,
  type ItemPatch,
  identifyPending,
  identifyRecord,
  isOutdated,
  measureAheadMs,
  namePending,
  type PendingContent,
  type PendingKind,
  type PendingRecord,
  type PurchasePatch,
  pendingRecordsMax,
  replaceAsOf,
  type Tombstone,
  tombstoneName,
  unknownAccount,
  unknownItem,
  type Verdict,
} from "./feed-record.ts"

/** Returns the verdicts in order. Each record sees the effects of those before it. */
export function decideBatch(
  records: readonly FeedRecord[],
  found: ExistingRecords,
  nowMs: number,
  pendingRoom = Number.POSITIVE_INFINITY,
): Decision {
  const batch = createBatch(found, nowMs, pendingRoom)
  const verdicts = records.map((record) => {
    // The rule of the record's type.
    const rule = rules[record.type] as (batch: Batch, record: FeedRecord) => Verdict
    return rule(batch, record)
  })
  const { keyOwners, newKeys, nameChanges, changedLists, ahead } = batch
  const [accounts, items] = [batch.accounts.changes(), batch.items.changes()]
  const changes = {
    accounts,
    items,
    purchases: batch.purchases.changes(),
    tombstones: batch.tombstones.changes(),
    pending: batch.pending.changes(),
    newKeys: Array.from(newKeys, ([lookup, key]) => {
      return { username: keyOwners.get(lookup) ?? "", key }
    }),
    renamedAccounts: accounts.updated.filter(
      ({ id, username }) => found.accounts.get(username)?.id !== id,
    ),
    nameChanges,
    movedItems: items.updated.flatMap((item) => {
      const from = batch.movedItems.get(item.id)
      return from === undefined ? [] : [{ ...item, from }]
    }),
    changedLists,
  }
  return { verdicts, changes, ahead }
}

const rules: Readonly<{
  [Type in FeedRecord["type"]]: (
    batch: Batch,
    record: Extract<FeedRecord, { type: Type }>,
  ) => Verdict
}> = {
  account: (batch, record) => {
    if (isRepeated(batch, record)) return "repeated"
    const { username } = record.account
    return (
      applyUsername(batch, username, record) ??
      batch.ifNewer.account(username, record.asOf, (asOf) => putAccount(batch, record, asOf))
    )
  },
  "patched account": (batch, record) =>
    applyUsername(batch, record.username, record) ??
    batch.ifNewer.account(record.username, record.asOf, (asOf) => {
      const stored = batch.accounts.find(record.username)
      if (stored === null) return unknownAccount(record.username)
      return putAccount(batch, { account: patchAccount(stored, record), key: record.key }, asOf)
    }),
  "deleted account": (batch, { username, asOf }) =>
    batch.ifNewer.account(username, asOf, () => {
      const { accounts, items, keyOwners, newKeys, accountsInUse, nameChanges } = batch
      if (accounts.find(username) === null) return null
      if (accountsInUse.has(username) || items.some(({ author }) => author === username)) {
        return problem("username", "has_items")
      }
      accounts.remove(username)
      for (const [lookup, owner] of keyOwners) {
        if (owner === username) for (const keys of [keyOwners, newKeys]) keys.delete(lookup)
      }
      nameChanges.push({ from: username, to: null })
      return null
    }),
  item: (batch, record) => {
    const { item, wasAuthor } = record
    if (isRepeated(batch, record)) return "repeated"
    return batch.ifNewer.item(item.id, record.asOf, (asOf) => putItem(batch, item, asOf, wasAuthor))
  },
  "patched item": (batch, patch) =>
    batch.ifNewer.item(patch.id, patch.asOf, (asOf) => {
      const stored = findItem(batch, patch.id)
      if (stored === null) return unknownItem(patch.id, "id")
      try {
        return putItem(batch, patchItem(stored, patch), asOf, patch.wasAuthor)
      } catch (error) {
        if (error instanceof InvalidRecord) return error.problems[0]
        throw error
      }
    }),
  "deleted item": (batch, { id, asOf }) =>
    batch.ifNewer.item(id, asOf, () => {
      const { found, items, purchases, changedLists } = batch
      const stored = items.find(id)
      removePending(batch, "item", id)
      if (stored === null) return null
      if (found.itemsInUse.has(id) || purchases.some(({ itemId }) => itemId === id)) {
        return problem("id", "has_purchases")
      }
      items.remove(id)
      changedLists.add(stored.author)
      return null
    }),
  purchase(batch, record) {
    const { purchase } = record
    const { code } = purchase
    const isAgain = isRepeated(batch, record)
    const earlier = findPurchase(batch, code)
    // If rows of one pull have the same code, a revoked one wins, otherwise the first: their content must not alternate.
    if (isAgain && (!purchase.isRevoked || earlier === null || earlier.isRevoked)) return "repeated"
    const verdict = batch.ifNewer.purchase(code, record.asOf, (asOf) =>
      putPurchase(batch, purchase, asOf),
    )
    return isAgain && verdict === null ? "repeated" : verdict
  },
  "patched purchase": (batch, patch) =>
    batch.ifNewer.purchase(patch.code, patch.asOf, (asOf) => {
      const stored = findPurchase(batch, patch.code)
      if (stored === null) return problem("purchase_code", "unknown_purchase", { code: patch.code })
      return putPurchase(batch, patchPurchase(stored, patch), asOf)
    }),
  "deleted purchase"(batch, record) {
    const { code, asOf } = record
    if (isRepeated(batch, record)) return "repeated"
    return batch.ifNewer.purchase(code, asOf, () => {
      batch.purchases.remove(code)
      removePending(batch, "purchase", code)
      return null
    })
  },
  mentioned({ accounts, items, purchases, pending, ifNewer }, { kind, identity, asOf }) {
    const keep = () => null
    if (kind === "account") return accounts.find(identity) && ifNewer.account(identity, asOf, keep)
    const id = Number(identity)
    const kept = kind === "item" ? items.find(id) : purchases.find(identity)
    if (kept === null && findNamed(pending, kind, identity) === null) return null
    return kind === "item" ? ifNewer.item(id, asOf, keep) : ifNewer.purchase(identity, asOf, keep)
  },
}

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
      stored?.isSuspendedByOperator ??
      findNamed(batch.tombstones, "account", username)?.isByOperator === true,
  }
  const rejection = checkKeyOwner(batch, username, key)
  if (rejection !== null) return rejection
  if (stored === null || !isSameAccount(stored, account)) {
    batch.accounts.put(username, { ...account, asOf, id: stored?.id ?? null })
  }
  if (key !== null && findOwner(batch, key) === undefined) {
    batch.keyOwners.set(hex(key.lookup), username)
    batch.newKeys.set(hex(key.lookup), key)
  }
  return null
}

const findOwner = ({ keyOwners }: Batch, { lookups }: ImportedKey) =>
  lookups.map((lookup) => keyOwners.get(hex(lookup))).find((owner) => owner !== undefined)

function checkKeyOwner(batch: Batch, username: string, key: ImportedKey | null): Problem | null {
  const owner = key === null ? username : (findOwner(batch, key) ?? username)
  return owner === username ? null : problem("api_key", "key_of_other_account")
}

const isSameAccount = (one: DecidedAccount, other: Omit<DecidedAccount, "id" | "asOf">) =>
  one.isSuspended === other.isSuspended &&
  one.isSuspendedByOperator === other.isSuspendedByOperator &&
  one.body === other.body

/** The patch was validated when it was read. */
export function patchAccount(stored: AccountRecord, patch: AccountPatch): FeedAccount {
  const { username, isSuspended = stored.isSuspended, fields } = patch
  const body = JSON.stringify(mergeFields(JSON.parse(stored.body), fields))
  return { ...stored, username, isSuspended, body }
}

/** Runs before the rest of the record, which then finds the account under its new name. */
function applyUsername(
  batch: Batch,
  username: string,
  { key, was: from, asOf }: Pick<AccountPatch, "key" | "was"> & Pick<FeedRecord, "asOf">,
): Verdict {
  const { accounts, tombstones, keyOwners, nowMs } = batch
  if (from === undefined || from === username) return null
  const stored = accounts.find(from)
  if (stored === null) return null
  if (accounts.find(username) !== null) return problem("was", "both_accounts_exist")
  if (isOutdated(stored, asOf, nowMs)) return "outdated"
  const rejection = checkKeyOwner(batch, from, key)
  if (rejection !== null) return rejection
  accounts.move(from, username, (account) => ({ ...account, username }))
  batch.items.revise((item) => (item.author === from ? { ...item, author: username } : item))
  for (const [lookup, owner] of keyOwners) if (owner === from) keyOwners.set(lookup, username)
  for (const names of [batch.accountsInUse, batch.changedLists])
    if (names.delete(from)) names.add(username)
  batch.nameChanges.push({ from, to: username })
  const timestamp = { asOf: replaceAsOf(stored, asOf, nowMs) }
  accounts.put(username, { ...stored, username, ...timestamp })
  // An older feed must not restore the old name.
  const earlier = { kind: "account", identity: from, isByOperator: false } as const
  tombstones.put(tombstoneName("account", from), { ...earlier, ...timestamp })
  tombstones.remove(tombstoneName("account", username))
  return null
}

function putItem(
  batch: Batch,
  item: ItemRecord,
  asOf: number,
  wasAuthor: string | undefined,
): Verdict {
  const { accounts, items, changedLists, movedItems } = batch
  const { id, author } = item
  const stored = items.find(id)
  // A stored item has an author, even if the batch does not mention it.
  if (stored?.author !== author && accounts.find(author) === null) {
    return stored === null
      ? putPending(batch, { kind: "item", record: item }, asOf, "author")
      : unknownAccount(author, "author")
  }
  const isMoved = stored !== null && stored.author !== author
  if (isMoved && stored.author !== wasAuthor) return problem("author", "item_of_other_author")
  if (!isMoved && stored !== null && isSameItem(stored, item)) return null
  items.put(id, { ...item, asOf })
  removePending(batch, "item", id)
  changedLists.add(author)
  if (isMoved) {
    changedLists.add(stored.author)
    if (!movedItems.has(id)) movedItems.set(id, stored.author)
  }
  return null
}

const isSameItem = (one: ItemRecord, other: ItemRecord) =>
  one.body === other.body &&
  one.isHidden === other.isHidden &&
  (one.downloadUrl ?? null) === (other.downloadUrl ?? null)

/** The patch was validated when it was read. Throws InvalidRecord if the item lacks media of its kind, or is too large. */
export function patchItem(stored: ItemRecord, patch: ItemPatch): ItemRecord {
  const { author = stored.author, isHidden = stored.isHidden, fields } = patch
  const { downloadUrl = stored.downloadUrl } = patch
  const merged: Fields = mergeFields(JSON.parse(stored.body), fields)
  if (isObject(merged.media)) dropForbiddenMedia(merged.media)
  const body = JSON.stringify(itemSchema(merged, ""))
  return checkItemSize({ ...stored, author, isHidden, downloadUrl, body })
}

function putPurchase(batch: Batch, purchase: PurchaseRecord, asOf: number): Verdict {
  const { items, purchases } = batch
  const { code, itemId } = purchase
  const stored = purchases.find(code)
  const known = findPurchase(batch, code)
  const isRevokedByOperator =
    known === null
      ? findNamed(batch.tombstones, "purchase", code)?.isByOperator === true
      : known.isRevokedByOperator === true
  const { siteLimit = known?.siteLimit } = purchase
  const sold = { ...purchase, isRevokedByOperator, siteLimit }
  if (stored === null) {
    if (items.find(itemId) === null) {
      return putPending(batch, { kind: "purchase", record: sold }, asOf, "item_id")
    }
  } else if (stored.itemId !== itemId) {
    const item = items.find(itemId)
    if (item === null) return unknownItem(itemId)
    if (item.author !== items.find(stored.itemId)?.author) {
      return problem("item_id", "code_of_other_author", { item: `${stored.itemId}` })
    }
  }
  if (stored === null || !isSamePurchase(stored, sold)) purchases.put(code, { ...sold, asOf })
  removePending(batch, "purchase", code)
  return null
}

const isSamePurchase = (one: PurchaseRecord, other: PurchaseRecord) =>
  isSameSale(one, other) &&
  one.isRevoked === other.isRevoked &&
  (one.isRevokedByOperator === true) === (other.isRevokedByOperator === true) &&
  one.buyer === other.buyer &&
  (one.siteLimit ?? null) === (other.siteLimit ?? null)

/** The patch was validated when it was read. */
export function patchPurchase(stored: PurchaseRecord, patch: PurchasePatch): PurchaseRecord {
  const {
    itemId = stored.itemId,
    isRevoked = stored.isRevoked,
    buyer = stored.buyer,
    validUntil = stored.validUntil,
    siteLimit = stored.siteLimit,
    fields,
  } = patch
  const text = renderPurchaseText(mergeFields(purchaseFieldsOf(stored), fields))
  return { ...stored, itemId, isRevoked, buyer, validUntil, siteLimit, ...text }
}

type Batch = ReturnType<typeof createBatch>

/** `nowMs` is the timestamp of records without one, `pendingRoom` how many more records may become pending. */
function createBatch(found: ExistingRecords, nowMs: number, pendingRoom: number) {
  const accounts = createStates<string, DecidedAccount>(found.accounts)
  const items = createStates<number, DatedItem>(found.items)
  const purchases = createStates<string, DatedPurchase>(found.purchases)
  const tombstones = createStates<string, Tombstone>(found.tombstones)
  const pending = createStates<string, PendingRecord>(found.pending)
  const ahead = { records: 0, ms: 0 }
  const dating = { tombstones, pending, ahead, nowMs }
  return {
    ...{ found, accounts, items, purchases, ...dating, pendingRoom },
    keyOwners: new Map(found.keyOwners),
    /** By look-up value. */
    newKeys: new Map<string, ImportedKey>(),
    accountsInUse: new Set(found.accountsInUse),
    changedLists: new Set<string>(),
    nameChanges: [] as { from: string; to: string | null }[],
    movedItems: new Map<number, string>(),
    ifNewer: {
      account: createApplyIfNewer("account", accounts, dating),
      item: createApplyIfNewer("item", items, dating),
      purchase: createApplyIfNewer("purchase", purchases, dating),
    },
  }
}

type Dating = Readonly<{
  tombstones: States<string, Tombstone>
  pending: States<string, PendingRecord>
  ahead: { records: number; ms: number }
  nowMs: number
}>
type DatedRecord = Dated &
  Readonly<{ isSuspendedByOperator?: boolean; isRevokedByOperator?: boolean | undefined }>

/** Applies a record unless its stored state is newer. `change` puts a state with the timestamp it is called with. */
const createApplyIfNewer =
  <Identity extends string | number, State extends DatedRecord>(
    kind: DatedKind,
    states: States<Identity, State>,
    { tombstones, pending, ahead, nowMs }: Dating,
  ) =>
  (identity: Identity, incoming: AsOf | undefined, change: (asOf: number) => Verdict): Verdict => {
    const kept = states.find(identity)
    const pendingBefore = kept === null ? findNamed(pending, kind, identity) : null
    const isAbsent = kept === null && pendingBefore === null
    const tombstone = isAbsent ? findNamed(tombstones, kind, identity) : null
    const known = kept ?? pendingBefore ?? tombstone
    const aheadMs = measureAheadMs(known, incoming, nowMs)
    if (aheadMs > 0) {
      ahead.records += 1
      ahead.ms = Math.max(ahead.ms, aheadMs)
    }
    if (isOutdated(known, incoming, nowMs)) return "outdated"
    const asOf = replaceAsOf(known, incoming, nowMs)
    const verdict = change(asOf)
    if (verdict !== null && verdict !== "pending") return verdict
    // Without a timestamp, a record that changes nothing writes nothing.
    const isNewer = incoming !== undefined && asOf !== known?.asOf
    const state = states.find(identity)
    const pendingAfter = state === null ? findNamed(pending, kind, identity) : null
    if (state === null && pendingAfter === null) {
      const record: DatedRecord | null =
        kept ?? (pendingBefore && { ...pendingBefore.record, asOf })
      const isByOperator =
        record === null
          ? tombstone?.isByOperator === true
          : record.isSuspendedByOperator === true || record.isRevokedByOperator === true
      if (!isAbsent || isNewer) {
        const name = tombstoneName(kind, identity)
        tombstones.put(name, { kind, identity: `${identity}`, asOf, isByOperator })
      }
    } else if (tombstone !== null) {
      tombstones.remove(tombstoneName(kind, identity))
    } else if (state !== null && state === kept && isNewer) {
      states.touch(identity, { ...state, asOf })
    } else if (pendingAfter !== null && pendingAfter === pendingBefore && isNewer) {
      pending.touch(namePending(pendingAfter), { ...pendingAfter, asOf })
    }
    return verdict
  }

/**
 * Whether an earlier row of the same pull or full sync had this identity. Stored timestamps tell, so memory does not
 * grow. A name that another account had before is not an earlier row.
 */
function isRepeated(batch: Batch, record: FeedRecord): boolean {
  if (record.asOf?.isOfRun !== true) return false
  const { accounts, items, purchases, pending, tombstones } = batch
  const { kind, identity } = identifyRecord(record)
  let known: Dated | null = null
  if (kind === "account") known = accounts.find(identity)
  else if (kind === "item") known = items.find(Number(identity))
  else known = purchases.find(identity) ?? findNamed(tombstones, kind, identity)
  known ??= findNamed(pending, kind, identity)
  return known?.asOf === record.asOf.ms
}

/** The stored or pending item. */
function findItem({ items, pending }: Batch, id: number): ItemRecord | null {
  const stored = items.find(id)
  if (stored !== null) return stored
  const found = findNamed(pending, "item", id)
  return found?.kind === "item" ? found.record : null
}

/** The stored or pending purchase. */
function findPurchase({ purchases, pending }: Batch, code: string): PurchaseRecord | null {
  const stored = purchases.find(code)
  if (stored !== null) return stored
  const found = findNamed(pending, "purchase", code)
  return found?.kind === "purchase" ? found.record : null
}

/** `field` names what is missing, for the rejection if no more records may become pending. */
function putPending(batch: Batch, content: PendingContent, asOf: number, field: string): Verdict {
  const { pending, nowMs } = batch
  const name = tombstoneName(content.kind, identifyPending(content))
  const kept = pending.find(name)
  if (kept === null) {
    batch.pendingRoom -= 1
    if (batch.pendingRoom < 0) return problem(field, "too_many_pending", { max: pendingRecordsMax })
  }
  // The clock may have been ahead when the record became pending.
  pending.put(name, { ...content, asOf, sinceMs: Math.min(kept?.sinceMs ?? nowMs, nowMs) })
  return "pending"
}

function removePending({ pending }: Batch, kind: PendingKind, identity: string | number): void {
  if (!pending.isEmpty()) pending.remove(tombstoneName(kind, identity))
}

/** Skips building the name: most batches find no pending records and no tombstones. */
const findNamed = <State>(
  states: States<string, State>,
  kind: DatedKind,
  identity: string | number,
): State | null => (states.isEmpty() ? null : states.find(tombstoneName(kind, identity)))

type States<Identity, State> = ReturnType<typeof createStates<Identity, State>>

function createStates<Identity, State>(found: ReadonlyMap<Identity, State>) {
  let stored = found
  let copy: Map<Identity, State> | null = null
  /** In the order of the first change. */
  const changed = new Map<Identity, State>()
  const touched = new Set<Identity>()
  const removed: State[] = []

  function ownStored(): Map<Identity, State> {
    copy ??= new Map(found)
    stored = copy
    return copy
  }
  return {
    find: (identity: Identity) => changed.get(identity) ?? stored.get(identity) ?? null,
    isEmpty: () => stored.size === 0 && changed.size === 0,
    some: (isWanted: (state: State) => boolean) =>
      changed.values().some(isWanted) ||
      stored.entries().some(([identity, state]) => !changed.has(identity) && isWanted(state)),
    put(identity: Identity, state: State): void {
      changed.set(identity, state)
      touched.delete(identity)
    },
    touch(identity: Identity, state: State): void {
      if (!changed.has(identity)) touched.add(identity)
      changed.set(identity, state)
    },
    remove(identity: Identity): void {
      changed.delete(identity)
      touched.delete(identity)
      const state = stored.get(identity)
      if (state === undefined) return
      removed.push(state)
      ownStored().delete(identity)
    },
    /** Changes the identity of a state. That alone is not a change of the state. */
    move(from: Identity, to: Identity, revise: (state: State) => State): void {
      const [change, state] = [changed.get(from), stored.get(from)]
      changed.delete(from)
      if (change !== undefined) changed.set(to, revise(change))
      if (touched.delete(from)) touched.add(to)
      if (state === undefined) return
      ownStored().delete(from)
      ownStored().set(to, revise(state))
    },
    /** Corrects states that follow from another change and need not be written. */
    revise(revise: (state: State) => State): void {
      for (const states of [changed, ownStored()])
        for (const [identity, state] of states) states.set(identity, revise(state))
    },
    changes(): Changed<State> {
      const changes: Changed<State> = { removed, inserted: [], updated: [], touched: [] }
      for (const [identity, state] of changed) {
        if (touched.has(identity)) changes.touched.push(state)
        else (stored.has(identity) ? changes.updated : changes.inserted).push(state)
      }
      return changes
    },
  }
}
