/** The rows of an embedded store as a move reads and finds them. */
import type { Cell, Key, PlannedTable, Row } from "../../sql/move/move.ts"
import type { Connection } from "../connection/connection.ts"
import { rowidsOf } from "../migrations/purchase-rowids.ts"

/** They name a purchase by its rowid; a move names it by its code. */
export const byPlace: readonly string[] = ["asked_codes", "purchase_sites", "site_releases"]

const pageRows = 5_000
const pageCharactersMax = 4 * 1024 ** 2

export const columnOf = ({ name: table }: PlannedTable, name: string, row = "t") =>
  table === "api_keys" && name === "serial" ? `${row}.rowid` : `${row}.${name}`

function selectRows(table: PlannedTable): string {
  const isByPlace = byPlace.includes(table.name)
  const cells = table.columns.map(({ name, type }) => {
    const column = isByPlace && name === "code" ? "p.code" : columnOf(table, name)
    const cell = type === "bytes" ? `iif(${column} IS NULL, NULL, lower(hex(${column})))` : column
    return `${cell} AS "${name}"`
  })
  const purchases = isByPlace ? " CROSS JOIN purchases p ON p.place = t.place" : ""
  return `SELECT ${cells} FROM ${table.name} t${purchases} WHERE ${table.condition ?? "true"}`
}

function toRow({ columns }: PlannedTable, found: Readonly<Record<string, Cell>>): Row {
  return columns.map(({ name, type }) => {
    const cell = found[name] ?? null
    if (type === "boolean") return cell === null ? null : cell === 1
    // PostgreSQL has no NUL in texts; SQLite keeps it, as in the name of a key.
    return typeof cell === "string" && cell.includes("\0") ? cell.replaceAll("\0", "") : cell
  })
}

export async function* readPages(
  db: Connection,
  table: PlannedTable,
): AsyncGenerator<readonly Row[]> {
  using select = db.prepare<Record<string, Cell>, []>(selectRows(table))
  let page: Row[] = []
  let characters = 0
  for (const found of select.iterate()) {
    const row = toRow(table, found)
    page.push(row)
    for (const cell of row) characters += typeof cell === "string" ? cell.length : 8
    if (page.length < pageRows && characters < pageCharactersMax) continue
    yield page
    page = []
    characters = 0
  }
  if (page.length > 0) yield page
}

export function filterByKey(
  table: PlannedTable,
  key: Key,
): readonly [string, readonly (Cell | Buffer)[]] {
  if (table.key[0] === "code" && table.key.length === 1) {
    const place = table.name === "purchases" ? "t" : "p"
    const { first, last } = rowidsOf(key[0] ?? "")
    const values = [first, last, key[0] ?? ""]
    return [`${place}.place BETWEEN ?1 AND ?2 AND ${place}.code = ?3`, values]
  }
  const conditions = table.key.map((name, at) => `t.${name} = ?${at + 1}`)
  return [conditions.join(" AND "), table.key.map((name, at) => cellOf(table, name, key[at] ?? ""))]
}

const cellOf = ({ columns }: PlannedTable, name: string, text: string): Cell | Buffer => {
  const type = columns.find((column) => column.name === name)?.type
  return type === "integer" ? Number(text) : type === "bytes" ? Buffer.from(text, "hex") : text
}

export const findRows = (
  db: Connection,
  table: PlannedTable,
  keys: readonly Key[],
): readonly Row[] =>
  keys.flatMap((key) => {
    const [condition, values] = filterByKey(table, key)
    const sql = `${selectRows(table)} AND ${condition}`
    const found = db.query<Record<string, Cell>, (Cell | Buffer)[]>(sql).all(...values)
    return found.map((row) => toRow(table, row))
  })

export const countRows = (db: Connection, plan: readonly PlannedTable[]) =>
  new Map(
    plan.map(({ name, condition = "true" }) => {
      const sql = `SELECT count(*) AS rows FROM ${name} t WHERE ${condition}`
      return [name, db.query<{ rows: number }, []>(sql).get()?.rows ?? 0] as const
    }),
  )

/** Far longer than any transaction of another process takes. */
export const waitMs = 30_000
