/** An embedded store as the old one of a move. Triggers note its changes. */
import { nodeGoneSeconds } from "../../../domain/running/node.ts"
import { secondsBefore } from "../../../domain/values/time/timestamp.ts"
import { newestOf } from "../../sql/migrate.ts"
import { type MovedTo, movedMark, movingMark } from "../../sql/move/marks.ts"
import {
  anotherMove,
  type Changes,
  type HeldSource,
  type Key,
  type MoveSource,
  type PlannedTable,
} from "../../sql/move/move.ts"
import { type Connection, openConnection } from "../connection/connection.ts"
import { findMark, findMoved, forgetChanges, putMark, triggerPrefix } from "../connection/marks.ts"
import { schema } from "../schema/schema.ts"
import { byPlace, countRows, findRows, readPages, waitMs } from "./rows.ts"

export function openSqliteSource(path: string): MoveSource {
  const db = openConnection(path, "command")
  db.run(`PRAGMA busy_timeout = ${waitMs}`)
  let noted: readonly PlannedTable[] = []
  let ownId = ""

  /** Inside a transaction that writes. */
  function takeNow(): Changes {
    if (findMark(db, movingMark) !== ownId) throw anotherMove()
    const select = "SELECT DISTINCT source, key FROM move_changes"
    const changed = db.query<{ source: string; key: string }, []>(select).all()
    db.run("DELETE FROM move_changes")
    return noted.flatMap((table) => {
      const keys = changed
        .filter(({ source }) => source === table.name)
        .map(({ key }): Key => JSON.parse(key))
      return keys.length === 0 ? [] : [{ table, keys, rows: findRows(db, table, keys) }]
    })
  }
  return {
    place: path,
    listColumns: async () => null,
    findMoved: async () => findMoved(db),
    async listNodes() {
      const select = "SELECT url, version FROM nodes WHERE last_seen_at >= ?"
      return db
        .query<{ url: string; version: string }, [string]>(select)
        .all(secondsBefore(new Date(), nodeGoneSeconds))
    },
    async noteChanges(plan, id) {
      noted = plan
      ownId = id
      db.transaction(() => {
        forgetChanges(db)
        for (const table of plan) for (const sql of createTriggers(table)) db.run(sql)
        putMark(db, movingMark, id)
        // A program that knows fewer steps would not see that the store is closed.
        db.run(`PRAGMA user_version = ${newestOf(schema)}`)
      }).immediate()
    },
    async openSnapshot() {
      const own = openConnection(path, "command")
      beginReading(own)
      return {
        pages: (table) => readPages(own, table),
        async close() {
          own.run("COMMIT")
          own.close()
        },
      }
    },
    async takeChanges() {
      return db.transaction(takeNow).immediate()
    },
    async takeCounted() {
      const own = openConnection(path, "command")
      try {
        const taking = db.transaction(() => {
          // Writes are stopped, so both connections see the same rows.
          beginReading(own)
          return takeNow()
        })
        return { changes: taking.immediate(), counts: countRows(own, noted) }
      } finally {
        own.close()
      }
    },
    async hold(): Promise<HeldSource> {
      db.run("BEGIN IMMEDIATE")
      return {
        async takeChanges() {
          return takeNow()
        },
        async readLastNumbers() {
          const select = "SELECT name, seq FROM sqlite_sequence"
          const rows = db.query<{ name: string; seq: number }, []>(select).all()
          return new Map(rows.map(({ name, seq }) => [name, seq]))
        },
        async close(movedTo: MovedTo) {
          putMark(db, movedMark, JSON.stringify(movedTo))
          db.run("COMMIT")
        },
        async release() {
          if (db.inTransaction) db.run("ROLLBACK")
        },
      }
    },
    async forgetChanges() {
      db.transaction(() => forgetChanges(db)).immediate()
    },
    async close() {
      db.close()
    },
  }
}

/** From now on it reads the store as it is at this moment. */
function beginReading(db: Connection): void {
  db.run("BEGIN")
  db.query("SELECT 1 FROM metadata LIMIT 1").get()
}

function createTriggers(table: PlannedTable): readonly string[] {
  const { name } = table
  const keyOf = (row: "OLD" | "NEW") => `SELECT '${name}', ${renderKey(table, row)}`
  const removed =
    name === "purchases"
      ? [keyOf("OLD"), ...byPlace.map((child) => `SELECT '${child}', json_array(OLD.code)`)]
      : [keyOf("OLD")]
  const notes: Readonly<Record<string, readonly string[]>> = {
    INSERT: [keyOf("NEW")],
    UPDATE: [keyOf("OLD"), keyOf("NEW")],
    DELETE: removed,
  }
  return Object.entries(notes).map(
    ([change, selects]) =>
      `CREATE TRIGGER ${triggerPrefix}${name}_${change} AFTER ${change} ON ${name}
       BEGIN INSERT INTO move_changes (source, key) ${selects.join(" UNION ")}; END`,
  )
}

/** Rows that name a purchase are gone before their code can be read; the trigger of the purchase notes them. */
function renderKey(table: PlannedTable, row: "OLD" | "NEW"): string {
  if (byPlace.includes(table.name)) {
    return `json_array(p.code) FROM purchases p WHERE p.place = ${row}.place`
  }
  const cells = table.key.map((name) => {
    const type = table.columns.find((column) => column.name === name)?.type
    return type === "bytes" ? `lower(hex(${row}.${name}))` : `CAST(${row}.${name} AS TEXT)`
  })
  return `json_array(${cells})`
}
