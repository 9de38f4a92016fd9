/** An SQLite database with two rows in every table and values of every column type. */
import { Database } from "bun:sqlite"

type Cell = string | number | Uint8Array | null
type Column = Readonly<{ name: string; type: string; notnull: number }>

const body = (row: number) =>
  JSON.stringify({
    name: `Çınar ${row}`,
    email: `a${row}@example.com`,
    price: { regular: row + 0.5 },
    published_at: "2026-01-01T00:00:00Z",
  })

const values: Readonly<Record<string, (row: number) => Cell>> = {
  body,
  folded: (row) => `code-${row}`,
  code: (row) => `CODE-${row}`,
  account_id: () => 1,
  person_id: (row) => row,
  item_id: (row) => row,
  key_id: () => "key_1",
  session_id: (row) => `session ${row}`,
  "sessions.id": (row) => `session ${row}`,
  id: (row) => row,
  "api_keys.id": (row) => `key_${row}`,
  "api_keys.kind": () => "vk",
  "api_keys.item_ids": () => "[1,2]",
  "api_keys.scope": () => "catalog",
  "account_counts.account_id": (row) => row,
  "webhook_endpoints.id": (row) => `ep_${row}`,
  endpoint_id: (row) => `ep_${row}`,
  "webhook_events.id": (row) => `ev_${row}`,
  "emails.id": (row) => `mail_${row}`,
  "webhook_messages.id": (row) => `msg_${row}`,
  message_id: (row) => `msg_${row}`,
  "signing_keys.id": (row) => `signing ${row}`,
  role: (row) => (row === 1 ? "admin" : "viewer"),
  "members.account_id": (row) => row,
  "members.role": () => "owner",
  is_suspended_by_feed: () => 1,
  is_revoked_by_feed: () => 0,
  is_by_feed: () => 1,
  // A server that was seen lately would count as running.
  "nodes.last_seen_at": (row) => `2026-01-0${row}T00:00:00Z`,
  as_of: (row) => 1_000_000_000_000 + row,
}

/** The second row has null in every nullable column. */
function cellOf(table: string, { name, type, notnull }: Column, row: number): Cell {
  const make = values[`${table}.${name}`] ?? values[name]
  if (notnull === 0 && row === 2 && name !== "id" && !name.endsWith("serial")) return null
  if (make !== undefined) return make(row)
  if (/^(is|has)_/.test(name)) return row - 1
  if (type === "BLOB") return new Uint8Array([row, 0, 255])
  return type === "INTEGER" ? row : `${name} ğ ${row}`
}

const listTables = (db: Database) =>
  db
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name",
    )
    .all()
    .map(({ name }) => name)

/** `path` has an empty database. */
export function fillSqlite(path: string): void {
  using db = new Database(path)
  // Tables are filled in alphabetical order, so references are not checked.
  db.run("PRAGMA foreign_keys = OFF")
  for (const table of listTables(db)) {
    const select = `SELECT name, type, "notnull" FROM pragma_table_xinfo(?) WHERE hidden = 0`
    const columns = db.query<Column, [string]>(select).all(table)
    const names = columns.map(({ name }) => name)
    for (const row of [1, 2]) {
      const cells = columns.map((column) => cellOf(table, column, row))
      db.query(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`).run(...cells)
    }
  }
  const [broken] = db.query("PRAGMA foreign_key_check").all()
  if (broken !== undefined) throw new Error(`no row is there for ${JSON.stringify(broken)}`)
  // No id is assigned twice, even after its account was deleted.
  db.run("UPDATE sqlite_sequence SET seq = 40 WHERE name = 'accounts'")
}

/** All rows by table, without the metadata keys of a move. */
export function readSqlite(path: string): Readonly<Record<string, readonly string[]>> {
  using db = new Database(path, { readonly: true })
  return Object.fromEntries(
    listTables(db).map((table) => {
      const filter = table === "metadata" ? "name NOT GLOB 'mov*'" : "true"
      const rows = db.query(`SELECT * FROM ${table} WHERE ${filter}`).all()
      return [table, rows.map((row) => JSON.stringify(row)).toSorted()]
    }),
  )
}
