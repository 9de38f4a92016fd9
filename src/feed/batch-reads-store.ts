import { feedSuspended } from "../accounts/account-store.ts"
import {
  queryUnlessEmpty,
  rawSql,
  type Sql,
  sql,
  type Transaction,
  tuples,
} from "../platform/database/sql.ts"
import { lowerAscii } from "../platform/text.ts"
import { formatTimestamp, type Timestamp } from "../platform/time.ts"
import { feedRevoked } from "../purchases/purchase-store.ts"
import { isEnabled } from "../webhooks/webhook-store.ts"
import {
  type DatedItem,
  type DatedPurchase,
  type ExistingRecords,
  type FoundAccount,
  hex,
} from "./batch.ts"
import {
  fromPendingRow,
  type Need,
  type PendingRecord,
  type PendingRow,
  pendingNameOf,
  type Tombstone,
  tombstoneName,
} from "./feed-record.ts"
import { absentOf, absentPendingOf, type Mentions } from "./mentions.ts"

/** Reads the rows that the records of a batch mention, for the rules of the domain. `isLocking` locks the rows. */
export async function readExistingRecords(
  tx: Transaction,
  mentions: Mentions,
  now: Date,
  isLocking: boolean,
): Promise<ExistingRecords> {
  const { among, each, lock } = tx
  const { usernames, itemIds, codes, broughtUsernames } = mentions
  const { deletedUsernames, deletedItemIds } = mentions
  const select = <Row>(list: ReadonlySet<unknown>, statement: Sql) =>
    queryUnlessEmpty<Row>(tx, list, statement)
  if (isLocking) {
    // Serializes the import with an operator who resumes the account. In the order of ids, so that transactions cannot
    // deadlock.
    await select(
      broughtUsernames,
      sql`SELECT 1 FROM accounts WHERE username ${among(broughtUsernames, "text")} AND is_suspended
        ORDER BY id ${lock("FOR NO KEY UPDATE")}`,
    )
  }
  const accounts = await select<FoundAccount>(
    usernames,
    sql`SELECT id, username, ${feedSuspended}, as_of,
        CASE WHEN username IN (${each(broughtUsernames, "text")}) THEN body ELSE '' END AS body
      FROM accounts WHERE username ${among(usernames, "text")}`,
  )
  const purchases = await readPurchases(tx, codes, isLocking)
  // A purchase may move to another item of the same author, so the items of existing purchases are read too.
  const soldIds = new Set(purchases.values().map(({ itemId }) => itemId))
  const neededIds = itemIds.union(soldIds)
  const items = await select<Omit<DatedItem, "author"> & Pick<FoundAccount, "username">>(
    neededIds,
    sql`SELECT i.id, a.username, i.is_hidden,
        CASE WHEN i.id IN (${each(mentions.broughtItemIds, "bigint")}) THEN i.body ELSE '' END AS body,
        i.download_url, i.as_of
      FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id ${among(neededIds, "bigint")}`,
  )
  const accountsInUse = await select<{ username: string }>(
    deletedUsernames,
    sql`SELECT a.username FROM accounts a WHERE a.username ${among(deletedUsernames, "text")} AND (EXISTS (
        SELECT 1 FROM items i WHERE i.account_id = a.id AND i.id NOT IN (${each(itemIds, "bigint")})
      ) OR EXISTS (
        SELECT 1 FROM api_keys k JOIN moved_item_keys m ON m.key_id = k.id
        JOIN items i ON i.id = m.item_id
        WHERE k.account_id = a.id AND i.account_id <> a.id AND m.revoked_at IS NULL
          AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${formatTimestamp(now)})
      ))`,
  )
  const itemsInUse = await select<{ id: number }>(
    deletedItemIds,
    sql`SELECT i.id FROM items i WHERE i.id ${among(deletedItemIds, "bigint")} AND EXISTS (
        SELECT 1 FROM purchases p WHERE p.item_id = i.id AND p.code NOT IN (${each(codes, "text")}))`,
  )
  // Most databases have none of these rows. One query then saves the lookups of all identities of the batch.
  const [rare] = await tx.query<[number | boolean, number | boolean, Timestamp | null]>(
    tuples`SELECT EXISTS (SELECT 1 FROM tombstones), EXISTS (SELECT 1 FROM pending_records),
      (SELECT created_at FROM webhook_endpoints WHERE ${isEnabled} ORDER BY created_at LIMIT 1)`,
  )
  if (rare === undefined) throw new Error("a SELECT without FROM returned no row")
  const [hasTombstones, hasPending, oldestEndpointAt] = rare
  const existing = {
    accounts: new Map(accounts.map((account) => [account.username, account])),
    items: new Map(items.map(({ username: author, ...item }) => [item.id, { ...item, author }])),
    purchases,
  }
  return {
    ...existing,
    tombstones: await readTombstones(tx, hasTombstones ? absentOf(mentions, existing) : []),
    hasPending: Boolean(hasPending),
    pending: await readPending(tx, hasPending ? absentPendingOf(mentions, existing) : []),
    oldestEndpointAt,
    keyOwners: await readKeyOwners(tx, mentions),
    accountsInUse: new Set(accountsInUse.map(({ username }) => username)),
    itemsInUse: new Set(itemsInUse.map(({ id }) => id)),
  }
}

/** CROSS makes SQLite start with the identities. */
const readNamed = <Row>(tx: Transaction, columns: Sql, table: string, named: readonly object[]) =>
  queryUnlessEmpty<Row>(
    tx,
    named,
    sql`SELECT ${columns} FROM ${tx.rowsFor(table, "kind, identity", named)} CROSS JOIN ${rawSql(table)} t
      WHERE t.kind = new.kind AND t.identity = new.identity`,
  )

async function readTombstones(tx: Transaction, absent: ReturnType<typeof absentOf>) {
  const columns = sql`t.kind, t.identity, t.as_of, t.is_by_operator`
  const rows = await readNamed<Tombstone>(tx, columns, "tombstones", absent)
  return new Map(rows.map((row) => [tombstoneName(row.kind, row.identity), row]))
}

async function readPending(tx: Transaction, absent: ReturnType<typeof absentPendingOf>) {
  const rows = await readNamed<PendingRow>(tx, pendingColumns, "pending_records", absent)
  return new Map(rows.map(fromPendingRow).map((pending) => [pendingNameOf(pending), pending]))
}

export const pendingColumns = sql`t.kind, t.identity, t.needs, t.record, t.as_of, t.since_ms`

/** Returns at most `rowsMax` pending records that need one of these. */
export async function listPendingRecords(
  tx: Transaction,
  needs: readonly Need[],
  rowsMax: number,
): Promise<readonly PendingRecord[]> {
  const rows = await tx.query<PendingRow>`
    SELECT ${pendingColumns} FROM ${tx.rowsFor("pending_records", "kind, needs", needs)}
    CROSS JOIN pending_records t WHERE t.kind = new.kind AND t.needs = new.needs LIMIT ${rowsMax}`
  return rows.map(fromPendingRow)
}

async function readKeyOwners(tx: Transaction, { lookups }: Mentions) {
  const digits = lookups.map(hex)
  const rows = await queryUnlessEmpty<{ lookup: Uint8Array; username: string }>(
    tx,
    digits,
    sql`SELECT k.lookup, a.username FROM api_keys k JOIN accounts a ON a.id = k.account_id
      WHERE k.lookup ${tx.among(digits, "bytea")}`,
  )
  return new Map(rows.map(({ lookup, username }) => [hex(lookup), username]))
}

export const codeColumns = "folded, code"
export const codeRowOf = ({ code }: Pick<DatedPurchase, "code">) => ({
  folded: lowerAscii(code),
  code,
})

/** `isLocking` makes operator overrides wait until the transaction ends. */
async function readPurchases(tx: Transaction, codes: ReadonlySet<string>, isLocking: boolean) {
  const named = tx.rowsFor(
    "purchases",
    codeColumns,
    Array.from(codes, (code) => codeRowOf({ code })),
  )
  // CROSS makes SQLite start with the codes.
  const found = await queryUnlessEmpty<DatedPurchase>(
    tx,
    codes,
    sql`SELECT p.code, p.item_id, ${feedRevoked}, p.buyer, p.valid_until, p.site_limit,
        p.before_item, p.after_item, p.as_of
      FROM ${named} CROSS JOIN purchases p WHERE p.folded = new.folded AND p.code = new.code
      ${isLocking ? tx.lock("FOR NO KEY UPDATE OF p") : sql``}`,
  )
  return new Map(found.map((purchase) => [purchase.code, purchase]))
}
