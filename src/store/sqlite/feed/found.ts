/** Reads what the records of a batch mention, for the rules to decide on. */
import { type Tombstone, tombstoneName } from "../../../domain/feed/as-of.ts"
import type {
  DatedItem,
  DatedPurchase,
  Found,
  FoundAccount,
  FoundPassword,
} from "../../../domain/feed/batch.ts"
import type { ImportedKey } from "../../../domain/feed/feed.ts"
import { absentOf, absentWaitersOf, type Mentions } from "../../../domain/feed/mentions.ts"
import {
  fromWaitingRow,
  type Need,
  type WaitingRecord,
  type WaitingRow,
} from "../../../domain/feed/waiting-record.ts"
import { fedAccountColumns, toFedAccount } from "../../sql/catalogue/accounts.ts"
import { feedRevoked, toFedPurchase } from "../../sql/catalogue/purchases.ts"
import { ask, type Steps } from "../../sql/database.ts"
import { nothingOutdated } from "../../sql/feed/feed.ts"
import { waitingByName, waitingColumns } from "../../sql/feed/waiting.ts"
import { type KeyRow, selectImportedKeys, toKey } from "../../sql/keys/api-key-rows.ts"
import type { Prepare } from "../connection/statements.ts"
import { rowidsOf } from "../migrations/purchase-rowids.ts"

/** The rowid of each purchase of the batch, also of those that are new. */
export type Rowids = ReadonlyMap<string, number>
export type FoundWithRowids = Found & Readonly<{ rowids: Rowids }>

type ItemRow = Omit<DatedItem, "isHidden"> & { isHidden: number }
type PurchaseRow = DatedPurchase & { place: number }

/** A generator like the reader of PostgreSQL, but it runs its statements itself: they are prepared. */
export function prepareFoundReader(prepare: Prepare, outdated = nothingOutdated) {
  const findAccount = prepare<FoundAccount, [string]>(
    `SELECT ${fedAccountColumns}, as_of AS "asOf" FROM accounts WHERE username = $1`,
  )
  const selectItem = (body: string) =>
    `SELECT i.id, a.username AS author, i.hidden AS "isHidden", ${body} AS body, i.as_of AS "asOf"
     FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id = $1`
  const findItem = prepare<ItemRow, [number]>(selectItem("i.body"))
  const findItemWithoutBody = prepare<ItemRow, [number]>(selectItem("''"))
  const findKey = prepare<KeyRow<ImportedKey>, [string]>(`${selectImportedKeys} WHERE k.id = $1`)
  const findKeyByLookup = prepare<KeyRow<ImportedKey>, [Uint8Array]>(
    `${selectImportedKeys} WHERE k.lookup = $1`,
  )
  const listKeysOf = prepare<KeyRow<ImportedKey>, [string]>(
    `${selectImportedKeys} WHERE a.username = $1`,
  )
  const findPassword = prepare<FoundPassword, [string]>(
    `SELECT a.username, p.hash FROM passwords p JOIN accounts a ON a.id = p.account_id
     WHERE a.username = $1`,
  )
  const listItems = prepare<{ id: number }, [string]>(
    `SELECT i.id FROM accounts a JOIN items i ON i.account_id = a.id
     WHERE a.username = $1 AND NOT ${outdated.item}`,
  )
  const listCodes = prepare<{ code: string }, [number]>(
    `SELECT p.code FROM purchases p WHERE p.item_id = $1 AND NOT ${outdated.purchase}`,
  )
  const readPurchases = preparePurchases(prepare)
  const readTombstones = prepareTombstones(prepare)
  const readWaiting = prepareWaiting(prepare)

  function readItems({ itemIds, broughtItemIds }: Mentions): Map<number, DatedItem> {
    const items = new Map<number, DatedItem>()
    for (const id of itemIds) {
      const row = broughtItemIds.has(id) ? findItem.get(id) : findItemWithoutBody.get(id)
      if (row !== null) items.set(id, { ...row, isHidden: row.isHidden === 1 })
    }
    return items
  }

  function readKeys({ keyIds, lookups, renamedUsernames }: Mentions): readonly ImportedKey[] {
    const rows = [
      ...[...keyIds].map((id) => findKey.get(id)),
      ...lookups.map((lookup) => findKeyByLookup.get(lookup)),
      ...[...renamedUsernames].flatMap((username) => listKeysOf.all(username)),
    ]
    return rows.flatMap((row) => (row === null ? [] : [toKey<ImportedKey>(row)]))
  }

  /** Stops at the first row that the batch does not mention: it reads no more rows than the batch has. */
  function hasOther<Row>(rows: Iterable<Row>, isMentioned: (row: Row) => boolean): boolean {
    for (const row of rows) if (!isMentioned(row)) return true
    return false
  }

  return function* (mentions: Mentions): Steps<FoundWithRowids> {
    const { usernames, itemIds, codes, deletedUsernames, deletedItemIds } = mentions
    const isItemMentioned = ({ id }: { id: number }) => itemIds.has(id)
    const isCodeMentioned = ({ code }: { code: string }) => codes.has(code)
    const there = {
      accounts: readEach(usernames, (username) => {
        const row = findAccount.get(username)
        return row && toFedAccount(row)
      }),
      items: readItems(mentions),
      ...readPurchases(codes),
    }
    return {
      ...there,
      tombstones: readTombstones(() => absentOf(mentions, there)),
      ...readWaiting(() => absentWaitersOf(mentions, there)),
      keys: readKeys(mentions),
      passwords: readEach(mentions.passwordUsernames, (username) => findPassword.get(username)),
      accountsInUse: new Set(
        [...deletedUsernames].filter((name) => hasOther(listItems.iterate(name), isItemMentioned)),
      ),
      itemsInUse: new Set(
        [...deletedItemIds].filter((id) => hasOther(listCodes.iterate(id), isCodeMentioned)),
      ),
    }
  }
}

function readEach<State>(names: Iterable<string>, find: (name: string) => State | null) {
  const states = new Map<string, State>()
  for (const name of names) {
    const state = find(name)
    if (state !== null) states.set(name, state)
  }
  return states
}

type FoundPurchases = Pick<FoundWithRowids, "purchases" | "rowids" | "codesWithoutRoom">

function preparePurchases(prepare: Prepare) {
  const listByRowid = prepare<PurchaseRow, [number, number]>(
    `SELECT place, code, item_id AS "itemId", ${feedRevoked}, buyer,
       before_item AS "beforeItem", after_item AS "afterItem", as_of AS "asOf"
     FROM purchases WHERE place BETWEEN $1 AND $2`,
  )
  return (codes: Iterable<string>): FoundPurchases => {
    const purchases = new Map<string, DatedPurchase>()
    const rowids = new Map<string, number>()
    const codesWithoutRoom = new Set<string>()
    /** The next free rowid of each checksum: new codes of one batch must not share one. */
    const nextFree = new Map<number, number>()
    for (const code of codes) {
      const { first, last } = rowidsOf(code)
      const rows = listByRowid.all(first, last)
      const kept = rows.find((row) => row.code === code)
      if (kept !== undefined) {
        purchases.set(code, toFedPurchase(kept))
        rowids.set(code, kept.place)
        continue
      }
      const free = nextFree.get(first) ?? (rows.at(-1)?.place ?? first - 1) + 1
      nextFree.set(first, free + 1)
      if (free > last) codesWithoutRoom.add(code)
      else rowids.set(code, free)
    }
    return { purchases, rowids, codesWithoutRoom }
  }
}

function prepareTombstones(prepare: Prepare) {
  const findAny = prepare<unknown, []>("SELECT 1 FROM tombstones LIMIT 1")
  const find = prepare<Omit<Tombstone, "byOperator"> & { byOperator: number }, [string, string]>(
    `SELECT kind, identity, as_of AS "asOf", by_operator AS "byOperator"
     FROM tombstones WHERE kind = $1 AND identity = $2`,
  )
  return (listAbsent: () => ReturnType<typeof absentOf>): ReadonlyMap<string, Tombstone> => {
    const tombstones = new Map<string, Tombstone>()
    // Many stores have none: then a batch asks once.
    if (findAny.get() === null) return tombstones
    for (const { kind, identity } of listAbsent()) {
      const tombstone = find.get(kind, identity)
      if (tombstone === null) continue
      const byOperator = tombstone.byOperator === 1
      tombstones.set(tombstoneName(kind, identity), { ...tombstone, byOperator })
    }
    return tombstones
  }
}

function prepareWaiting(prepare: Prepare) {
  const findAny = prepare<unknown, []>("SELECT 1 FROM waiting LIMIT 1")
  const find = prepare<WaitingRow, [string, string]>(
    `SELECT ${waitingColumns} FROM waiting WHERE kind = $1 AND identity = $2`,
  )
  return (listAbsent: () => ReturnType<typeof absentWaitersOf>) => {
    // Most stores have none: then a batch asks once.
    const hasWaiting = findAny.get() !== null
    const rows = hasWaiting
      ? listAbsent().flatMap(({ kind, identity }) => find.get(kind, identity) ?? [])
      : []
    return { hasWaiting, waiting: waitingByName(rows) }
  }
}

/** At most `limit` records that wait for one of these. `isHidden` is an SQL condition on a row `w`. */
export function* listWaiting(
  needs: readonly Need[],
  limit: number,
  isHidden = "false",
): Steps<readonly WaitingRecord[]> {
  const rows: WaitingRow[] = []
  for (const { kind, needs: identity } of needs) {
    if (rows.length >= limit) break
    const found = yield* ask<WaitingRow>(
      `SELECT ${waitingColumns} FROM waiting w WHERE kind = $1 AND needs = $2 AND NOT ${isHidden}
       ORDER BY since LIMIT $3`,
      [kind, identity, limit - rows.length],
    )
    rows.push(...found)
  }
  return rows.map(fromWaitingRow)
}
