/** The store's own file, seen past the program: to make time pass, to break it, to compare it. */
import { Database, type SQLQueryBindings } from "bun:sqlite"
import { join } from "node:path"
import type { Program } from "./program.ts"

export function openStoreFile({ folder }: Program): Database {
  const db = new Database(join(folder, "pazar.db"))
  db.run("PRAGMA busy_timeout = 2000")
  return db
}

/** Runs one statement on the store of a running program. */
export function alterStore(program: Program, sql: string, ...values: SQLQueryBindings[]): void {
  using db = openStoreFile(program)
  db.query(sql).run(...values)
}

/** All that a form could change, but for when a session was last seen. */
export function storeState(program: Program): unknown {
  using db = openStoreFile(program)
  return [
    "SELECT * FROM api_keys ORDER BY id",
    "SELECT * FROM key_events ORDER BY id",
    "SELECT * FROM passwords ORDER BY account_id",
    "SELECT * FROM preferences ORDER BY account_id",
    "SELECT * FROM invitations ORDER BY token_digest",
    "SELECT id, token_digest, confirmed_at FROM sessions ORDER BY id",
  ].map((sql) => db.query(sql).all())
}
