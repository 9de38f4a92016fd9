/** Writes what the rules decided, inside a transaction that the caller opened. */
import { randomBytes } from "node:crypto"
import type { Changes, DatedItem, DatedPurchase } from "../../../domain/feed/batch.ts"
import type { Changed } from "../../../domain/feed/states.ts"
import { toWaitingRow } from "../../../domain/feed/waiting-record.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { ask, type Steps } from "../../sql/database.ts"
import type { Writing } from "../../sql/feed/feed.ts"
import { insertKey, valuesOfKey } from "../../sql/keys/api-key-rows.ts"
import { noteRefund, noteSuspension } from "../../sql/sign-in/audit.ts"
import { setPassword } from "../../sql/sign-in/passwords.ts"
import { authorTables, endSessionsOf } from "../../sql/sign-in/sign-in-tables.ts"
import type { Prepare } from "../connection/statements.ts"
import type { FoundWithRowids, Rowids } from "./found.ts"

/** Random instead of counted: a store restored from a backup must not repeat a version. */
const newListVersion = () => randomBytes(9).toString("base64url")

export function prepareChangeWriter(prepare: Prepare) {
  const accounts = prepareAccounts(prepare)
  const items = prepareItems(prepare, accounts.idOf)
  const purchases = preparePurchases(prepare)
  return function* (
    changes: Changes,
    { rowids }: FoundWithRowids,
    { runId, source, words }: Writing,
  ): Steps<void> {
    purchases.remove(changes.purchases, rowids)
    items.remove(changes.items)
    accounts.vacateNames(changes)
    accounts.write(changes)
    yield* writeSecrets(changes, accounts.idOf)
    items.write(changes)
    purchases.write(changes.purchases, rowids)
    // Last: an item may have moved from one of these to a new account.
    accounts.remove(changes.accounts)
    accounts.renewLists(changes.changedLists)
    yield* writeTombstones(changes.tombstones)
    yield* writeWaiting(changes.waiting, runId)
    const at = formatTimestamp(new Date())
    for (const { id } of words.accounts) yield* ask(noteSuspension, [at, source, id])
    for (const { code } of words.purchases) {
      yield* ask(noteRefund("p.place = $3"), [at, source, rowids.get(code) ?? null])
    }
  }
}

/** No account has such a name: a feed refuses white space at the ends of a name. */
const spareName = (id: number | null) => ` ${id}`

function prepareAccounts(prepare: Prepare) {
  const findId = prepare<{ id: number }, [string]>("SELECT id FROM accounts WHERE username = $1")
  const insert = prepare(
    `INSERT INTO accounts (username, list_version, body, suspended, feed_suspended, as_of)
     VALUES ($1, $2, $3, $4, $5, $6)`,
  )
  const update = prepare(
    "UPDATE accounts SET body = $1, suspended = $2, feed_suspended = $3, as_of = $4 WHERE id = $5",
  )
  const touch = prepare("UPDATE accounts SET as_of = $1 WHERE id = $2")
  const endAll = prepare(endSessionsOf(authorTables))
  const rename = prepare("UPDATE accounts SET username = $1 WHERE id = $2")
  const remove = prepare("DELETE FROM accounts WHERE id = $1")
  const renewList = prepare("UPDATE accounts SET list_version = $1 WHERE username = $2")
  return {
    idOf(username: string): number {
      const row = findId.get(username)
      if (row === null) throw new Error("a record was taken for an account that is not there")
      return row.id
    },
    /** Accounts may exchange their names, and a new one may take that of a removed one. */
    vacateNames({ accounts, renamedAccounts }: Changes): void {
      for (const { id } of [...accounts.removed, ...renamedAccounts]) rename.run(spareName(id), id)
    },
    write({ accounts: { inserted, updated, touched }, renamedAccounts }: Changes): void {
      for (const { username, body, isSuspended, isSuspendedByOperator, asOf } of inserted) {
        const words = wordsOf(isSuspended, isSuspendedByOperator)
        insert.run(username, newListVersion(), body, ...words, asOf)
      }
      for (const { id, body, isSuspended, isSuspendedByOperator, asOf } of updated) {
        const words = wordsOf(isSuspended, isSuspendedByOperator)
        update.run(body, ...words, asOf, id)
        if (words[0] === 1) endAll.run(id)
      }
      for (const { id, asOf } of touched) touch.run(asOf, id)
      for (const { id, username } of renamedAccounts) rename.run(username, id)
    },
    remove({ removed }: Changes["accounts"]): void {
      for (const { id } of removed) remove.run(id)
    },
    renewLists(usernames: ReadonlySet<string>): void {
      for (const username of usernames) renewList.run(newListVersion(), username)
    },
  }
}

function* writeSecrets(
  { keys, passwords }: Changes,
  idOf: (username: string) => number,
): Steps<void> {
  // Here, because their account is removed last, and a new key may have the same id.
  for (const { id } of keys.removed) yield* ask("DELETE FROM api_keys WHERE id = $1", [id])
  for (const key of keys.inserted) {
    yield* ask(insertKey, valuesOfKey({ ...key, accountId: idOf(key.username), replacedBy: null }))
  }
  for (const { id, name, sealed, expiresAt, revokedAt, replacedAt } of keys.updated) {
    yield* ask(
      `UPDATE api_keys SET name = $2, sealed = $3, expires_at = $4, revoked_at = $5, replaced_at = $6
       WHERE id = $1`,
      [id, name, sealed, expiresAt, revokedAt, replacedAt],
    )
  }
  for (const { username, hash } of [...passwords.inserted, ...passwords.updated]) {
    yield* setPassword(authorTables, idOf(username), hash)
  }
}

function* writeTombstones({ removed, inserted, updated }: Changes["tombstones"]): Steps<void> {
  for (const { kind, identity } of removed) {
    yield* ask("DELETE FROM tombstones WHERE kind = $1 AND identity = $2", [kind, identity])
  }
  for (const { kind, identity, asOf, byOperator } of [...inserted, ...updated]) {
    yield* ask(
      "INSERT OR REPLACE INTO tombstones (kind, identity, as_of, by_operator) VALUES ($1, $2, $3, $4)",
      [kind, identity, asOf, byOperator ? 1 : 0],
    )
  }
}

function* writeWaiting(
  { removed, inserted, updated, touched }: Changes["waiting"],
  runId: number | null,
): Steps<void> {
  for (const { kind, identity } of removed.map(toWaitingRow)) {
    yield* ask("DELETE FROM waiting WHERE kind = $1 AND identity = $2", [kind, identity])
  }
  for (const row of [...inserted, ...updated].map(toWaitingRow)) {
    const { kind, identity, needs, record, asOf, sinceMs } = row
    yield* ask(
      `INSERT OR REPLACE INTO waiting (kind, identity, needs, record, as_of, since, run_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [kind, identity, needs, record, asOf, sinceMs, runId],
    )
  }
  for (const { kind, identity, asOf } of touched.map(toWaitingRow)) {
    yield* ask("UPDATE waiting SET as_of = $3 WHERE kind = $1 AND identity = $2", [
      kind,
      identity,
      asOf,
    ])
  }
}

/** The columns of what counts and of what the feed says, which is null where no operator says more. */
const wordsOf = (byFeed: boolean, byOperator = false): readonly [number, number | null] => [
  byFeed || byOperator ? 1 : 0,
  byOperator ? Number(byFeed) : null,
]

function prepareItems(prepare: Prepare, idOf: (username: string) => number) {
  const insert = prepare(
    "INSERT INTO items (id, account_id, hidden, body, as_of) VALUES ($1, $2, $3, $4, $5)",
  )
  const update = prepare("UPDATE items SET hidden = $1, body = $2, as_of = $3 WHERE id = $4")
  const move = prepare("UPDATE items SET account_id = $1 WHERE id = $2")
  const touch = prepare("UPDATE items SET as_of = $1 WHERE id = $2")
  const remove = prepare("DELETE FROM items WHERE id = $1")
  return {
    remove({ removed }: Changed<DatedItem>): void {
      for (const { id } of removed) remove.run(id)
    },
    write({ items: { inserted, updated, touched }, movedItems }: Changes): void {
      for (const { id, author, isHidden, body, asOf } of inserted) {
        insert.run(id, idOf(author), isHidden ? 1 : 0, body, asOf)
      }
      for (const { id, isHidden, body, asOf } of updated) {
        update.run(isHidden ? 1 : 0, body, asOf, id)
      }
      for (const { id, author } of movedItems) move.run(idOf(author), id)
      for (const { id, asOf } of touched) touch.run(asOf, id)
    },
  }
}

function preparePurchases(prepare: Prepare) {
  const insert = prepare(
    `INSERT INTO purchases
       (place, code, item_id, revoked, feed_revoked, buyer, before_item, after_item, as_of)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  )
  const update = prepare(
    `UPDATE purchases SET revoked = $2, feed_revoked = $3, buyer = $4, before_item = $5,
       after_item = $6, as_of = $7
     WHERE place = $1`,
  )
  const touch = prepare("UPDATE purchases SET as_of = $1 WHERE place = $2")
  const remove = prepare("DELETE FROM purchases WHERE place = $1")

  function rowidOf({ code }: DatedPurchase, rowids: Rowids): number {
    const rowid = rowids.get(code)
    if (rowid === undefined) throw new Error("a purchase was taken that has no rowid")
    return rowid
  }
  return {
    remove({ removed }: Changed<DatedPurchase>, rowids: Rowids): void {
      for (const purchase of removed) remove.run(rowidOf(purchase, rowids))
    },
    write({ inserted, updated, touched }: Changed<DatedPurchase>, rowids: Rowids): void {
      for (const purchase of inserted) {
        const { code, itemId, buyer, beforeItem, afterItem, asOf } = purchase
        const words = wordsOf(purchase.isRevoked, purchase.isRevokedByOperator)
        const rowid = rowidOf(purchase, rowids)
        insert.run(rowid, code, itemId, ...words, buyer, beforeItem, afterItem, asOf)
      }
      for (const purchase of updated) {
        const { buyer, beforeItem, afterItem, asOf } = purchase
        const words = wordsOf(purchase.isRevoked, purchase.isRevokedByOperator)
        update.run(rowidOf(purchase, rowids), ...words, buyer, beforeItem, afterItem, asOf)
      }
      for (const purchase of touched) touch.run(purchase.asOf, rowidOf(purchase, rowids))
    },
  }
}
