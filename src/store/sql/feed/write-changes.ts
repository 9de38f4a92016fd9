import { accountBodyOf } from "../../../domain/catalog/account.ts"
import { itemBodyOf } from "../../../domain/catalog/item.ts"
import { purchaseFieldsOf, toPriceUnits } from "../../../domain/catalog/purchase.ts"
import {
  type Changed,
  type Changes,
  type DatedItem,
  type DatedPurchase,
  hex,
  type MovedItem,
  type OverriddenChanges,
} from "../../../domain/feed/batch.ts"
import { type Dated, toPendingRow } from "../../../domain/feed/feed-record.ts"
import { usageDays } from "../../../domain/usage/usage.ts"
import { foldLetters } from "../../../domain/values/text.ts"
import { formatTimestamp, lastDays, type Timestamp } from "../../../domain/values/time/timestamp.ts"
import {
  insertMoveEvents,
  insertRefundEvent,
  insertSuspensionEvent,
} from "../sign-in/audit-store.ts"
import { type Dialect, readRows, type Transaction, writeRows } from "../sql-database.ts"
import { rawSql } from "../statement.ts"
import { codeColumns, codeRowOf, isSameCode } from "./existing-records.ts"

export async function writeChanges(
  tx: Transaction,
  changes: Changes,
  overridden: OverriddenChanges,
  { source, runId, now }: Readonly<{ source: string; runId: number | null; now: Date }>,
): Promise<void> {
  const { among } = tx
  const at = formatTimestamp(now)
  await writeRows(
    tx,
    changes.purchases.removed.map(({ code }) => codeRowOf(code)),
    `DELETE FROM purchases WHERE (folded, code) IN (SELECT folded, code FROM ${tx.rows(codeColumns)})`,
  )
  await writeAccounts(tx, changes)
  const removed = changes.accounts.removed.map(({ id }) => id)
  await readRows(
    tx,
    [removed, lastDays(at, usageDays)],
    `DELETE FROM usage WHERE day ${among("$2", "text")} AND key_id IN (
       SELECT id FROM api_keys WHERE account_id ${among("$1", "bigint")})`,
  )
  // Before the accounts, because a new key may have the same secret.
  await readRows(tx, [removed], `DELETE FROM api_keys WHERE account_id ${among("$1", "bigint")}`)
  await writeKeys(tx, changes.newKeys)
  await writeItems(tx, changes, source, at)
  await writePurchases(tx, changes.purchases)
  // After the purchases, some of which may have moved to another item. An item that was inserted again is kept.
  const reinsertedIds = new Set(changes.items.inserted.map(({ id }) => id))
  const removedIds = new Set(changes.items.removed.map(({ id }) => id)).difference(reinsertedIds)
  await readRows(tx, [removedIds], `DELETE FROM items WHERE id ${among("$1", "bigint")}`)
  // Accounts are deleted last: an item may have moved from one of them to a new account.
  await readRows(tx, [removed], `DELETE FROM accounts WHERE id ${among("$1", "bigint")}`)
  const renewLists = `UPDATE accounts SET list_version = ${tx.newVersion} WHERE username ${among("$1", "text")}`
  await readRows(tx, [changes.changedLists], renewLists)
  await writeTombstones(tx, changes.tombstones)
  await writePending(tx, changes.pending, runId)
  for (const { id } of overridden.accounts) await tx.query(insertSuspensionEvent(at, source, id))
  for (const { code } of overridden.purchases) await tx.query(insertRefundEvent(at, source, code))
}

async function writeAccounts(
  tx: Transaction,
  { accounts: { removed, inserted, updated, touched }, renamedAccounts }: Changes,
): Promise<void> {
  const { rows, among, newVersion } = tx
  // Accounts may swap names, and a new one may reuse the name of a deleted one. The temporary names cannot conflict,
  // because feeds reject names that start with whitespace.
  const vacated = [...removed, ...renamedAccounts].map(({ id }) => id)
  const vacate = `UPDATE accounts SET username = ' ' || id WHERE id ${among("$1", "bigint")}`
  await readRows(tx, [vacated], vacate)
  const state = `body text, "isSuspended" boolean, "isSuspendedByOperator" boolean, "asOf" bigint`
  await writeRows(
    tx,
    inserted,
    `INSERT INTO accounts (username, list_version, body, is_suspended, is_suspended_by_feed, as_of)
     SELECT username, ${newVersion}, body, "isSuspended" OR "isSuspendedByOperator",
       CASE WHEN "isSuspendedByOperator" THEN "isSuspended" END, "asOf"
     FROM ${rows(`username text, ${state}`)}`,
  )
  // Somebody else may read the previous address, and a link lets its reader choose a password.
  await writeRows(
    tx,
    updated.map(({ id, body }) => ({ id, email: accountBodyOf({ body }).email })),
    `DELETE FROM invitations WHERE account_id IN (
       SELECT a.id FROM ${rows("id integer, email text")} CROSS JOIN accounts a
       WHERE a.id = new.id AND a.email <> new.email AND a.email <> '')`,
  )
  await writeRows(
    tx,
    updated,
    // An operator may have suspended the account since it was read.
    `UPDATE accounts SET body = new.body, as_of = "asOf",
       is_suspended = "isSuspended" OR "isSuspendedByOperator" OR is_suspended_by_feed IS NOT NULL,
       is_suspended_by_feed = CASE WHEN "isSuspendedByOperator" OR is_suspended_by_feed IS NOT NULL
         THEN "isSuspended" END
     FROM ${rows(`id integer, ${state}`)} WHERE accounts.id = new.id`,
  )
  await writeRows(
    tx,
    renamedAccounts,
    `UPDATE accounts SET username = new.username
     FROM ${rows("id integer, username text")} WHERE accounts.id = new.id`,
  )
  await touch(tx, "accounts", touched)
  const suspended = updated
    .filter(({ isSuspended, isSuspendedByOperator }) => isSuspended || isSuspendedByOperator)
    .map(({ id }) => id)
  await readRows(tx, [suspended], `DELETE FROM sessions WHERE account_id ${among("$1", "bigint")}`)
}

async function writeKeys(tx: Transaction, newKeys: Changes["newKeys"]): Promise<void> {
  const accounts = await readRows<{ id: number; username: string }>(
    tx,
    [newKeys.map(({ username }) => username)],
    `SELECT id, username FROM accounts WHERE username ${tx.among("$1", "text")}`,
  )
  const ids = new Map(accounts.map(({ id, username }) => [username, id]))
  const keys = newKeys.map(({ username, key: { lookup, encrypt, ...key } }, ordinal) => {
    const accountId = ids.get(username) ?? 0
    return { ...key, ordinal, accountId, lookup: hex(lookup), encrypted: hex(encrypt(accountId)) }
  })
  await writeRows(
    tx,
    keys,
    `INSERT INTO api_keys (id, account_id, kind, name, lookup, encrypted, created_at)
     SELECT id, "accountId", kind, name, ${tx.bytes("lookup")}, ${tx.bytes("encrypted")}, "createdAt"
     FROM ${tx.rows(`ordinal integer, id text, "accountId" bigint, kind text, name text, lookup text, encrypted text, "createdAt" text`)}
     ORDER BY ordinal`,
  )
}

async function writeItems(
  tx: Transaction,
  { items: { removed, inserted, updated, touched }, movedItems }: Changes,
  source: string,
  at: Timestamp,
): Promise<void> {
  const { rows } = tx
  const state = `"isHidden" boolean, body text, "foldedName" text, "downloadUrl" text, "asOf" bigint`
  const removedIds = new Set(removed.map(({ id }) => id))
  const reinserted = inserted.filter(({ id }) => removedIds.has(id))
  await writeRows(
    tx,
    inserted.filter(({ id }) => !removedIds.has(id)).map(toItemRow),
    `INSERT INTO items (id, account_id, is_hidden, body, folded_name, download_url, as_of)
     SELECT new.id, a.id, "isHidden", new.body, "foldedName", "downloadUrl", "asOf"
     FROM ${rows(`id bigint, author text, ${state}`)}
     CROSS JOIN accounts a WHERE a.username = new.author`,
  )
  await writeRows(
    tx,
    [...updated, ...reinserted].map(toItemRow),
    `UPDATE items SET is_hidden = "isHidden", body = new.body, folded_name = "foldedName",
       download_url = "downloadUrl", as_of = "asOf"
     FROM ${rows(`id bigint, ${state}`)} WHERE items.id = new.id`,
  )
  await recordMoves(tx, movedItems, source, at)
  await writeRows(
    tx,
    [...movedItems, ...reinserted],
    `UPDATE items SET account_id = a.id FROM ${rows("id bigint, author text")}
     CROSS JOIN accounts a WHERE a.username = new.author AND items.id = new.id`,
  )
  await readRows(
    tx,
    [movedItems.map(({ id }) => id)],
    `UPDATE purchases SET account_id = (SELECT i.account_id FROM items i WHERE i.id = item_id)
     WHERE item_id ${tx.among("$1", "bigint")}`,
  )
  await touch(tx, "items", touched)
}

function toItemRow(item: DatedItem) {
  const { name = "" } = itemBodyOf(item)
  return { ...item, foldedName: foldLetters(name) }
}

/** Sold products contain the keys that were created for an item, so these go on validating its purchases. */
async function recordMoves(
  tx: Transaction,
  movedItems: readonly MovedItem[],
  source: string,
  at: Timestamp,
): Promise<void> {
  const { rows, each } = tx
  const moves = movedItems.map(({ id, from, author, asOf }) => ({
    ...{ id, from, author, at, source },
    movedAt: formatTimestamp(new Date(asOf)),
  }))
  const columns = 'id bigint, "from" text, author text, at text, source text, "movedAt" text'
  const fromMoves = `FROM ${rows(columns)} CROSS JOIN items i
    JOIN accounts a ON a.username = new.author AND a.id <> i.account_id WHERE i.id = new.id`
  await writeRows(tx, moves, `${insertMoveEvents} ${fromMoves}`)
  await writeRows(
    tx,
    moves,
    `INSERT INTO previous_authors (item_id, account_id, moved_at)
     SELECT i.id, i.account_id, "movedAt" ${fromMoves}
     ON CONFLICT (item_id, account_id) DO UPDATE SET moved_at = excluded.moved_at`,
  )
  await writeRows(
    tx,
    moves,
    `INSERT INTO moved_item_keys (key_id, item_id)
     SELECT k.id, i.id FROM ${rows("id bigint")} CROSS JOIN items i
     JOIN api_keys k ON k.account_id = i.account_id
     WHERE i.id = new.id AND i.id IN (${each(rawSql("k.item_ids"), "bigint")})
     ON CONFLICT (key_id, item_id) DO NOTHING`,
  )
}

const touch = (
  tx: Transaction,
  table: "accounts" | "items",
  states: readonly (Dated & Readonly<{ id: number | null }>)[],
) =>
  writeRows(
    tx,
    states.map(({ id, asOf }) => ({ id, asOf })),
    `UPDATE ${table} SET as_of = "asOf"
     FROM ${tx.rows('id bigint, "asOf" bigint')} WHERE ${table}.id = new.id`,
  )

const identityColumns = "kind text, identity text"

const deleteByIdentity = ({ rows }: Dialect, table: string) =>
  `DELETE FROM ${table}
   WHERE (kind, identity) IN (SELECT new.kind, new.identity FROM ${rows(identityColumns)})`

async function writeTombstones(
  tx: Transaction,
  { removed, inserted, updated }: Changes["tombstones"],
): Promise<void> {
  await writeRows(tx, removed, deleteByIdentity(tx, "tombstones"))
  await writeRows(
    tx,
    [...inserted, ...updated],
    // Without WHERE, SQLite would parse ON CONFLICT as a join condition.
    `INSERT INTO tombstones (kind, identity, as_of, is_by_operator)
     SELECT kind, identity, "asOf", "isByOperator"
     FROM ${tx.rows(`${identityColumns}, "asOf" bigint, "isByOperator" boolean`)} WHERE true
     ON CONFLICT (kind, identity)
     DO UPDATE SET as_of = excluded.as_of, is_by_operator = excluded.is_by_operator`,
  )
}

async function writePending(
  tx: Transaction,
  { removed, inserted, updated, touched }: Changes["pending"],
  runId: number | null,
): Promise<void> {
  const { rows } = tx
  await writeRows(tx, removed.map(toPendingRow), deleteByIdentity(tx, "pending_records"))
  await writeRows(
    tx,
    [...inserted, ...updated].map((pending) => ({ ...toPendingRow(pending), runId })),
    `INSERT INTO pending_records (kind, identity, needs, record, as_of, since_ms, run_id)
     SELECT kind, identity, needs, record, "asOf", "sinceMs", "runId"
     FROM ${rows(`${identityColumns}, needs text, record text, "asOf" bigint, "sinceMs" bigint, "runId" bigint`)}
     WHERE true
     ON CONFLICT (kind, identity) DO UPDATE SET needs = excluded.needs, record = excluded.record,
       as_of = excluded.as_of, since_ms = excluded.since_ms, run_id = excluded.run_id`,
  )
  await writeRows(
    tx,
    touched.map(toPendingRow),
    `UPDATE pending_records SET as_of = "asOf" FROM ${rows(`${identityColumns}, "asOf" bigint`)}
     WHERE pending_records.kind = new.kind AND pending_records.identity = new.identity`,
  )
}

const stateColumns = `"itemId" bigint, "soldAt" text, currency text, price bigint, "isRevoked" boolean, "isRevokedByOperator" boolean, buyer text,
  "validUntil" text, "siteLimit" integer, "beforeItem" text, "afterItem" text, "asOf" bigint`

function toPurchaseRow(purchase: DatedPurchase) {
  const { date: soldAt, currency, price } = purchaseFieldsOf(purchase)
  return { ...purchase, ...codeRowOf(purchase.code), soldAt, currency, price: toPriceUnits(price) }
}

async function writePurchases(
  tx: Transaction,
  { inserted, updated, touched }: Changed<DatedPurchase>,
): Promise<void> {
  await writeRows(
    tx,
    inserted.map(toPurchaseRow),
    `INSERT INTO purchases
       (folded, code, item_id, account_id, sold_at, currency, price, is_revoked, is_revoked_by_feed, buyer,
        valid_until, site_limit, before_item, after_item, as_of)
     SELECT folded, code, "itemId", i.account_id, "soldAt", currency, new.price, "isRevoked" OR coalesce("isRevokedByOperator", false),
       CASE WHEN "isRevokedByOperator" THEN "isRevoked" END, buyer, "validUntil", "siteLimit",
       "beforeItem", "afterItem", "asOf"
     FROM ${tx.rows(`${codeColumns}, ${stateColumns}`)} CROSS JOIN items i WHERE i.id = "itemId"`,
  )
  await writeRows(
    tx,
    updated.map(toPurchaseRow),
    `UPDATE purchases AS p SET item_id = "itemId",
       account_id = (SELECT i.account_id FROM items i WHERE i.id = "itemId"),
       sold_at = "soldAt", currency = new.currency, price = new.price,
       is_revoked = "isRevoked" OR coalesce("isRevokedByOperator", false),
       is_revoked_by_feed = CASE WHEN "isRevokedByOperator" THEN "isRevoked" END, buyer = new.buyer,
       valid_until = "validUntil", site_limit = "siteLimit",
       before_item = "beforeItem", after_item = "afterItem", as_of = "asOf"
     FROM ${tx.rows(`${codeColumns}, ${stateColumns}`)} WHERE ${isSameCode}`,
  )
  await writeRows(
    tx,
    touched.map(({ code, asOf }) => ({ ...codeRowOf(code), asOf })),
    `UPDATE purchases AS p SET as_of = "asOf"
     FROM ${tx.rows(`${codeColumns}, "asOf" bigint`)} WHERE ${isSameCode}`,
  )
}
