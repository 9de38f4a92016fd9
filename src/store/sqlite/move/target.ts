import { rmSync } from "node:fs"
import { RefusedError } from "../../../domain/values/error.ts"
import { arrivedMark, incompleteMark } from "../../sql/move/marks.ts"
import {
  anotherMove,
  type Changes,
  listGone,
  type MoveTarget,
  type PlannedTable,
  type Row,
} from "../../sql/move/move.ts"
import { selectUsed, tablesOfNew } from "../../sql/move/tables.ts"
import { type Connection, connect, hasTable, openConnection } from "../connection/connection.ts"
import { findFileSize } from "../connection/file.ts"
import { findMark, putMark, removeMark } from "../connection/marks.ts"
import { migrateSqlite } from "../migrate.ts"
import { rowidsOf } from "../migrations/purchase-rowids.ts"
import { byPlace, columnOf, countRows, filterByKey, findRows, readPages, waitMs } from "./rows.ts"

export function openSqliteTarget(path: string): MoveTarget {
  let opened: Connection | null = null
  /** The statements that make the indexes of purchases again: all at once takes far less than row by row. */
  let indexes: readonly string[] = []
  function open(): Connection {
    opened ??= openTarget(path)
    return opened
  }
  function removeFiles(): void {
    opened?.close()
    opened = null
    for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true })
  }
  const write = (work: (db: Connection) => void) => {
    const db = open()
    db.transaction(() => work(db)).immediate()
  }
  return {
    place: path,
    listColumns: async () => null,
    async findMark(name) {
      if (!findFileSize(path)) return null
      const db = connect(path)
      try {
        return hasTable(db, "metadata") ? findMark(db, name) : null
      } finally {
        db.close()
      }
    },
    async begin(id) {
      if ((await this.findMark(incompleteMark)) !== null) removeFiles()
      await migrateSqlite(path, () => {})
      write((db) => {
        if (db.query(selectUsed).get() !== null) {
          throw new RefusedError(`${path} holds a store already: name a file that is not there`)
        }
        for (const name of tablesOfNew) db.run(`DELETE FROM ${name}`)
        putMark(db, incompleteMark, id)
        indexes = dropIndexes(db)
      })
    },
    async insert(table, rows) {
      write((db) => insertRows(db, table, rows))
    },
    async apply(changes) {
      write((db) => {
        // Rows that name a purchase are found by it, so it goes after them.
        for (const change of changes.toReversed()) removeRows(db, change)
        for (const { table, rows } of changes) insertRows(db, table, rows)
      })
    },
    pages: (table) => readPages(open(), table),
    async find(table, keys) {
      return findRows(open(), table, keys)
    },
    async count(plan) {
      return countRows(open(), plan)
    },
    async settle() {
      for (const statement of indexes) open().run(statement)
      open().run("PRAGMA wal_checkpoint(TRUNCATE)")
    },
    async putLastNumbers(numbers) {
      write((db) => {
        for (const [name, number] of numbers) {
          db.query("DELETE FROM sqlite_sequence WHERE name = ?").run(name)
          db.query("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(name, number)
        }
      })
    },
    async complete(id) {
      // The rows were written without waiting for the disk; this waits for all of them.
      open().run("PRAGMA synchronous = FULL")
      open().run("PRAGMA wal_checkpoint(TRUNCATE)")
      write((db) => {
        if (findMark(db, incompleteMark) !== id) throw anotherMove()
        removeMark(db, incompleteMark)
        putMark(db, arrivedMark, id)
      })
    },
    async close() {
      opened?.close()
    },
  }
}

/** A quarter of a gigabyte: rows come in another order than that of their rowids. */
const cacheKilobytes = 256 * 1024

function openTarget(path: string): Connection {
  const db = openConnection(path, "command")
  db.run(`PRAGMA busy_timeout = ${waitMs}`)
  db.run(`PRAGMA cache_size = -${cacheKilobytes}`)
  // Rows of one round may refer to others of it that are written later.
  db.run("PRAGMA foreign_keys = OFF")
  db.run("PRAGMA synchronous = OFF")
  return db
}

function dropIndexes(db: Connection): readonly string[] {
  const select =
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'purchases'"
  const found = db.query<{ name: string; sql: string }, []>(select).all()
  for (const { name } of found) db.run(`DROP INDEX ${name}`)
  return found.map(({ sql }) => sql)
}

function insertRows(db: Connection, table: PlannedTable, rows: readonly Row[]): void {
  const isByPlace = byPlace.includes(table.name)
  const isPurchase = table.name === "purchases"
  const codeAt = table.columns.findIndex(({ name }) => name === "code") + 1
  const [first, last] = [table.columns.length + 1, table.columns.length + 2]
  const within = `SELECT place FROM purchases WHERE place BETWEEN ?${first} AND ?${last}`
  const own = `(${within} AND code = ?${codeAt})`
  const next = `(SELECT max(place) + 1 FROM (${within}))`
  const names = table.columns.map(({ name }) => columnOf(table, name, "").slice(1))
  const values = table.columns.map(({ type }, at) =>
    type === "bytes" ? `unhex(?${at + 1})` : `?${at + 1}`,
  )
  if (isByPlace) {
    names[codeAt - 1] = "place"
    values[codeAt - 1] = own
  }
  if (isPurchase) {
    names.push("place")
    values.push(`coalesce(${own}, ${next}, ?${first})`)
  }
  const target = isPurchase ? "place" : table.key.join()
  const changed = names.filter((name) => name !== "place" && name !== "rowid")
  const conflict =
    table.isReferredTo === true
      ? ` ON CONFLICT (${target}) DO UPDATE SET ${changed.map((name) => `${name} = excluded.${name}`)}`
      : ""
  using insert = db.prepare(`INSERT INTO ${table.name} (${names}) VALUES (${values})${conflict}`)
  for (const row of rows) {
    const rowids = rowidsOf(String(row[codeAt - 1]))
    const cells = row.map((cell) => (typeof cell === "boolean" ? Number(cell) : cell))
    insert.run(...cells, ...(isByPlace || isPurchase ? [rowids.first, rowids.last] : []))
  }
}

function removeRows(db: Connection, change: Changes[number]): void {
  const { table } = change
  for (const key of listGone(change)) {
    const [condition, values] = filterByKey(table, key)
    const rowsOf = byPlace.includes(table.name)
      ? `place IN (SELECT place FROM purchases p WHERE ${condition})`
      : condition
    db.query(`DELETE FROM ${table.name} AS t WHERE ${rowsOf}`).run(...values)
  }
}
