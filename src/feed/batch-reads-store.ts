import { feedSuspended } from "../accounts/account-store.ts"
import {
  queryUnlessEmpty,
  rawSql,
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
  type AccountPatch,
  type DatedIdentity,
  type DatedKind,
  type FeedRecord,
  fromPendingRow,
  identifyRecord,
  type Need,
  namePending,
  type PendingRow,
  type Tombstone,
  tombstoneName,
} from "./feed-record.ts"

type Mentions = ReturnType<typeof findMentions>

/** A store reads the records that a batch mentions, and nothing else, before the rules run. */
export function findMentions(records: readonly FeedRecord[]) {
  const mentions = {
    usernames: new Set<string>(),
    itemIds: new Set<number>(),
    /** Records that the batch itself contains: only their bodies are compared. */
    broughtUsernames: new Set<string>(),
    broughtItemIds: new Set<number>(),
    codes: new Set<string>(),
    lookups: [] as Uint8Array[], // an empty list says nothing of its type
    deletedUsernames: new Set<string>(),
    deletedItemIds: new Set<number>(),
  }
  const { usernames, itemIds, broughtUsernames, broughtItemIds, lookups } = mentions
  function addAccount(username: string, { key, was }: Pick<AccountPatch, "key" | "was">): void {
    broughtUsernames.add(username)
    if (key !== null) lookups.push(...key.lookups)
    if (was === undefined) return
    usernames.add(was)
    broughtUsernames.add(was)
    // Later records of the batch may delete the account under its new name.
    mentions.deletedUsernames.add(was)
  }
  for (const record of records) {
    const { kind, identity } = identifyRecord(record)
    if (kind === "account") usernames.add(identity)
    else if (kind === "item") itemIds.add(Number(identity))
    else mentions.codes.add(identity)
    switch (record.type) {
      case "account":
      case "patched account":
        addAccount(identity, record)
        break
      case "item":
        usernames.add(record.item.author)
        broughtItemIds.add(record.item.id)
        break
      case "patched item":
        if (record.author !== undefined) usernames.add(record.author)
        broughtItemIds.add(record.id)
        break
      case "purchase":
        itemIds.add(record.purchase.itemId)
        break
      case "patched purchase":
        if (record.itemId !== undefined) itemIds.add(record.itemId)
        break
      case "deleted account":
        mentions.deletedUsernames.add(identity)
        break
      case "deleted item":
        mentions.deletedItemIds.add(record.id)
    }
  }
  return mentions
}

/** `isLocking` makes operators who resume an account or override a purchase wait until the transaction ends. */
export async function readExistingRecords(
  tx: Transaction,
  mentions: Mentions,
  now: Date,
  isLocking: boolean,
): Promise<ExistingRecords> {
  const { among, each } = tx
  const { itemIds, codes, broughtUsernames, broughtItemIds } = mentions
  const accounts = await readAccounts(tx, mentions, isLocking)
  const purchases = await readPurchases(tx, codes, isLocking)
  // A purchase may move to another item of the same author, so the items of existing purchases are read too.
  const neededIds = itemIds.union(new Set(purchases.values().map(({ itemId }) => itemId)))
  const itemRows = await queryUnlessEmpty<DatedItem>(
    tx,
    neededIds,
    sql`SELECT i.id, a.username AS author, i.is_hidden,
        CASE WHEN i.id IN (${each(broughtItemIds, "bigint")}) THEN i.body ELSE '' END AS body,
        i.download_url, i.as_of
      FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id ${among(neededIds, "bigint")}`,
  )
  const items = new Map(itemRows.map((item) => [item.id, item]))
  // Most databases have none of these rows. One query then saves the lookups of all identities of the batch.
  const [rare] = await tx.query<[number | boolean, number | boolean, Timestamp | null]>(
    tuples`SELECT EXISTS (SELECT 1 FROM tombstones), EXISTS (SELECT 1 FROM pending_records),
      (SELECT created_at FROM webhook_endpoints WHERE ${isEnabled} ORDER BY created_at LIMIT 1)`,
  )
  if (rare === undefined) throw new Error("a SELECT without FROM returned no row")
  const [hasTombstones, hasPending, oldestEndpointAt] = rare
  const datedUsernames = broughtUsernames.union(mentions.deletedUsernames)
  const datedItemIds = broughtItemIds.union(mentions.deletedItemIds)
  const absentPurchases = listAbsent("purchase", codes, purchases)
  const tombstones = await readNamed<Tombstone>(
    tx,
    "tombstones",
    !hasTombstones
      ? []
      : [
          ...listAbsent("account", datedUsernames, accounts),
          ...listAbsent("item", datedItemIds, items),
          ...absentPurchases,
        ],
  )
  const pending = await readNamed<PendingRow>(
    tx,
    "pending_records",
    !hasPending ? [] : [...listAbsent("item", itemIds, items), ...absentPurchases],
  )
  return {
    accounts,
    items,
    purchases,
    tombstones: new Map(tombstones.map((row) => [tombstoneName(row.kind, row.identity), row])),
    hasPending: Boolean(hasPending),
    pending: new Map(pending.map(fromPendingRow).map((each) => [namePending(each), each])),
    oldestEndpointAt,
    keyOwners: await readKeyOwners(tx, mentions),
    ...(await readInUse(tx, mentions, now)),
  }
}

async function readAccounts(
  tx: Transaction,
  { usernames, broughtUsernames }: Mentions,
  isLocking: boolean,
) {
  const { among, each, lock } = tx
  if (isLocking) {
    // In the order of ids, so that transactions cannot deadlock.
    await queryUnlessEmpty(
      tx,
      broughtUsernames,
      sql`SELECT 1 FROM accounts WHERE username ${among(broughtUsernames, "text")} AND is_suspended
        ORDER BY id ${lock("FOR NO KEY UPDATE")}`,
    )
  }
  const rows = await queryUnlessEmpty<FoundAccount>(
    tx,
    usernames,
    sql`SELECT id, username, ${feedSuspended}, as_of,
        CASE WHEN username IN (${each(broughtUsernames, "text")}) THEN body ELSE '' END AS body
      FROM accounts WHERE username ${among(usernames, "text")}`,
  )
  return new Map(rows.map((account) => [account.username, account]))
}

async function readPurchases(tx: Transaction, codes: ReadonlySet<string>, isLocking: boolean) {
  const rows = Array.from(codes, (code) => toCodeRow({ code }))
  // CROSS makes SQLite start with the codes.
  const found = await queryUnlessEmpty<DatedPurchase>(
    tx,
    rows,
    sql`SELECT p.code, p.item_id, ${feedRevoked}, p.buyer, p.valid_until, p.site_limit,
        p.before_item, p.after_item, p.as_of
      FROM ${tx.rowsFor("purchases", codeColumns, rows)} CROSS JOIN purchases p
      WHERE p.folded = new.folded AND p.code = new.code
      ${isLocking ? tx.lock("FOR NO KEY UPDATE OF p") : sql``}`,
  )
  return new Map(found.map((purchase) => [purchase.code, purchase]))
}

export const codeColumns = "folded, code"
export const toCodeRow = ({ code }: Pick<DatedPurchase, "code">) => {
  return { folded: lowerAscii(code), code }
}

const listAbsent = <Identity>(
  kind: DatedKind,
  identities: ReadonlySet<Identity>,
  found: ReadonlyMap<Identity, unknown>,
): readonly DatedIdentity[] =>
  [...identities]
    .filter((identity) => !found.has(identity))
    .map((identity) => ({ kind, identity: `${identity}` }))

/** CROSS makes SQLite start with the identities. */
const readNamed = <Row>(tx: Transaction, table: string, named: readonly DatedIdentity[]) =>
  queryUnlessEmpty<Row>(
    tx,
    named,
    sql`SELECT t.* FROM ${tx.rowsFor(table, "kind, identity", named)} CROSS JOIN ${rawSql(table)} t
      WHERE t.kind = new.kind AND t.identity = new.identity`,
  )

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

async function readInUse(
  tx: Transaction,
  { itemIds, codes, deletedUsernames, deletedItemIds }: Mentions,
  now: Date,
): Promise<Pick<ExistingRecords, "accountsInUse" | "itemsInUse">> {
  const { among, each } = tx
  const accounts = await queryUnlessEmpty<{ username: string }>(
    tx,
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
  const items = await queryUnlessEmpty<{ id: number }>(
    tx,
    deletedItemIds,
    sql`SELECT i.id FROM items i WHERE i.id ${among(deletedItemIds, "bigint")} AND EXISTS (
        SELECT 1 FROM purchases p WHERE p.item_id = i.id AND p.code NOT IN (${each(codes, "text")}))`,
  )
  return {
    accountsInUse: new Set(accounts.map(({ username }) => username)),
    itemsInUse: new Set(items.map(({ id }) => id)),
  }
}

export async function listPendingRecords(
  tx: Transaction,
  needs: readonly Need[],
  rowsMax: number,
): Promise<readonly FeedRecord[]> {
  const rows = await tx.query<PendingRow>`
    SELECT t.* FROM ${tx.rowsFor("pending_records", "kind, needs", needs)}
    CROSS JOIN pending_records t WHERE t.kind = new.kind AND t.needs = new.needs LIMIT ${rowsMax}`
  return rows.map((row) => {
    const pending = fromPendingRow(row)
    const asOf = { ms: pending.asOf, isArrival: false }
    return pending.kind === "item"
      ? { type: "item", item: pending.record, asOf }
      : { type: "purchase", purchase: pending.record, asOf }
  })
}
