/** Writes what the rules decided, inside a transaction that the caller opened. */
import type { Database } from "bun:sqlite"
import { randomBytes } from "node:crypto"
import type { Changed, Changes } from "../../domain/feed-rules.ts"
import type { ItemRecord } from "../../domain/item.ts"
import type { PurchaseRecord } from "../../domain/purchase.ts"
import { prepareKeyInsert } from "./api-keys.ts"
import type { Places } from "./feed-found.ts"
import { preparePasswordPut } from "./passwords.ts"

/** Random, not counted: a store restored from a backup must not reach an old version again. */
const newListVersion = () => randomBytes(9).toString("base64url")

export function prepareChangeWriter(db: Database) {
  const accounts = prepareAccounts(db)
  const secrets = prepareSecrets(db, accounts.idOf)
  const items = prepareItems(db, accounts.idOf)
  const purchases = preparePurchases(db)
  return (changes: Changes, places: Places): void => {
    purchases.remove(changes.purchases, places)
    items.remove(changes.items)
    accounts.write(changes.accounts)
    secrets.write(changes)
    items.write(changes.items)
    purchases.write(changes.purchases, places)
    accounts.renewLists(changes.changedLists)
  }
}

function prepareAccounts(db: Database) {
  const findId = db.query<{ id: number }, [string]>("SELECT id FROM accounts WHERE username = ?")
  const insert = db.query("INSERT INTO accounts (username, list_version, body) VALUES (?, ?, ?)")
  const update = db.query("UPDATE accounts SET body = ? WHERE id = ?")
  const remove = db.query("DELETE FROM accounts WHERE id = ?")
  const renewList = db.query("UPDATE accounts SET list_version = ? WHERE username = ?")
  return {
    idOf(username: string): number {
      const row = findId.get(username)
      if (row === null) throw new Error("a record was taken for an account that is not there")
      return row.id
    },
    write({ removed, inserted, updated }: Changes["accounts"]): void {
      for (const { id } of removed) remove.run(id)
      for (const { username, body } of inserted) insert.run(username, newListVersion(), body)
      for (const { id, body } of updated) update.run(body, id)
    },
    renewLists(usernames: ReadonlySet<string>): void {
      for (const username of usernames) renewList.run(newListVersion(), username)
    },
  }
}

function prepareSecrets(db: Database, idOf: (username: string) => number) {
  const insertKey = prepareKeyInsert(db)
  const updateKey = db.query(
    `UPDATE api_keys SET name = $name, expires_at = $expiresAt, revoked_at = $revokedAt,
       replaced_at = $replacedAt WHERE id = $id`,
  )
  const putPassword = preparePasswordPut(db)
  return {
    write({ keys, passwords }: Changes): void {
      for (const key of keys.inserted) insertKey({ ...key, accountId: idOf(key.username) })
      for (const { id, name, expiresAt, revokedAt, replacedAt } of keys.updated) {
        updateKey.run({ id, name, expiresAt, revokedAt, replacedAt })
      }
      for (const { username, hash } of [...passwords.inserted, ...passwords.updated]) {
        putPassword(idOf(username), hash)
      }
    },
  }
}

function prepareItems(db: Database, idOf: (username: string) => number) {
  const insert = db.query("INSERT INTO items (id, account_id, hidden, body) VALUES (?, ?, ?, ?)")
  const update = db.query("UPDATE items SET hidden = ?, body = ? WHERE id = ?")
  const remove = db.query("DELETE FROM items WHERE id = ?")
  return {
    remove({ removed }: Changed<ItemRecord>): void {
      for (const { id } of removed) remove.run(id)
    },
    write({ inserted, updated }: Changed<ItemRecord>): void {
      for (const { id, author, isHidden, body } of inserted) {
        insert.run(id, idOf(author), isHidden ? 1 : 0, body)
      }
      for (const { id, isHidden, body } of updated) update.run(isHidden ? 1 : 0, body, id)
    },
  }
}

function preparePurchases(db: Database) {
  const insert = db.query(
    `INSERT INTO purchases (place, code, item_id, revoked, before_item, after_item)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const update = db.query(
    "UPDATE purchases SET revoked = ?2, before_item = ?3, after_item = ?4 WHERE place = ?1",
  )
  const remove = db.query("DELETE FROM purchases WHERE place = ?")

  function placeOf({ code }: PurchaseRecord, places: Places): number {
    const place = places.get(code)
    if (place === undefined) throw new Error("a purchase was taken that has no place")
    return place
  }
  return {
    remove({ removed }: Changed<PurchaseRecord>, places: Places): void {
      for (const purchase of removed) remove.run(placeOf(purchase, places))
    },
    write({ inserted, updated }: Changed<PurchaseRecord>, places: Places): void {
      for (const purchase of inserted) {
        const { code, itemId, isRevoked, beforeItem, afterItem } = purchase
        const place = placeOf(purchase, places)
        insert.run(place, code, itemId, isRevoked ? 1 : 0, beforeItem, afterItem)
      }
      for (const purchase of updated) {
        const { isRevoked, beforeItem, afterItem } = purchase
        update.run(placeOf(purchase, places), isRevoked ? 1 : 0, beforeItem, afterItem)
      }
    },
  }
}
