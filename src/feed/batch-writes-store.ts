import { insertSuspensionEvent } from "../access/audit-store.ts"
import { accountBodyOf } from "../accounts/account.ts"
import { itemBodyOf } from "../items/item.ts"
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
import { insertRefundEvent, type SummedSale, type Sums } from "../purchases/purchase-store.ts"
import type {
  Changed,
  Changes,
  DatedItem,
  DatedPurchase,
  MovedItem,
  OverriddenChanges,
} from "./batch.ts"
import { codeColumns, codeRowOf } from "./batch-reads-store.ts"
import { toPendingRow } from "./feed-record.ts"
import { addToSums, readOwners, readSumsBefore } from "./sums-store.ts"

/** Where the changes come from, and when. A dry run needs no sums, whose rows would stay locked. */
type Batch = Readonly<{ source: string; runId: number | null; now: Date; sums: Sums | null }>

export async function writeChanges(
  tx: Transaction,
  changes: Changes,
  overridden: OverriddenChanges,
  { source, runId, now, sums }: Batch,
): Promise<void> {
  const { among } = tx
  const at = formatTimestamp(now)
  const { items, purchases } = changes
  const before = sums && (await readSumsBefore(tx, changes))
  await deleteRowsOf(tx, "purchases", codeColumns, purchases.removed.map(codeRowOf))
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
  await writeKeys(tx, changes.newKeys, ids)
  await writeItems(tx, changes, ids, source, at)
  const sales = await writePurchases(tx, purchases)
  // After the purchases, some of which may have moved to another item. An item that was inserted again is kept.
  const reinsertedIds = new Set(items.inserted.map(({ id }) => id))
  const removedIds = new Set(items.removed.map(({ id }) => id)).difference(reinsertedIds)
  const deleteItems = sql`DELETE FROM items WHERE id ${among(removedIds, "bigint")}`
  await queryUnlessEmpty(tx, removedIds, deleteItems)
  if (sums !== null && before !== null) await addToSums(tx, sums, changes, before, sales)
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
    sql`UPDATE accounts SET list_version = ${newVersion()}
      WHERE username ${among(changes.changedLists, "text")}`,
  )
  await writeTombstones(tx, changes.tombstones)
  await writePending(tx, changes.pending, runId)
  for (const { id } of overridden.accounts) await tx.query(insertSuspensionEvent(at, source, id))
  for (const { code } of overridden.purchases) await tx.query(insertRefundEvent(at, source, code))
}

/** Random, not sequential: a restored database must not repeat one. */
const newVersion = () => crypto.randomUUID()

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
      ...{ ...account, listVersion: newVersion() },
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
  await updateRows(tx, "accounts", "id", "username", renamedAccounts)
  await updateRows(tx, "accounts", "id", "as_of", touched)
}

async function readAccountIds(tx: Transaction, usernames: readonly string[]) {
  const rows = await queryUnlessEmpty<{ id: number; username: string }>(
    tx,
    usernames,
    sql`SELECT id, username FROM accounts WHERE username ${tx.among(new Set(usernames), "text")}`,
  )
  return new Map(rows.map(({ id, username }) => [username, id]))
}

type AccountIds = ReadonlyMap<string, number>

const writeKeys = (tx: Transaction, newKeys: Changes["newKeys"], ids: AccountIds) =>
  insertRows(
    tx,
    "api_keys",
    "id, account_id, kind, name, lookup, encrypted, created_at",
    newKeys.map(({ username, key: { encrypt, ...key } }) => {
      const accountId = ids.get(username) ?? 0
      return { ...key, accountId, encrypted: encrypt(accountId) }
    }),
  )

async function writeItems(
  tx: Transaction,
  { items: { removed, inserted, updated, touched }, movedItems }: Changes,
  ids: AccountIds,
  source: string,
  at: Timestamp,
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
  await updateRows(tx, "items", "id", state, [...updated.map(toRow), ...reinserted])
  const moved = movedItems.map(toRow)
  await recordMoves(tx, moved, source, at)
  await updateRows(tx, "items", "id", "account_id", [...moved, ...reinserted])
  const movedIds = moved.map(({ id }) => id)
  await queryUnlessEmpty(
    tx,
    moved,
    sql`UPDATE purchases SET account_id = (SELECT i.account_id FROM items i WHERE i.id = item_id)
      WHERE item_id ${tx.among(movedIds, "bigint")}`,
  )
  await updateRows(tx, "items", "id", "as_of", touched)
}

type Moved = MovedItem & Readonly<{ accountId: number | undefined }>

/** Sold products contain the keys that were created for an item, so these go on validating its purchases. */
async function recordMoves(
  tx: Transaction,
  items: readonly Moved[],
  source: string,
  at: Timestamp,
): Promise<void> {
  const itemIds = new Set(items.map(({ id }) => id))
  const ownerIds = await readOwners(tx, itemIds)
  const moves = items.filter(({ id, accountId }) => ownerIds.get(id) !== accountId)
  const event = { at, actorKind: "feed", actorName: source, ipRange: "", kind: "item" }
  const moveEvent = { ...event, action: "moved", subjectName: "" }
  await insertRows(
    tx,
    "audit_events",
    "at, actor_kind, actor_name, ip_range, kind, action, account_id, username, subject_id, subject_name, note",
    moves.map(({ id, accountId, from, author }) => {
      return {
        ...moveEvent,
        accountId,
        username: author,
        subjectId: `${id}`,
        note: `${from} → ${author}`,
      }
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

const identityColumns = "kind, identity"

async function writeTombstones(
  tx: Transaction,
  { removed, inserted, updated }: Changes["tombstones"],
): Promise<void> {
  await deleteRowsOf(tx, "tombstones", identityColumns, removed)
  await insertRows(
    tx,
    "tombstones",
    `${identityColumns}, as_of, is_by_operator`,
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
  await deleteRowsOf(tx, table, identityColumns, removed.map(toPendingRow))
  await insertRows(
    tx,
    table,
    `${identityColumns}, needs, record, as_of, since_ms, run_id`,
    [...inserted, ...updated].map((pending) => ({ ...toPendingRow(pending), runId })),
    sql`ON CONFLICT (kind, identity) DO UPDATE SET needs = excluded.needs, record = excluded.record,
      as_of = excluded.as_of, since_ms = excluded.since_ms, run_id = excluded.run_id`,
  )
  await updateRows(tx, table, identityColumns, "as_of", touched.map(toPendingRow))
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
      ...{ ...purchase, ...codeRowOf(purchase), soldAt, currency, price: toPriceUnits(price) },
      accountId: ownerIds.get(itemId) ?? 0,
      foldedBuyer: buyer && foldLetters(buyer),
      isRevoked: isRevoked || isRevokedByOperator,
      isRevokedByFeed: isRevokedByOperator ? isRevoked : null,
    }
  }
  const [added, replaced] = [inserted.map(toRow), updated.map(toRow)]
  await insertRows(tx, "purchases", `${codeColumns}, ${saleColumns}`, added)
  await updateRows(tx, "purchases", codeColumns, saleColumns, replaced)
  const dated = touched.map(({ code, asOf }) => ({ ...codeRowOf({ code }), asOf }))
  await updateRows(tx, "purchases", codeColumns, "as_of", dated)
  return [...added, ...replaced]
}

/** Sets the other columns of the rows with the same key. */
function updateRows(
  tx: Transaction,
  table: string,
  key: string,
  columns: string,
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

const deleteRowsOf = (tx: Transaction, table: string, key: string, rows: readonly object[]) =>
  queryUnlessEmpty(
    tx,
    rows,
    sql`DELETE FROM ${rawSql(table)}
      WHERE (${rawSql(key)}) IN (SELECT ${rawSql(key)} FROM ${tx.rowsFor(table, key, rows)})`,
  )
