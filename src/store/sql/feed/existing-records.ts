import { lowerAscii } from "../../../domain/catalog/purchase-code.ts"
import {
  type DatedItem,
  type DatedPurchase,
  type ExistingRecords,
  type FoundAccount,
  hex,
} from "../../../domain/feed/batch.ts"
import {
  fromPendingRow,
  type Need,
  type PendingRecord,
  type PendingRow,
  pendingNameOf,
  type Tombstone,
  tombstoneName,
} from "../../../domain/feed/feed-record.ts"
import { absentOf, absentPendingOf, type Mentions } from "../../../domain/feed/mentions.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { feedSuspended } from "../catalog/account-store.ts"
import { feedRevoked } from "../catalog/purchase-queries.ts"
import { isEnabled } from "../events/write-events.ts"
import { type Dialect, readRows, type Transaction } from "../sql-database.ts"

/** Reads the rows that the records of a batch mention, for the rules of the domain. `isLocking` locks the rows. */
export async function readExistingRecords(
  tx: Transaction,
  mentions: Mentions,
  isLocking: boolean,
): Promise<ExistingRecords> {
  const { among, each, lock } = tx
  const { itemIds, codes, broughtUsernames } = mentions
  if (isLocking) {
    // Serializes the import with an operator who resumes the account. In the order of ids, so that transactions cannot
    // deadlock.
    const suspended = `SELECT 1 FROM accounts WHERE username ${among("$1", "text")} AND is_suspended
      ORDER BY id ${lock("FOR NO KEY UPDATE")}`
    await readRows(tx, [broughtUsernames], suspended)
  }
  const accounts = await readRows<FoundAccount>(
    tx,
    [mentions.usernames, broughtUsernames],
    `SELECT id, username, ${feedSuspended}, as_of,
       CASE WHEN username IN (${each("$2", "text")}) THEN body ELSE '' END AS body
     FROM accounts WHERE username ${among("$1", "text")}`,
  )
  const purchases = await readPurchases(tx, codes, isLocking)
  // A purchase may move to another item of the same author, so the items of existing purchases are read too.
  const soldIds = purchases.values().map(({ itemId }) => itemId)
  const items = await readRows<DatedItem>(
    tx,
    [itemIds.union(new Set(soldIds)), mentions.broughtItemIds],
    `SELECT i.id, a.username AS author, i.is_hidden,
       CASE WHEN i.id IN (${each("$2", "bigint")}) THEN i.body ELSE '' END AS body,
       i.download_url, i.as_of
     FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id ${among("$1", "bigint")}`,
  )
  const accountsInUse = await readRows<{ username: string }>(
    tx,
    [mentions.deletedUsernames, itemIds, [formatTimestamp(new Date())]],
    `SELECT a.username FROM accounts a WHERE a.username ${among("$1", "text")} AND (EXISTS (
       SELECT 1 FROM items i WHERE i.account_id = a.id AND i.id NOT IN (${each("$2", "bigint")})
     ) OR EXISTS (
       SELECT 1 FROM api_keys k JOIN moved_item_keys m ON m.key_id = k.id
       JOIN items i ON i.id = m.item_id
       WHERE k.account_id = a.id AND i.account_id <> a.id AND m.revoked_at IS NULL
         AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > (${each("$3", "text")}))
     ))`,
  )
  const itemsInUse = await readRows<{ id: number }>(
    tx,
    [mentions.deletedItemIds, codes],
    `SELECT i.id FROM items i WHERE i.id ${among("$1", "bigint")} AND EXISTS (
       SELECT 1 FROM purchases p WHERE p.item_id = i.id AND p.code NOT IN (${each("$2", "text")}))`,
  )
  // Most databases have none of these rows. One query then saves the lookups of all identities of the batch.
  const [rare] = await tx.query<
    Pick<ExistingRecords, "hasPending" | "oldestEndpointAt"> & { hasTombstones: boolean }
  >(
    `SELECT EXISTS (SELECT 1 FROM tombstones) AS has_tombstones,
       EXISTS (SELECT 1 FROM pending_records) AS has_pending,
       (SELECT created_at FROM webhook_endpoints WHERE ${isEnabled} ORDER BY created_at LIMIT 1)
         AS oldest_endpoint_at`,
  )
  if (rare === undefined) throw new Error("a SELECT without FROM returned no row")
  const { hasTombstones, hasPending, oldestEndpointAt } = rare
  const existing = {
    accounts: new Map(accounts.map((account) => [account.username, account])),
    items: new Map(items.map((item) => [item.id, item])),
    purchases,
  }
  return {
    ...existing,
    tombstones: await readTombstones(tx, hasTombstones ? absentOf(mentions, existing) : []),
    hasPending,
    pending: await readPending(tx, hasPending ? absentPendingOf(mentions, existing) : []),
    oldestEndpointAt,
    keyOwners: await readKeyOwners(tx, mentions),
    accountsInUse: new Set(accountsInUse.map(({ username }) => username)),
    itemsInUse: new Set(itemsInUse.map(({ id }) => id)),
  }
}

/** CROSS makes SQLite start with the identities. */
const joinNamed = ({ rows }: Dialect, table: string) =>
  `FROM ${rows("kind text, identity text")} CROSS JOIN ${table} t
   WHERE t.kind = new.kind AND t.identity = new.identity`

async function readTombstones(tx: Transaction, absent: ReturnType<typeof absentOf>) {
  const columns = `t.kind, t.identity, as_of, is_by_operator`
  const select = `SELECT ${columns} ${joinNamed(tx, "tombstones")}`
  const rows = await readRows<Tombstone>(tx, [absent], select)
  return new Map(rows.map((row) => [tombstoneName(row.kind, row.identity), row]))
}

async function readPending(tx: Transaction, absent: ReturnType<typeof absentPendingOf>) {
  const select = `SELECT ${pendingColumns} ${joinNamed(tx, "pending_records")}`
  const rows = await readRows<PendingRow>(tx, [absent], select)
  return new Map(rows.map(fromPendingRow).map((pending) => [pendingNameOf(pending), pending]))
}

export const pendingColumns = `t.kind, t.identity, t.needs, record, as_of, since_ms`

/** Returns at most `limit` pending records that need one of these. */
export async function listPendingRecords(
  tx: Transaction,
  needs: readonly Need[],
  limit: number,
): Promise<readonly PendingRecord[]> {
  const select = `SELECT ${pendingColumns} FROM ${tx.rows("kind text, needs text")} CROSS JOIN pending_records t
     WHERE t.kind = new.kind AND t.needs = new.needs LIMIT $2`
  return (await tx.query<PendingRow>(select, [JSON.stringify(needs), limit])).map(fromPendingRow)
}

async function readKeyOwners(tx: Transaction, { lookups }: Mentions) {
  const rows = await readRows<{ lookup: Uint8Array; username: string }>(
    tx,
    [lookups.map(hex)],
    `SELECT k.lookup, a.username FROM api_keys k JOIN accounts a ON a.id = k.account_id
     WHERE k.lookup ${tx.among("$1", "bytea")}`,
  )
  return new Map(rows.map(({ lookup, username }) => [hex(lookup), username]))
}

export const codeColumns = "folded text, code text"
export const isSameCode = "p.folded = new.folded AND p.code = new.code"
export const codeRowOf = (code: string) => ({ folded: lowerAscii(code), code })

/** `isLocking` makes operator overrides wait until the transaction ends. */
async function readPurchases(tx: Transaction, codes: ReadonlySet<string>, isLocking: boolean) {
  // CROSS makes SQLite start with the codes.
  const found = await readRows<DatedPurchase>(
    tx,
    [Array.from(codes, codeRowOf)],
    `SELECT p.code, p.item_id, ${feedRevoked}, p.buyer,
       p.valid_until, p.site_limit, p.before_item, p.after_item, p.as_of
     FROM ${tx.rows(codeColumns)} CROSS JOIN purchases p WHERE ${isSameCode}
     ${isLocking ? tx.lock("FOR NO KEY UPDATE OF p") : ""}`,
  )
  return new Map(found.map((purchase) => [purchase.code, purchase]))
}
