/** Reads what the records of a batch mention, one query for each table, for the rules to decide on. */
import { type Tombstone, tombstoneName } from "../../../domain/feed/as-of.ts"
import type {
  DatedItem,
  DatedPurchase,
  Found,
  FoundAccount,
  FoundPassword,
} from "../../../domain/feed/batch.ts"
import type { ImportedKey } from "../../../domain/feed/feed.ts"
import { absentOf, absentWaitersOf, type Mentions } from "../../../domain/feed/mentions.ts"
import {
  fromWaitingRow,
  type Need,
  type WaitingRecord,
  type WaitingRow,
} from "../../../domain/feed/waiting-record.ts"
import { fedSuspended } from "../../sql/catalogue/accounts.ts"
import { feedRevoked } from "../../sql/catalogue/purchases.ts"
import { ask, type Steps } from "../../sql/database.ts"
import { nothingOutdated, type Outdated } from "../../sql/feed/feed.ts"
import { waitingByName, waitingColumns } from "../../sql/feed/waiting.ts"
import { type KeyRow, selectImportedKeys, toKey } from "../../sql/keys/api-key-rows.ts"
import type { Value } from "../connection/database.ts"

/** Without `outdated` the rows will be written: no other transaction may change them in between. */
export function* readFound(
  mentions: Mentions,
  outdated: Outdated = nothingOutdated,
): Steps<Found, Value> {
  const isLocking = outdated === nothingOutdated
  const { itemIds, codes } = mentions
  // Lock before reading: a concurrent change of a password is either seen here or waits.
  if (isLocking) yield* lockAccounts(mentions)
  const accounts = yield* askFor<FoundAccount>(
    [mentions.usernames, mentions.broughtUsernames],
    `SELECT id, username, ${fedSuspended}, as_of AS "asOf",
       CASE WHEN username = ANY ($2) THEN body ELSE '' END AS body
     FROM accounts WHERE username = ANY ($1)`,
  )
  const renamedIds = accounts
    .filter(({ username }) => mentions.renamedUsernames.has(username))
    .map(({ id }) => id)
  const items = yield* askFor<DatedItem>(
    [itemIds, mentions.broughtItemIds],
    `SELECT i.id, a.username AS author, i.hidden AS "isHidden",
       CASE WHEN i.id = ANY ($2) THEN i.body ELSE '' END AS body, i.as_of AS "asOf"
     FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id = ANY ($1)`,
  )
  const purchases = yield* askFor<DatedPurchase>(
    [codes],
    `SELECT code, item_id AS "itemId", ${feedRevoked}, buyer,
       before_item AS "beforeItem", after_item AS "afterItem", as_of AS "asOf"
     FROM purchases WHERE code = ANY ($1)`,
  )
  const passwords = yield* askFor<FoundPassword>(
    [mentions.passwordUsernames],
    `SELECT a.username, p.hash FROM passwords p JOIN accounts a ON a.id = p.account_id
     WHERE a.username = ANY ($1)`,
  )
  const accountsInUse = yield* askFor<{ username: string }>(
    [mentions.deletedUsernames, itemIds],
    `SELECT a.username FROM accounts a WHERE a.username = ANY ($1) AND EXISTS (
       SELECT 1 FROM items i WHERE i.account_id = a.id AND i.id <> ALL ($2) AND NOT ${outdated.item}
     )`,
  )
  const itemsInUse = yield* askFor<{ id: number }>(
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
    tombstones: yield* readTombstones(absentOf(mentions, there)),
    ...(yield* readWaiting(absentWaitersOf(mentions, there))),
    keys: yield* readKeys({ mentions, renamedIds, isLocking }),
    passwords: new Map(passwords.map((password) => [password.username, password])),
    accountsInUse: new Set(accountsInUse.map(({ username }) => username)),
    itemsInUse: new Set(itemsInUse.map(({ id }) => id)),
    codesWithoutRoom: new Set(),
  }
}

function* readTombstones(
  absent: ReturnType<typeof absentOf>,
): Steps<ReadonlyMap<string, Tombstone>, Value> {
  // Most stores have none: a first import need not send every identity once more.
  const isNone =
    absent.length === 0 || (yield* ask("SELECT 1 FROM tombstones LIMIT 1")).length === 0
  if (isNone) return new Map()
  const rows = yield* ask<Tombstone, Value>(
    `SELECT kind, identity, as_of AS "asOf", by_operator AS "byOperator"
     FROM unnest($1::text[], $2::text[]) AS absent (kind, identity)
     JOIN tombstones USING (kind, identity)`,
    [absent.map(({ kind }) => kind), absent.map(({ identity }) => identity)],
  )
  return new Map(rows.map((row) => [tombstoneName(row.kind, row.identity), row]))
}

function* readWaiting(
  absent: ReturnType<typeof absentWaitersOf>,
): Steps<Pick<Found, "hasWaiting" | "waiting">, Value> {
  // Most stores have none: then a batch asks once.
  const hasWaiting = (yield* ask("SELECT 1 FROM waiting LIMIT 1")).length > 0
  const rows =
    hasWaiting && absent.length > 0
      ? yield* ask<WaitingRow, Value>(
          `SELECT ${waitingColumns}
           FROM unnest($1::text[], $2::text[]) AS absent (kind, identity)
           JOIN waiting USING (kind, identity)`,
          [absent.map(({ kind }) => kind), absent.map(({ identity }) => identity)],
        )
      : []
  return { hasWaiting, waiting: waitingByName(rows) }
}

/** At most `limit` records that wait for one of these. `isHidden` is an SQL condition on a row `w`. */
export function* listWaiting(
  needs: readonly Need[],
  limit: number,
  isHidden = "false",
): Steps<readonly WaitingRecord[], Value> {
  const rows = yield* ask<WaitingRow, Value>(
    `SELECT ${waitingColumns} FROM unnest($1::text[], $2::text[]) AS arrived (kind, needs)
     JOIN waiting w USING (kind, needs) WHERE NOT ${isHidden} LIMIT $3`,
    [needs.map(({ kind }) => kind), needs.map((need) => need.needs), limit],
  )
  return rows.map(fromWaitingRow)
}

/** Sends no query when the first list, of wanted identities, is empty. */
export function* askFor<Row>(
  [wanted, ...rest]: readonly [Iterable<unknown>, ...Iterable<unknown>[]],
  sql: string,
): Steps<readonly Row[], Value> {
  const list = [...wanted]
  if (list.length === 0) return []
  return yield* ask<Row, Value>(sql, [list, ...rest.map((more) => [...more])])
}

/**
 * Always in the order of ids, so that two transactions cannot deadlock. No key is added to an account
 * while it is renamed: its sealed copy would be bound to the old name.
 */
function* lockAccounts({ passwordUsernames, renamedUsernames }: Mentions): Steps<void, Value> {
  const select = "SELECT 1 FROM accounts WHERE username = ANY ($1) ORDER BY id"
  yield* askFor([renamedUsernames], `${select} FOR UPDATE`)
  yield* askFor([passwordUsernames], `${select} FOR NO KEY UPDATE`)
}

type KeyQuestion = Readonly<{
  mentions: Mentions
  /** Accounts of which all keys are needed. */
  renamedIds: readonly number[]
  isLocking: boolean
}>

/** Locks the keys: a revocation between reading and writing must not be overwritten. */
function* readKeys({
  mentions: { keyIds, lookups },
  renamedIds,
  isLocking,
}: KeyQuestion): Steps<readonly ImportedKey[], Value> {
  if (lookups.length + renamedIds.length === 0) return []
  const rows = yield* ask<KeyRow<ImportedKey>, Value>(
    `${selectImportedKeys}
     WHERE k.id = ANY ($1) OR k.lookup = ANY ($2) OR k.account_id = ANY ($3)
     ORDER BY k.id${isLocking ? " FOR UPDATE OF k" : ""}`,
    [[...keyIds], lookups, renamedIds],
  )
  return rows.map((row) => toKey<ImportedKey>(row))
}
