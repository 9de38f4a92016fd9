import type { KeyEventStore } from "../domain/key-event.ts"
import type { SqlDatabase } from "./database.ts"

export function createKeyEvents(db: SqlDatabase): KeyEventStore {
  return {
    insert: ({ accountId, keyId, keyName, action, at, from }) =>
      db.write(
        `INSERT INTO key_events (account_id, key_id, key_name, action, at, source)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [accountId, keyId, keyName, action, at, from],
      ),
    list: (accountId, limit) =>
      db.read(
        `SELECT account_id AS "accountId", key_id AS "keyId", key_name AS "keyName", action, at,
           source AS "from"
         FROM key_events WHERE account_id = $1 ORDER BY id DESC LIMIT $2`,
        [accountId, limit],
      ),
  }
}
