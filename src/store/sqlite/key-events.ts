import type { Database } from "bun:sqlite"
import type { KeyEvent, KeyEventStore } from "../../domain/key-event.ts"
import { read, write } from "./database.ts"

export function sqliteKeyEvents(db: Database): KeyEventStore {
  const insert = db.query(
    `INSERT INTO key_events (account_id, key_id, key_name, action, at, source)
     VALUES ($accountId, $keyId, $keyName, $action, $at, $from)`,
  )
  const list = db.query<KeyEvent, [number, number]>(
    `SELECT account_id AS "accountId", key_id AS "keyId", key_name AS "keyName", action, at, source AS "from"
     FROM key_events WHERE account_id = ? ORDER BY id DESC LIMIT ?`,
  )
  return {
    async insert(event) {
      await write(db, () => insert.run({ ...event }))
    },
    list: (accountId, limit) => read(() => list.all(accountId, limit)),
  }
}
