import type { Column, MoveConnection, Row } from "../sql/move/move-database.ts"
import { feedWaitMs, openDatabase } from "./connection/database.ts"

const batchRows = 500
const changes = ["INSERT", "UPDATE", "DELETE"] as const
const triggerOf = (table: string, change: string) => `closed_${change.toLowerCase()}_${table}`

/** Selects the triggers that reject writes. */
export const selectClosing = `SELECT name, tbl_name AS "table" FROM sqlite_schema
  WHERE type = 'trigger' AND name GLOB 'closed_*'`

/** Takes no lock: the PostgreSQL database of the move rejects a second move. */
export function openSqliteMove(path: string): MoveConnection {
  const db = openDatabase(path, "command", feedWaitMs)
  return {
    ...db,
    description: path,
    listColumns: () =>
      db.read<Column>(
        `SELECT t.name AS "table", c.name, iif(c.type = 'BLOB', 'bytea', 'text') AS type,
           c.pk > 0 AS is_key
         FROM sqlite_schema t, pragma_table_xinfo(t.name) c
         WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' AND c.hidden = 0 ORDER BY t.rowid, c.cid`,
      ),
    async *readBatches(select) {
      let batch: Row[] = []
      for (const row of db.iterateColumns<Row>(select)) {
        batch.push(row)
        if (batch.length < batchRows) continue
        yield batch
        batch = []
      }
      yield batch
    },
    listClosed: async () =>
      (await db.read<{ table: string }>(selectClosing)).map(({ table }) => table),
    closing: (table, message) =>
      changes.map((change) => [
        `CREATE TRIGGER "${triggerOf(table, change)}" BEFORE ${change} ON "${table}"
         BEGIN SELECT RAISE(ABORT, '${message.replaceAll("'", "''")}'); END`,
        [],
      ]),
    opening: (table) =>
      changes.map((change) => [`DROP TRIGGER IF EXISTS "${triggerOf(table, change)}"`, []]),
    emptying: (tables) => tables.toReversed().map((table) => [`DELETE FROM "${table}"`, []]),
    async readLastIds() {
      const select = "SELECT name, seq FROM sqlite_sequence"
      const rows = await db.read<{ name: string; seq: number }>(select)
      return new Map(rows.map(({ name, seq }) => [name, seq]))
    },
    finish(lastIds) {
      const insert = "INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)"
      const inserts = Array.from(lastIds, (each) => [insert, each] as const)
      return db.writeAll(["DELETE FROM sqlite_sequence", []], ...inserts)
    },
  }
}
