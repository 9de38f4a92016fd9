/** A store with rows in every table that a move takes along, in all kinds of columns. */
import { Database } from "bun:sqlite"
import { movedTables } from "../../../src/store/sql/move/tables.ts"
import { rowidsOf } from "../../../src/store/sqlite/migrations/purchase-rowids.ts"

type Cell = string | number | bigint | Uint8Array | null
type Column = Readonly<{ name: string; type: string; notnull: number }>

const body = (row: number) =>
  JSON.stringify({
    name: `Çınar ${row}`,
    email: `a${row}@example.com`,
    price: { regular: row + 0.5 },
    published_at: "2026-01-01T00:00:00Z",
  })

/** By table and column; else by column. */
const values: Readonly<Record<string, (row: number) => Cell>> = {
  body,
  account_id: () => 1,
  operator_id: (row) => row,
  item_id: (row) => row,
  key_id: () => "key_1",
  id: (row) => row,
  "api_keys.id": (row) => `key_${row}`,
  "api_keys.kind": () => "vk",
  "api_keys.item_ids": () => "[1,2]",
  // Only SQLite keeps a NUL in a text.
  "api_keys.name": (row) => `a name\0 ${row}`,
  "traffic.unit": (row) => (row === 1 ? "hour" : "day"),
  "passwords.account_id": (row) => row,
  "preferences.account_id": (row) => row,
  "webhook_endpoints.id": (row) => `ep_${row}`,
  endpoint_id: (row) => `ep_${row}`,
  is_sealed: (row) => row - 1,
  "webhook_events.id": (row) => `ev_${row}`,
  "webhook_messages.id": (row) => `msg_${row}`,
  "signing_keys.id": (row) => `signing ${row}`,
  hidden: (row) => row - 1,
  suspended: (row) => row - 1,
  revoked: (row) => row - 1,
  is_estimate: (row) => row - 1,
  by_operator: (row) => row - 1,
  feed_suspended: () => 1,
  feed_revoked: () => 0,
  by_feed: () => 1,
}

/** The second row has null where a column may be null. */
function cellOf(table: string, { name, type, notnull }: Column, row: number): Cell {
  const make = values[`${table}.${name}`] ?? values[name]
  if (notnull === 0 && row === 2 && name !== "place" && name !== "id") return null
  if (make !== undefined) return make(row)
  if (name === "place" && table !== "signing_keys") return rowidsOf(`CODE-${row}`).first
  if (name === "code") return `CODE-${row}`
  if (type === "BLOB") return new Uint8Array([row, 0, 255])
  return type === "INTEGER"
    ? row + 1_000_000_000_000 * (name === "as_of" ? 1 : 0)
    : `${name} ğ ${row}`
}

const columnsOf = (db: Database, table: string) =>
  db
    .query<Column, [string]>(
      `SELECT name, type, "notnull" FROM pragma_table_xinfo(?) WHERE hidden = 0`,
    )
    .all(table)

/** `path` holds an empty store. */
export function fillSqlite(path: string): void {
  using db = new Database(path)
  db.run("PRAGMA foreign_keys = ON")
  for (const { name: table } of movedTables) {
    const columns = columnsOf(db, table)
    const names = columns.map(({ name }) => name)
    for (const row of [1, 2]) {
      const cells = columns.map((column) => cellOf(table, column, row))
      db.query(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`).run(...cells)
    }
  }
  // No number is given out twice, also if its account is gone.
  db.run("UPDATE sqlite_sequence SET seq = 40 WHERE name = 'accounts'")
}

/** All rows that a move takes along, by table, without what only numbers rows. */
export function readSqlite(path: string): Readonly<Record<string, readonly string[]>> {
  using db = new Database(path, { readonly: true })
  return Object.fromEntries(
    movedTables.map(({ name: table, condition = "true" }) => {
      const rows = db.query(`SELECT * FROM ${table} t WHERE ${condition}`).all()
      return [table, rows.map((row) => JSON.stringify(row).replaceAll("\\u0000", "")).toSorted()]
    }),
  )
}
