import { accountBodyOf } from "../accounts/account.ts"
import { type Item, itemBodyOf } from "../items/item.ts"
import { deletePeopleWithoutRole } from "../people/person-store.ts"
import {
  insertRows,
  queryUnlessEmpty,
  rawSql,
  sql,
  type Transaction,
} from "../platform/database/sql.ts"
import { foldLetters } from "../platform/text.ts"
import { formatTimestamp, lastDays, type Timestamp, usageDays } from "../platform/time.ts"
import { purchaseFieldsOf, toPriceUnits } from "../purchases/purchase.ts"
import type { DailySales, SummedSale, Sums } from "../purchases/purchase-store.ts"
import type { Changed, Changes, DatedItem, DatedPurchase, MovedItem } from "./batch.ts"
import { codeColumns, toCodeRow } from "./batch-reads-store.ts"
import { toPendingRow } from "./feed-record.ts"

/** Where the changes come from, and when. A dry run needs no sums, whose rows would stay locked. */
type Batch = Readonly<{ source: string; runId: number | null; at: Timestamp; sums: Sums | null }>

export async function writeChanges(tx: Transaction, changes: Changes, batch: Batch): Promise<void> {
  const { among } = tx
  const { runId, at, sums } = batch
  const { items, purchases } = changes
  const before = sums && (await readSumsBefore(tx, changes))
  await deleteListed(tx, "purchases", codeColumns, purchases.removed.map(toCodeRow))
  await writeAccounts(tx, changes)
  const removed = changes.accounts.removed.map(({ id }) => id)
  await queryUnlessEmpty(
    tx,
    removed,
    sql`DELETE FROM usage WHERE day ${among(lastDays(at, usageDays), "text")} AND key_id IN (
      SELECT id FROM api_keys WHERE account_id ${among(removed, "bigint")})`,
  )
  const isOfRemoved = sql`account_id ${among(removed, "bigint")}`
  // Before the accounts, because a new key may have the same secret.
  await queryUnlessEmpty(tx, removed, sql`DELETE FROM api_keys WHERE ${isOfRemoved}`)
  const ids = await readAccountIds(tx, [
    ...changes.newKeys.map(({ username }) => username),
    ...[...items.inserted, ...changes.movedItems].map(({ author }) => author),
  ])
  const newKeys = changes.newKeys.map(({ username, key: { encrypt, ...key } }) => {
    const accountId = ids.get(username) ?? 0
    return { ...key, accountId, encrypted: encrypt(accountId) }
  })
  const keyColumns = "id, account_id, kind, name, lookup, encrypted, created_at"
  await insertRows(tx, "api_keys", keyColumns, newKeys)
  await writeItems(tx, changes, ids, batch)
  const sales = await writePurchases(tx, purchases)
  // After the purchases, some of which may have moved to another item. An item that was inserted again is kept.
  const reinsertedIds = new Set(items.inserted.map(({ id }) => id))
  const removedIds = new Set(items.removed.map(({ id }) => id)).difference(reinsertedIds)
  const deleteItems = sql`DELETE FROM items WHERE id ${among(removedIds, "bigint")}`
  await queryUnlessEmpty(tx, removedIds, deleteItems)
  if (sums !== null && before !== null) await addToSums(tx, sums, changes, { before, sales })
  // Accounts are deleted last: an item may have moved from one of them to a new account.
  const members = await queryUnlessEmpty<{ personId: number }>(
    tx,
    removed,
    sql`DELETE FROM members WHERE ${isOfRemoved} RETURNING person_id`,
  )
  const people = members.map(({ personId }) => personId)
  const leave = deletePeopleWithoutRole(sql`id ${among(people, "bigint")}`)
  await queryUnlessEmpty(tx, people, leave)
  const deleteAccounts = sql`DELETE FROM accounts WHERE id ${among(removed, "bigint")}`
  await queryUnlessEmpty(tx, removed, deleteAccounts)
  for (const id of removed) if (id !== null) sums?.dropCounts(id)
  await queryUnlessEmpty(
    tx,
    changes.changedLists,
    // Random, not sequential: a restored database must not repeat a version.
    sql`UPDATE accounts SET list_version = ${crypto.randomUUID()}
      WHERE username ${among(changes.changedLists, "text")}`,
  )
  await writeTombstones(tx, changes.tombstones)
  await writePending(tx, changes.pending, runId)
}

async function writeAccounts(
  tx: Transaction,
  { accounts: { removed, inserted, updated, touched }, renamedAccounts }: Changes,
): Promise<void> {
  const { among, rowsFor } = tx
  // Accounts may swap names, and a new one may reuse the name of a deleted one. The temporary names cannot conflict,
  // because feeds reject names that start with whitespace.
  const vacated = [...removed, ...renamedAccounts].map(({ id }) => id)
  const vacate = sql`UPDATE accounts SET username = ' ' || id WHERE id ${among(vacated, "bigint")}`
  await queryUnlessEmpty(tx, vacated, vacate)
  await insertRows(
    tx,
    "accounts",
    "username, list_version, body, is_suspended, is_suspended_by_feed, as_of",
    inserted.map(({ isSuspended, isSuspendedByOperator, ...account }) => ({
      ...{ ...account, listVersion: crypto.randomUUID() },
      isSuspended: isSuspended || isSuspendedByOperator,
      isSuspendedByFeed: isSuspendedByOperator ? isSuspended : null,
    })),
  )
  // Somebody else may read the previous address, and a link lets its reader choose a password.
  const addresses = updated.map(({ id, body }) => ({ id, email: accountBodyOf({ body }).email }))
  const isMoved = sql`account_id IN (
    SELECT a.id FROM ${rowsFor("accounts", "id, email", addresses)} CROSS JOIN accounts a
    WHERE a.id = new.id AND a.email <> new.email AND a.email <> '')`
  await queryUnlessEmpty(
    tx,
    updated,
    sql`DELETE FROM invitations WHERE (email IS NULL AND ${isMoved}) OR person_id IN (
      SELECT p.id FROM members m JOIN people p ON p.id = m.person_id
      WHERE m.is_author AND p.email IS NULL AND ${isMoved})`,
  )
  const states = updated.map(({ isSuspendedByOperator, ...account }) => ({
    ...account,
    isSuspendedByFeed: isSuspendedByOperator ? account.isSuspended : null,
  }))
  const columns = "id, body, is_suspended, is_suspended_by_feed, as_of"
  // An operator may have suspended the account since it was read.
  const isByOperator = sql`coalesce(new.is_suspended_by_feed, a.is_suspended_by_feed) IS NOT NULL`
  await queryUnlessEmpty(
    tx,
    updated,
    sql`UPDATE accounts AS a SET body = new.body, as_of = new.as_of,
        is_suspended = new.is_suspended OR ${isByOperator},
        is_suspended_by_feed = CASE WHEN ${isByOperator} THEN new.is_suspended END
      FROM ${rowsFor("accounts", columns, states)} WHERE a.id = new.id`,
  )
  await updateRows(tx, "accounts", { key: "id", columns: "username" }, renamedAccounts)
  await updateRows(tx, "accounts", { key: "id", columns: "as_of" }, touched)
}

async function readAccountIds(tx: Transaction, usernames: readonly string[]) {
  const rows = await queryUnlessEmpty<{ id: number; username: string }>(
    tx,
    usernames,
    sql`SELECT id, username FROM accounts WHERE username ${tx.among(new Set(usernames), "text")}`,
  )
  return new Map(rows.map(({ id, username }) => [username, id]))
}

async function writeItems(
  tx: Transaction,
  { items: { removed, inserted, updated, touched }, movedItems }: Changes,
  ids: ReadonlyMap<string, number>,
  batch: Batch,
): Promise<void> {
  const toRow = <Some extends DatedItem>(item: Some) => {
    const { name, price, published_at: publishedAt } = itemBodyOf(item)
    const sorted = {
      foldedName: foldLetters(name),
      price: toPriceUnits(price.regular),
      publishedAt,
    }
    return { ...item, accountId: ids.get(item.author), name, ...sorted }
  }
  const state = "is_hidden, body, name, folded_name, price, published_at, download_url, as_of"
  const removedIds = new Set(removed.map(({ id }) => id))
  const reinserted = inserted.filter(({ id }) => removedIds.has(id)).map(toRow)
  const added = inserted.filter(({ id }) => !removedIds.has(id)).map(toRow)
  await insertRows(tx, "items", `id, account_id, ${state}`, added)
  await updateRows(tx, "items", { key: "id", columns: state }, [
    ...updated.map(toRow),
    ...reinserted,
  ])
  const moved = movedItems.map(toRow)
  await recordMoves(tx, moved, batch)
  await updateRows(tx, "items", { key: "id", columns: "account_id" }, [...moved, ...reinserted])
  const movedIds = moved.map(({ id }) => id)
  await queryUnlessEmpty(
    tx,
    moved,
    sql`UPDATE purchases SET account_id = (SELECT i.account_id FROM items i WHERE i.id = item_id)
      WHERE item_id ${tx.among(movedIds, "bigint")}`,
  )
  await updateRows(tx, "items", { key: "id", columns: "as_of" }, touched)
}

/** Sold products contain the keys that were created for an item, so these go on validating its purchases. */
async function recordMoves(
  tx: Transaction,
  items: readonly (MovedItem & Readonly<{ accountId: number | undefined }>)[],
  { source, at }: Batch,
): Promise<void> {
  const itemIds = new Set(items.map(({ id }) => id))
  const ownerIds = await readOwners(tx, itemIds)
  const moves = items.filter(({ id, accountId }) => ownerIds.get(id) !== accountId)
  const actor = { actorKind: "feed", actorName: source, ipRange: "" }
  const moveEvent = { at, ...actor, kind: "item", action: "moved", subjectName: "" }
  await insertRows(
    tx,
    "audit_events",
    "at, actor_kind, actor_name, ip_range, kind, action, account_id, username, subject_id, subject_name, note",
    moves.map(({ id, accountId, from, author }) => {
      const note = `${from} → ${author}`
      return { ...moveEvent, accountId, username: author, subjectId: `${id}`, note }
    }),
  )
  await insertRows(
    tx,
    "previous_authors",
    "item_id, account_id, moved_at",
    moves.map(({ id, asOf }) => {
      return { itemId: id, accountId: ownerIds.get(id), movedAt: formatTimestamp(new Date(asOf)) }
    }),
    sql`ON CONFLICT (item_id, account_id) DO UPDATE SET moved_at = excluded.moved_at`,
  )
  await queryUnlessEmpty(
    tx,
    moves,
    sql`INSERT INTO moved_item_keys (key_id, item_id)
      SELECT k.id, i.id FROM items i CROSS JOIN api_keys k
      WHERE i.id ${tx.among(itemIds, "bigint")} AND k.account_id = i.account_id
        AND i.id IN (${tx.each(sql`k.item_ids`, "bigint")})
      ON CONFLICT (key_id, item_id) DO NOTHING`,
  )
}

async function writeTombstones(
  tx: Transaction,
  { removed, inserted, updated }: Changes["tombstones"],
): Promise<void> {
  await deleteListed(tx, "tombstones", "kind, identity", removed)
  await insertRows(
    tx,
    "tombstones",
    "kind, identity, as_of, is_by_operator",
    [...inserted, ...updated],
    sql`ON CONFLICT (kind, identity)
      DO UPDATE SET as_of = excluded.as_of, is_by_operator = excluded.is_by_operator`,
  )
}

async function writePending(
  tx: Transaction,
  { removed, inserted, updated, touched }: Changes["pending"],
  runId: number | null,
): Promise<void> {
  const table = "pending_records"
  await deleteListed(tx, table, "kind, identity", removed.map(toPendingRow))
  await insertRows(
    tx,
    table,
    "kind, identity, needs, record, as_of, since_ms, run_id",
    [...inserted, ...updated].map((pending) => ({ ...toPendingRow(pending), runId })),
    sql`ON CONFLICT (kind, identity) DO UPDATE SET needs = excluded.needs, record = excluded.record,
      as_of = excluded.as_of, since_ms = excluded.since_ms, run_id = excluded.run_id`,
  )
  await updateRows(
    tx,
    table,
    { key: "kind, identity", columns: "as_of" },
    touched.map(toPendingRow),
  )
}

const saleColumns = `item_id, account_id, sold_at, currency, price, is_revoked, is_revoked_by_feed,
  buyer, folded_buyer, valid_until, site_limit, before_item, after_item, as_of`

/** Returns the new states. */
async function writePurchases(
  tx: Transaction,
  { inserted, updated, touched }: Changed<DatedPurchase>,
): Promise<readonly SummedSale[]> {
  const itemIds = new Set([...inserted, ...updated].map(({ itemId }) => itemId))
  const ownerIds = await readOwners(tx, itemIds)
  const toRow = (purchase: DatedPurchase) => {
    const { isRevoked, isRevokedByOperator = false, itemId, buyer } = purchase
    const { date: soldAt, currency, price } = purchaseFieldsOf(purchase)
    return {
      ...{ ...purchase, ...toCodeRow(purchase), soldAt, currency, price: toPriceUnits(price) },
      accountId: ownerIds.get(itemId) ?? 0,
      foldedBuyer: buyer && foldLetters(buyer),
      isRevoked: isRevoked || isRevokedByOperator,
      isRevokedByFeed: isRevokedByOperator ? isRevoked : null,
    }
  }
  const [added, replaced] = [inserted.map(toRow), updated.map(toRow)]
  await insertRows(tx, "purchases", `${codeColumns}, ${saleColumns}`, added)
  await updateRows(tx, "purchases", { key: codeColumns, columns: saleColumns }, replaced)
  const dated = touched.map(({ code, asOf }) => ({ ...toCodeRow({ code }), asOf }))
  await updateRows(tx, "purchases", { key: codeColumns, columns: "as_of" }, dated)
  return [...added, ...replaced]
}

function updateRows(
  tx: Transaction,
  table: string,
  { key, columns }: Readonly<{ key: string; columns: string }>,
  rows: readonly object[],
) {
  const changes = columns.split(/,\s+/).map((name) => `${name} = new.${name}`)
  const conditions = key.split(", ").map((name) => `${table}.${name} = new.${name}`)
  return queryUnlessEmpty(
    tx,
    rows,
    sql`UPDATE ${rawSql(table)} SET ${rawSql(changes.join(", "))}
      FROM ${tx.rowsFor(table, `${key}, ${columns}`, rows)} WHERE ${rawSql(conditions.join(" AND "))}`,
  )
}

const deleteListed = (tx: Transaction, table: string, key: string, rows: readonly object[]) =>
  queryUnlessEmpty(
    tx,
    rows,
    sql`DELETE FROM ${rawSql(table)}
      WHERE (${rawSql(key)}) IN (SELECT ${rawSql(key)} FROM ${tx.rowsFor(table, key, rows)})`,
  )

type Owners = ReadonlyMap<number, number>

type SumsBefore = Readonly<{ sales: readonly SummedSale[]; owners: Owners }>

async function readSumsBefore(tx: Transaction, changes: Changes): Promise<SumsBefore> {
  const { removed, updated } = changes.purchases
  const rows = [...removed, ...updated].map(toCodeRow)
  // CROSS makes SQLite start with the codes.
  const sales = await queryUnlessEmpty<SummedSale>(
    tx,
    rows,
    sql`SELECT p.account_id, p.item_id, p.sold_at, p.currency, p.is_revoked, p.price
      FROM ${tx.rowsFor("purchases", codeColumns, rows)} CROSS JOIN purchases p
      WHERE p.folded = new.folded AND p.code = new.code`,
  )
  return { sales, owners: await readOwners(tx, listChangedItems(changes)) }
}

/** Runs after the changes of items and purchases. `sales` are the new states. */
async function addToSums(
  tx: Transaction,
  sums: Sums,
  changes: Changes,
  { before, sales }: Readonly<{ before: SumsBefore; sales: readonly SummedSale[] }>,
): Promise<void> {
  const owners = await readOwners(tx, listChangedItems(changes))
  const moved = [...before.owners]
    .map(([itemId, accountId]) => ({ itemId, accountId }))
    .filter(({ itemId, accountId }) => (owners.get(itemId) ?? accountId) !== accountId)
  // These sums are complete: only the first changes of a batch move items.
  const movedSums = await queryUnlessEmpty<DailySales>(
    tx,
    moved,
    sql`SELECT d.* FROM ${tx.rowsFor("daily_sales", "account_id, item_id", moved)}
      CROSS JOIN daily_sales d WHERE d.account_id = new.account_id AND d.item_id = new.item_id`,
  )
  for (const sum of movedSums) {
    sums.addDay({ ...sum, sales: -sum.sales, amount: -sum.amount })
    sums.addDay({ ...sum, accountId: owners.get(sum.itemId) ?? 0 })
  }
  for (const accountId of before.owners.values()) sums.addItems(accountId, -1)
  for (const accountId of owners.values()) sums.addItems(accountId, 1)
  // The old sales have moved with their item.
  for (const sale of before.sales)
    sums.addSale({ ...sale, accountId: owners.get(sale.itemId) ?? sale.accountId }, -1)
  for (const sale of sales) sums.addSale(sale, 1)
}

const listChangedItems = ({ items, movedItems }: Changes) =>
  new Set([...items.removed, ...items.inserted, ...movedItems].map(({ id }) => id))

async function readOwners(tx: Transaction, itemIds: ReadonlySet<number>): Promise<Owners> {
  const rows = await queryUnlessEmpty<Pick<Item, "id" | "accountId">>(
    tx,
    itemIds,
    sql`SELECT id, account_id FROM items WHERE id ${tx.among(itemIds, "bigint")}`,
  )
  return new Map(rows.map(({ id, accountId }) => [id, accountId]))
}
