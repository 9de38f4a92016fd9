/**
 * Writes what the rules decided, one statement for each table and kind of change. Rows are sent as
 * JSON: lists for `unnest` cost the driver 1.5 times as much.
 */
import type { Dated } from "../../../domain/feed/as-of.ts"
import type { Changes, DatedPurchase, Found } from "../../../domain/feed/batch.ts"
import type { ImportedKey } from "../../../domain/feed/feed.ts"
import type { Changed } from "../../../domain/feed/states.ts"
import { toWaitingRow } from "../../../domain/feed/waiting-record.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { ask, type Steps } from "../../sql/database.ts"
import type { Writing } from "../../sql/feed/feed.ts"
import { toStoredItemIds } from "../../sql/keys/api-key-rows.ts"
import { noteRefund, noteSuspension } from "../../sql/sign-in/audit.ts"
import type { Value } from "../connection/database.ts"
import { askFor } from "./found.ts"

/** In the order in which codes are noted (usage.ts), so that both cannot deadlock. */
const forgetCodes = `DELETE FROM asked_codes WHERE code IN (
  SELECT code FROM asked_codes WHERE code = ANY ($1) ORDER BY code FOR UPDATE)`

export function* writeChanges(
  changes: Changes,
  _: Found,
  { runId, source, words }: Writing,
): Steps<void, Value> {
  const { items, purchases } = changes
  const codes = purchases.removed.map(({ code }) => code)
  yield* askFor([codes], "DELETE FROM purchases WHERE code = ANY ($1)")
  yield* askFor([codes], forgetCodes)
  yield* askFor([items.removed.map(({ id }) => id)], "DELETE FROM items WHERE id = ANY ($1)")
  yield* writeAccounts(changes)
  yield* writeKeys(changes.keys)
  yield* writePasswords(changes.passwords)
  yield* writeItems(changes)
  yield* writePurchases(purchases)
  // Last: an item may have moved from one of these to a new account.
  const removed = changes.accounts.removed.map(({ id }) => id)
  yield* askFor([removed], "DELETE FROM accounts WHERE id = ANY ($1)")
  yield* askFor(
    [changes.changedLists],
    "UPDATE accounts SET list_version = gen_random_uuid() WHERE username = ANY ($1)",
  )
  yield* writeTombstones(changes.tombstones)
  yield* writeWaiting(changes.waiting, runId)
  const at = formatTimestamp(new Date())
  for (const { id } of words.accounts) {
    yield* ask(noteSuspension, [at, source, id])
  }
  for (const { code } of words.purchases) {
    yield* ask(noteRefund("p.code = $3"), [at, source, code])
  }
}

/** `sql` reads the rows from `json_to_recordset($1)`, by the names of their members. */
function* run(rows: readonly object[], sql: string): Steps<void, Value> {
  if (rows.length > 0) yield* ask(sql, [JSON.stringify(rows)])
}

function* writeAccounts({
  accounts: { removed, inserted, updated, touched },
  renamedAccounts,
}: Changes): Steps<void, Value> {
  // Accounts may exchange their names, and a new one may take that of a removed one. No account has such
  // a name: a feed refuses white space at the ends of a name.
  const vacated = [...removed, ...renamedAccounts].map(({ id }) => id)
  yield* askFor([vacated], "UPDATE accounts SET username = ' ' || id WHERE id = ANY ($1)")
  yield* run(
    inserted,
    `INSERT INTO accounts (username, list_version, body, suspended, feed_suspended, as_of)
     SELECT username, gen_random_uuid(), body, "isSuspended" OR "isSuspendedByOperator",
       CASE WHEN "isSuspendedByOperator" THEN "isSuspended" END, "asOf"
     FROM json_to_recordset($1) AS new (username text, body text, "isSuspended" boolean,
       "isSuspendedByOperator" boolean, "asOf" bigint)`,
  )
  yield* run(
    updated,
    // An operator may have suspended it since it was read.
    `UPDATE accounts SET body = new.body, as_of = "asOf",
       suspended = "isSuspended" OR "isSuspendedByOperator" OR feed_suspended IS NOT NULL,
       feed_suspended = CASE WHEN "isSuspendedByOperator" OR feed_suspended IS NOT NULL
         THEN "isSuspended" END
     FROM json_to_recordset($1) AS new (id integer, body text, "isSuspended" boolean,
       "isSuspendedByOperator" boolean, "asOf" bigint)
     WHERE accounts.id = new.id`,
  )
  yield* run(
    renamedAccounts,
    `UPDATE accounts SET username = new.username
     FROM json_to_recordset($1) AS new (id integer, username text) WHERE accounts.id = new.id`,
  )
  yield* touch(["accounts", "id", "integer"], touched)
  const suspended = updated
    .filter(({ isSuspended, isSuspendedByOperator }) => isSuspended || isSuspendedByOperator)
    .map(({ id }) => id)
  yield* askFor([suspended], "DELETE FROM sessions WHERE account_id = ANY ($1)")
}

function* writeKeys({ removed, inserted, updated }: Changed<ImportedKey>): Steps<void, Value> {
  // Here, because their account is removed last, and a new key may have the same id.
  yield* askFor([removed.map(({ id }) => id)], "DELETE FROM api_keys WHERE id = ANY ($1)")
  const moments = `"expiresAt" text, "revokedAt" text, "replacedAt" text`
  yield* run(
    inserted.map(toJsonRow),
    `INSERT INTO api_keys
       (id, account_id, kind, name, item_ids, lookup, sealed, created_at, expires_at, revoked_at, replaced_at)
     SELECT new.id, a.id, kind, name, "itemIds", decode(lookup, 'hex'), decode(sealed, 'hex'),
       "createdAt", "expiresAt", "revokedAt", "replacedAt"
     FROM ROWS FROM (json_to_recordset($1) AS (id text, username text, kind text, name text,
       "itemIds" text, lookup text, sealed text, "createdAt" text, ${moments})) WITH ORDINALITY AS new
     JOIN accounts a ON a.username = new.username ORDER BY ordinality`,
  )
  yield* run(
    updated.map(toJsonRow),
    `UPDATE api_keys SET name = new.name, sealed = decode(new.sealed, 'hex'),
       expires_at = "expiresAt", revoked_at = "revokedAt", replaced_at = "replacedAt"
     FROM json_to_recordset($1) AS new (id text, name text, sealed text, ${moments})
     WHERE api_keys.id = new.id`,
  )
}

function toJsonRow(key: ImportedKey): object {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
  const { lookup, sealed } = key
  return { ...key, itemIds: toStoredItemIds(key), lookup: hex(lookup), sealed: hex(sealed) }
}

/** Does for many accounts what `setPassword` does for one. */
function* writePasswords({ inserted, updated }: Changes["passwords"]): Steps<void, Value> {
  const put = [...inserted, ...updated]
  yield* run(
    put,
    `INSERT INTO passwords (account_id, hash)
     SELECT a.id, new.hash FROM json_to_recordset($1) AS new (username text, hash text)
     JOIN accounts a ON a.username = new.username
     ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash`,
  )
  const ofThese = "account_id IN (SELECT id FROM accounts WHERE username = ANY ($1))"
  const usernames = put.map(({ username }) => username)
  yield* askFor([usernames], `DELETE FROM sessions WHERE ${ofThese}`)
  yield* askFor([usernames], `DELETE FROM invitations WHERE ${ofThese}`)
  yield* askFor([usernames], `DELETE FROM sign_in_links WHERE ${ofThese}`)
}

function* writeItems({
  items: { inserted, updated, touched },
  movedItems,
}: Changes): Steps<void, Value> {
  yield* run(
    inserted,
    `INSERT INTO items (id, account_id, hidden, body, as_of)
     SELECT new.id, a.id, "isHidden", new.body, "asOf"
     FROM json_to_recordset($1)
       AS new (id bigint, author text, "isHidden" boolean, body text, "asOf" bigint)
     JOIN accounts a ON a.username = new.author`,
  )
  yield* run(
    updated,
    `UPDATE items SET hidden = "isHidden", body = new.body, as_of = "asOf"
     FROM json_to_recordset($1) AS new (id bigint, "isHidden" boolean, body text, "asOf" bigint)
     WHERE items.id = new.id`,
  )
  yield* run(
    movedItems,
    `UPDATE items SET account_id = a.id
     FROM json_to_recordset($1) AS new (id bigint, author text)
     JOIN accounts a ON a.username = new.author WHERE items.id = new.id`,
  )
  yield* touch(["items", "id", "bigint"], touched)
}

function* writePurchases({
  inserted,
  updated,
  touched,
}: Changed<DatedPurchase>): Steps<void, Value> {
  const texts = `"isRevoked" boolean, "isRevokedByOperator" boolean, buyer text, "beforeItem" text,
    "afterItem" text, "asOf" bigint`
  yield* run(
    inserted,
    `INSERT INTO purchases
       (code, item_id, revoked, feed_revoked, buyer, before_item, after_item, as_of)
     SELECT code, "itemId", "isRevoked" OR "isRevokedByOperator",
       CASE WHEN "isRevokedByOperator" THEN "isRevoked" END, buyer, "beforeItem", "afterItem", "asOf"
     FROM json_to_recordset($1) AS new (code text, "itemId" bigint, ${texts})`,
  )
  yield* run(
    updated,
    // An operator may have refunded it since it was read.
    `UPDATE purchases SET revoked = "isRevoked" OR "isRevokedByOperator" OR feed_revoked IS NOT NULL,
       feed_revoked = CASE WHEN "isRevokedByOperator" OR feed_revoked IS NOT NULL
         THEN "isRevoked" END, buyer = new.buyer,
       before_item = "beforeItem", after_item = "afterItem", as_of = "asOf"
     FROM json_to_recordset($1) AS new (code text, ${texts})
     WHERE purchases.code = new.code`,
  )
  yield* touch(["purchases", "code", "text"], touched)
}

/** For rows of which only the moment is new. */
function* touch<Name extends string>(
  [table, identity, type]: readonly [table: string, identity: Name, type: string],
  states: readonly (Dated & Readonly<Record<Name, unknown>>)[],
): Steps<void, Value> {
  yield* run(
    states.map((state) => ({ identity: state[identity], asOf: state.asOf })),
    `UPDATE ${table} SET as_of = "asOf"
     FROM json_to_recordset($1) AS new (identity ${type}, "asOf" bigint)
     WHERE ${table}.${identity} = new.identity`,
  )
}

function* writeTombstones({
  removed,
  inserted,
  updated,
}: Changes["tombstones"]): Steps<void, Value> {
  const row = "AS new (kind text, identity text"
  yield* run(
    removed,
    `DELETE FROM tombstones USING json_to_recordset($1) ${row})
     WHERE tombstones.kind = new.kind AND tombstones.identity = new.identity`,
  )
  yield* run(
    [...inserted, ...updated],
    `INSERT INTO tombstones (kind, identity, as_of, by_operator)
     SELECT kind, identity, "asOf", "byOperator"
     FROM json_to_recordset($1) ${row}, "asOf" bigint, "byOperator" boolean)
     ON CONFLICT (kind, identity)
     DO UPDATE SET as_of = excluded.as_of, by_operator = excluded.by_operator`,
  )
}

function* writeWaiting(
  { removed, inserted, updated, touched }: Changes["waiting"],
  runId: number | null,
): Steps<void, Value> {
  const row = "AS new (kind text, identity text"
  const isRow = "waiting.kind = new.kind AND waiting.identity = new.identity"
  yield* run(
    removed.map(toWaitingRow),
    `DELETE FROM waiting USING json_to_recordset($1) ${row}) WHERE ${isRow}`,
  )
  yield* run(
    [...inserted, ...updated].map((waiting) => ({ ...toWaitingRow(waiting), runId })),
    `INSERT INTO waiting (kind, identity, needs, record, as_of, since, run_id)
     SELECT kind, identity, needs, record, "asOf", "sinceMs", "runId"
     FROM json_to_recordset($1) ${row}, needs text, record text, "asOf" bigint, "sinceMs" bigint,
       "runId" bigint)
     ON CONFLICT (kind, identity) DO UPDATE SET needs = excluded.needs, record = excluded.record,
       as_of = excluded.as_of, since = excluded.since, run_id = excluded.run_id`,
  )
  yield* run(
    touched.map(toWaitingRow),
    `UPDATE waiting SET as_of = "asOf"
     FROM json_to_recordset($1) ${row}, "asOf" bigint) WHERE ${isRow}`,
  )
}
