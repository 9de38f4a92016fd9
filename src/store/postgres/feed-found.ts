/** Reads what the records of a batch mention, one query for each table, for the rules to decide on. */
import { type Tombstone, tombstoneName } from "../../domain/as-of.ts"
import type { ImportedKey } from "../../domain/feed.ts"
import { absentOf, absentWaitersOf, type Mentions } from "../../domain/feed-mentions.ts"
import type { DatedItem, DatedPurchase, Found, FoundAccount } from "../../domain/feed-rules.ts"
import type { FoundPassword } from "../../domain/feed-secrets.ts"
import {
  fromWaitingRow,
  type Need,
  type WaitingRecord,
  type WaitingRow,
} from "../../domain/waiting-record.ts"
import { fedSuspended } from "../accounts.ts"
import { type KeyRow, selectImportedKeys, toKey } from "../api-key-rows.ts"
import { feedRevoked } from "../purchases.ts"
import { waitingByName, waitingColumns } from "../waiting.ts"
import type { Client } from "./database.ts"

/** For one transaction: without statistics of new tables the planner would scan them. */
export const useIndexes =
  "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off"

export type Reading = Readonly<{
  /** SQL conditions for rows that an earlier batch changed: their state here no longer counts. */
  outdated: Readonly<{ item: string; purchase: string }>
  /** True if the rows will be written: no other transaction may change them in between. */
  isLocking: boolean
}>
export const toWrite: Reading = { outdated: { item: "false", purchase: "false" }, isLocking: true }

export async function readFound(
  client: Client,
  mentions: Mentions,
  { outdated, isLocking }: Reading,
): Promise<Found> {
  const { itemIds, codes } = mentions
  // Lock before reading: a concurrent change of a password is either seen here or waits.
  if (isLocking) await lockAccounts(client, mentions)
  const accounts = await ask<FoundAccount>(
    client,
    [mentions.usernames, mentions.broughtUsernames],
    `SELECT id, username, ${fedSuspended}, as_of AS "asOf",
       CASE WHEN username = ANY ($2) THEN body ELSE '' END AS body
     FROM accounts WHERE username = ANY ($1)`,
  )
  const renamedIds = accounts
    .filter(({ username }) => mentions.renamedUsernames.has(username))
    .map(({ id }) => id)
  const items = await ask<DatedItem>(
    client,
    [itemIds, mentions.broughtItemIds],
    `SELECT i.id, a.username AS author, i.hidden AS "isHidden",
       CASE WHEN i.id = ANY ($2) THEN i.body ELSE '' END AS body, i.as_of AS "asOf"
     FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id = ANY ($1)`,
  )
  const purchases = await ask<DatedPurchase>(
    client,
    [codes],
    `SELECT code, item_id AS "itemId", ${feedRevoked}, buyer,
       before_item AS "beforeItem", after_item AS "afterItem", as_of AS "asOf"
     FROM purchases WHERE code = ANY ($1)`,
  )
  const passwords = await ask<FoundPassword>(
    client,
    [mentions.passwordUsernames],
    `SELECT a.username, p.hash FROM passwords p JOIN accounts a ON a.id = p.account_id
     WHERE a.username = ANY ($1)`,
  )
  const accountsInUse = await ask<{ username: string }>(
    client,
    [mentions.deletedUsernames, itemIds],
    `SELECT a.username FROM accounts a WHERE a.username = ANY ($1) AND EXISTS (
       SELECT 1 FROM items i WHERE i.account_id = a.id AND i.id <> ALL ($2) AND NOT ${outdated.item}
     )`,
  )
  const itemsInUse = await ask<{ id: number }>(
    client,
    [mentions.deletedItemIds, codes],
    `SELECT i.id FROM items i WHERE i.id = ANY ($1) AND EXISTS (
       SELECT 1 FROM purchases p WHERE p.item_id = i.id AND p.code <> ALL ($2) AND NOT ${outdated.purchase}
     )`,
  )
  const there = {
    accounts: new Map(accounts.map((account) => [account.username, account])),
    items: new Map(items.map((item) => [item.id, item])),
    purchases: new Map(purchases.map((purchase) => [purchase.code, purchase])),
  }
  return {
    ...there,
    tombstones: await readTombstones(client, absentOf(mentions, there)),
    ...(await readWaiting(client, absentWaitersOf(mentions, there))),
    keys: await readKeys(client, { mentions, renamedIds, isLocking }),
    passwords: new Map(passwords.map((password) => [password.username, password])),
    accountsInUse: new Set(accountsInUse.map(({ username }) => username)),
    itemsInUse: new Set(itemsInUse.map(({ id }) => id)),
    codesWithoutRoom: new Set(),
  }
}

async function readTombstones(
  client: Client,
  absent: ReturnType<typeof absentOf>,
): Promise<ReadonlyMap<string, Tombstone>> {
  // Most stores have none: a first import need not send every identity once more.
  const isNone =
    absent.length === 0 || (await client.query("SELECT 1 FROM tombstones LIMIT 1")).length === 0
  if (isNone) return new Map()
  const rows = await client.query<Tombstone>(
    `SELECT kind, identity, as_of AS "asOf", by_operator AS "byOperator"
     FROM unnest($1::text[], $2::text[]) AS absent (kind, identity)
     JOIN tombstones USING (kind, identity)`,
    [absent.map(({ kind }) => kind), absent.map(({ identity }) => identity)],
  )
  return new Map(rows.map((row) => [tombstoneName(row.kind, row.identity), row]))
}

async function readWaiting(client: Client, absent: ReturnType<typeof absentWaitersOf>) {
  // Most stores have none: then a batch asks once.
  const hasWaiting = (await client.query("SELECT 1 FROM waiting LIMIT 1")).length > 0
  const rows =
    hasWaiting && absent.length > 0
      ? await client.query<WaitingRow>(
          `SELECT ${waitingColumns}
           FROM unnest($1::text[], $2::text[]) AS absent (kind, identity)
           JOIN waiting USING (kind, identity)`,
          [absent.map(({ kind }) => kind), absent.map(({ identity }) => identity)],
        )
      : []
  return { hasWaiting, waiting: waitingByName(rows) }
}

/** At most `limit` records that wait for one of these. `isHidden` is an SQL condition on a row `w`. */
export async function listWaiting(
  client: Client,
  needs: readonly Need[],
  limit: number,
  isHidden = "false",
): Promise<readonly WaitingRecord[]> {
  const rows = await client.query<WaitingRow>(
    `SELECT ${waitingColumns} FROM unnest($1::text[], $2::text[]) AS arrived (kind, needs)
     JOIN waiting w USING (kind, needs) WHERE NOT ${isHidden} LIMIT $3`,
    [needs.map(({ kind }) => kind), needs.map((need) => need.needs), limit],
  )
  return rows.map(fromWaitingRow)
}

/** Sends no query when the first list, of wanted identities, is empty. */
export async function ask<Row>(
  client: Client,
  [wanted, ...rest]: readonly [Iterable<unknown>, ...Iterable<unknown>[]],
  sql: string,
): Promise<readonly Row[]> {
  const list = [...wanted]
  return list.length === 0 ? [] : client.query<Row>(sql, [list, ...rest.map((more) => [...more])])
}

/**
 * Always in the order of ids, so that two transactions cannot deadlock. No key is added to an account
 * while it is renamed: its sealed copy would be bound to the old name.
 */
async function lockAccounts(
  client: Client,
  { passwordUsernames, renamedUsernames }: Mentions,
): Promise<void> {
  const select = "SELECT 1 FROM accounts WHERE username = ANY ($1) ORDER BY id"
  await ask(client, [renamedUsernames], `${select} FOR UPDATE`)
  await ask(client, [passwordUsernames], `${select} FOR NO KEY UPDATE`)
}

type KeyQuestion = Readonly<{
  mentions: Mentions
  /** Accounts of which all keys are needed. */
  renamedIds: readonly number[]
  isLocking: boolean
}>

/** Locks the keys: a revocation between reading and writing must not be overwritten. */
async function readKeys(
  client: Client,
  { mentions: { keyIds, lookups }, renamedIds, isLocking }: KeyQuestion,
): Promise<readonly ImportedKey[]> {
  if (lookups.length + renamedIds.length === 0) return []
  const rows = await client.query<KeyRow<ImportedKey>>(
    `${selectImportedKeys}
     WHERE k.id = ANY ($1) OR k.lookup = ANY ($2) OR k.account_id = ANY ($3)
     ORDER BY k.id${isLocking ? " FOR UPDATE OF k" : ""}`,
    [[...keyIds], lookups, renamedIds],
  )
  return rows.map((row) => toKey<ImportedKey>(row))
}
