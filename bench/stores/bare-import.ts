/**
 * The baseline for `pazar import`: inserts the same rows from memory into the same tables, with the same batch size
 * and durability. `bun bare-import.ts FROM INTO` prints the seconds; INTO has the tables and no rows.
 */
import { Database, type SQLQueryBindings } from "bun:sqlite"

const batchRecords = 1_000
const [, , from = "", into = ""] = process.argv

type Table = Readonly<{ name: string; columns: readonly string[]; rows: SQLQueryBindings[][] }>

function readTable(db: Database, name: string): Table {
  const columns = db
    .query<{ name: string; hidden: number }, []>(`PRAGMA table_xinfo(${name})`)
    .all()
    // Generated columns cannot be inserted.
    .filter(({ hidden }) => hidden === 0)
    .map((column) => column.name)
  // `as`: SQLite returns values of types that can be bound again. Rows are in the order of the feed.
  const rows = db
    .query(`SELECT ${columns.join(", ")} FROM ${name} ORDER BY rowid`)
    .values() as SQLQueryBindings[][]
  return { name, columns, rows }
}

const source = new Database(from, { readonly: true })
const tables = ["accounts", "items", "purchases"].map((name) => readTable(source, name))
source.close()

const db = new Database(into, { strict: true })
db.run("PRAGMA journal_mode = WAL")
db.run("PRAGMA synchronous = FULL")
const startedAt = performance.now()
for (const { name, columns, rows } of tables) {
  const insert = db.query(
    `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  )
  for (let at = 0; at < rows.length; at += batchRecords) {
    db.transaction(() => {
      for (const row of rows.slice(at, at + batchRecords)) insert.run(...row)
    }).immediate()
  }
}
console.log((performance.now() - startedAt) / 1000)
