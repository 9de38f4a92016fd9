/** The marks of an embedded store, outside the adapter of a running one. */
import { type MovedTo, movedMark, movingMark } from "../../sql/move/marks.ts"
import { type Connection, hasTable } from "./connection.ts"

/** The table of a backup of 0.12.3 has another name. */
export function findMark(db: Connection, name: string): string | null {
  const table = hasTable(db, "metadata") ? "metadata" : "marks"
  const select = `SELECT value FROM ${table} WHERE name = ?`
  return db.query<{ value: string }, [string]>(select).get(name)?.value ?? null
}

export const putMark = (db: Connection, name: string, value: string) =>
  db.query("INSERT OR REPLACE INTO metadata VALUES (?, ?)").run(name, value)

export const removeMark = (db: Connection, name: string) =>
  db.query("DELETE FROM metadata WHERE name = ?").run(name)

/** Written when a move ends. */
export function findMoved(db: Connection): MovedTo | null {
  const value = findMark(db, movedMark)
  return value === null ? null : JSON.parse(value)
}

/** As if it had never been moved: writes are taken, and not noted. */
export const reopen = (db: Connection): void =>
  db
    .transaction(() => {
      forgetChanges(db)
      removeMark(db, movedMark)
    })
    .immediate()

/** Ends what a move does in the old store. Part of a transaction. */
export function forgetChanges(db: Connection): void {
  dropTriggers(db)
  db.run("DELETE FROM move_changes")
  removeMark(db, movingMark)
}

/** Names of the triggers that note changes during a move begin so. */
export const triggerPrefix = "move_notes_"

function dropTriggers(db: Connection): void {
  const select = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE ?"
  for (const { name } of db.query<{ name: string }, [string]>(select).all(`${triggerPrefix}%`)) {
    db.run(`DROP TRIGGER ${name}`)
  }
}
