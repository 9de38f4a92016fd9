import type { Column, MoveConnection, Row } from "../sql/move/move-database.ts"
import { rawSql, sql, tuples } from "../sql/statement.ts"
import { feedWaitMs, openDatabase } from "./connection/database.ts"
import { readPages } from "./feed/feed-store.ts"

const changes = ["INSERT", "UPDATE", "DELETE"] as const
const triggerOf = (table: string, change: string) => `closed_${change.toLowerCase()}_${table}`

/** Selects the triggers that reject writes. */
export const selectClosing = sql`SELECT name, tbl_name FROM sqlite_schema
  WHERE type = 'trigger' AND name GLOB 'closed_*'`

/** Takes no lock: the PostgreSQL database of the move rejects a second move. */
export function openSqliteMove(path: string): MoveConnection {
  const db = openDatabase(path, "command", feedWaitMs)
  return {
    ...db,
    description: path,
    async listColumns() {
      const rows = await db.read<[table: string, name: string, pk: number]>(
        tuples`SELECT t.name, c.name, c.pk FROM sqlite_schema t, pragma_table_xinfo(t.name) c
          WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' AND c.hidden = 0
          ORDER BY t.rowid, c.cid`,
      )
      return rows.map(([table, name, pk]): Column => ({ table, name, isKey: pk > 0 }))
    },
    readBatches: (select) => readPages(db.iterate<Row>(select)),
    listClosed: async () =>
      (await db.read<{ tblName: string }>(selectClosing)).map(({ tblName }) => tblName),
    closing: (table, message) =>
      changes.map((change) =>
        rawSql(`CREATE TRIGGER ${triggerOf(table, change)} BEFORE ${change} ON ${table}
          BEGIN SELECT RAISE(ABORT, '${message.replaceAll("'", "''")}'); END`),
      ),
    opening: (table) =>
      changes.map((change) => rawSql(`DROP TRIGGER IF EXISTS ${triggerOf(table, change)}`)),
    emptying: (tables) => tables.toReversed().map((table) => rawSql(`DELETE FROM ${table}`)),
    readLastIds: async () =>
      new Map(await db.read<[table: string, last: number]>(tuples`SELECT * FROM sqlite_sequence`)),
    finish: (lastIds) =>
      db.writeAll(
        sql`DELETE FROM sqlite_sequence`,
        ...Array.from(
          lastIds,
          (last) => sql`INSERT INTO sqlite_sequence VALUES (${last[0]}, ${last[1]})`,
        ),
      ),
  }
}
