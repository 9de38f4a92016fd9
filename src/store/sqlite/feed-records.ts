/** The records of a feed, one by one, inside a transaction that the caller opened. */
import type { Database } from "bun:sqlite"
import { randomBytes } from "node:crypto"
import type { AccountRecord } from "../../domain/account.ts"
import type { Fate, FeedRecord, ImportedKey, Refusal } from "../../domain/feed.ts"
import type { ItemRecord } from "../../domain/item.ts"
import type { PurchaseRecord, PurchaseText } from "../../domain/purchase.ts"
import { prepareKeyInsert } from "./api-keys.ts"
import { prepareSecretWriter } from "./feed-secrets.ts"
import { placesOf } from "./places.ts"

export function prepareRecordWriter(db: Database) {
  const accounts = prepareAccounts(db)
  const secrets = prepareSecretWriter(db, accounts.findId)
  const items = prepareItems(db, accounts.findId)
  const purchases = preparePurchases(db)

  function put(record: FeedRecord): Fate {
    switch (record.type) {
      case "account":
        return accounts.put(record.account, record.key)
      case "key":
        return secrets.putKey(record.key)
      case "password":
        return secrets.putPassword(record.username, record.hash)
      case "item":
        return items.put(record.item)
      case "purchase":
        return purchases.put(record.purchase)
      case "deleted account":
        return accounts.delete(record.username)
      case "deleted item":
        return items.delete(record.id)
      case "deleted purchase":
        return purchases.delete(record.code)
    }
  }
  return {
    putAll(records: readonly FeedRecord[]): readonly Fate[] {
      const fates = records.map(put)
      items.renewChangedLists()
      return fates
    },
  }
}

const refuse = (member: string, reason: string): Refusal => ({ member, reason })

/** Random, not counted: a store restored from a backup must not reach an old version again. */
const newListVersion = () => randomBytes(9).toString("base64url")

function prepareAccounts(db: Database) {
  const find = db.query<{ id: number; body: string }, [string]>(
    "SELECT id, body FROM accounts WHERE username = ?",
  )
  const insert = db.query("INSERT INTO accounts (username, list_version, body) VALUES (?, ?, ?)")
  const update = db.query("UPDATE accounts SET body = ? WHERE id = ?")
  const remove = db.query("DELETE FROM accounts WHERE id = ?")
  const findItem = db.query("SELECT 1 FROM items WHERE account_id = ? LIMIT 1")
  const findKeyOwner = db.query<{ accountId: number }, [Uint8Array]>(
    `SELECT account_id AS "accountId" FROM api_keys WHERE lookup = ?`,
  )
  const insertKey = prepareKeyInsert(db)
  return {
    findId: (username: string) => find.get(username)?.id,
    put({ username, body }: AccountRecord, key: ImportedKey | null): Fate {
      const kept = find.get(username)
      const keyOwner = key && findKeyOwner.get(key.lookup)
      if (keyOwner && keyOwner.accountId !== kept?.id) {
        return refuse("api_key", "belongs to another account")
      }
      if (kept && kept.body !== body) update.run(body, kept.id)
      const accountId =
        kept?.id ?? Number(insert.run(username, newListVersion(), body).lastInsertRowid)
      if (key && !keyOwner) insertKey({ ...key, accountId })
      return null
    },
    delete(username: string): Fate {
      const kept = find.get(username)
      if (!kept) return null
      if (findItem.get(kept.id)) return refuse("username", "still has items")
      remove.run(kept.id)
      return null
    },
  }
}

function prepareItems(db: Database, findAccountId: (username: string) => number | undefined) {
  const find = db.query<{ accountId: number; hidden: number; body: string }, [number]>(
    `SELECT account_id AS "accountId", hidden, body FROM items WHERE id = ?`,
  )
  const insert = db.query("INSERT INTO items (id, account_id, hidden, body) VALUES (?, ?, ?, ?)")
  const update = db.query("UPDATE items SET hidden = ?, body = ? WHERE id = ?")
  const remove = db.query("DELETE FROM items WHERE id = ?")
  const findPurchase = db.query("SELECT 1 FROM purchases WHERE item_id = ? LIMIT 1")
  const renewList = db.query("UPDATE accounts SET list_version = ? WHERE id = ?")
  const changedAccounts = new Set<number>()
  return {
    put({ id, author, isHidden, body }: ItemRecord): Fate {
      const accountId = findAccountId(author)
      if (accountId === undefined) return refuse("author", `there is no account ${author}`)
      const hidden = isHidden ? 1 : 0
      const kept = find.get(id)
      if (kept && kept.accountId !== accountId) {
        return refuse("author", `item ${id} belongs to another author`)
      }
      if (kept?.body === body && kept.hidden === hidden) return null
      if (kept) update.run(hidden, body, id)
      else insert.run(id, accountId, hidden, body)
      changedAccounts.add(accountId)
      return null
    },
    delete(id: number): Fate {
      const kept = find.get(id)
      if (!kept) return null
      if (findPurchase.get(id)) return refuse("id", `item ${id} still has purchases`)
      remove.run(id)
      changedAccounts.add(kept.accountId)
      return null
    },
    renewChangedLists(): void {
      for (const accountId of changedAccounts) renewList.run(newListVersion(), accountId)
      changedAccounts.clear()
    },
  }
}

type KeptPurchase = PurchaseText & Readonly<{ place: number; itemId: number; revoked: number }>

function preparePurchases(db: Database) {
  const exact = "place BETWEEN ?1 AND ?2 AND code = ?3"
  const find = db.query<KeptPurchase, [number, number, string]>(
    `SELECT place, item_id AS "itemId", revoked, before_item AS "beforeItem", after_item AS "afterItem"
     FROM purchases WHERE ${exact}`,
  )
  // Most purchases of a feed are new and nobody stands there: one statement finds that out, and the item.
  const insert = db.query(
    `INSERT INTO purchases (place, code, item_id, revoked, before_item, after_item)
     SELECT ?1, ?3, id, ?5, ?6, ?7 FROM items
     WHERE id = ?4 AND NOT EXISTS (SELECT 1 FROM purchases WHERE place BETWEEN ?1 AND ?2)`,
  )
  const findFree = db.query<{ place: number }, [number, number]>(
    "SELECT coalesce(max(place) + 1, ?1) AS place FROM purchases WHERE place BETWEEN ?1 AND ?2",
  )
  const update = db.query(
    "UPDATE purchases SET revoked = ?2, before_item = ?3, after_item = ?4 WHERE place = ?1",
  )
  const remove = db.query(`DELETE FROM purchases WHERE ${exact}`)

  function put(record: PurchaseRecord): Fate {
    const { code, itemId, beforeItem, afterItem } = record
    const revoked = record.isRevoked ? 1 : 0
    const { first, last } = placesOf(code)
    const insertAt = (place: number) =>
      insert.run(place, last, code, itemId, revoked, beforeItem, afterItem).changes === 1
    if (insertAt(first)) return null
    const kept = find.get(first, last, code)
    if (kept) return change(kept, record, revoked)
    const free = findFree.get(first, last)?.place ?? first
    if (free > last) return refuse("purchase_code", "too many codes have its checksum")
    return insertAt(free) ? null : refuse("item_id", `there is no item ${itemId}`)
  }
  function change(kept: KeptPurchase, record: PurchaseRecord, revoked: number): Fate {
    const { itemId, beforeItem, afterItem } = record
    if (kept.itemId !== itemId) {
      return refuse("item_id", `this code was sold for item ${kept.itemId}`)
    }
    const isSame =
      kept.revoked === revoked && kept.beforeItem === beforeItem && kept.afterItem === afterItem
    if (!isSame) update.run(kept.place, revoked, beforeItem, afterItem)
    return null
  }
  return {
    put,
    delete(code: string): Fate {
      const { first, last } = placesOf(code)
      remove.run(first, last, code)
      return null
    },
  }
}
