import { rmSync, statfsSync } from "node:fs"
import { dirname } from "node:path"
import { pageBytesMax } from "../items/item.ts"
import { sql } from "../platform/database/sql.ts"
import {
  type Connection,
  connect,
  createStatements,
  type Database,
  dialect,
  feedWaitMs,
} from "../platform/database/sqlite.ts"
import { copyAside } from "../platform/database/sqlite-file.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { createFeedStore, createSnapshot, type DryRunDatabase, pageRows } from "./feed-store.ts"
import type { Snapshot } from "./import-run.ts"

/** A dry run or snapshot closes the connection that `openExclusive` returns. */
export const sqliteFeed = (db: Database, path: string, openExclusive: () => Connection) =>
  createFeedStore(
    db,
    { read: db.read, transaction: (work) => db.transaction(work, feedWaitMs) },
    async () => openCopy(path, openExclusive()),
    async () => openSnapshot(openExclusive()),
  )

/** The file is unlinked while it is open, so that it disappears with its connection, even if the process is killed. */
function openCopy(path: string, source: Connection): DryRunDatabase {
  let copy: Connection
  try {
    assertRoom(path, source)
    const unfinishedPath = copyAside(source, path)
    copy = connect(unfinishedPath)
    copy.run("PRAGMA journal_mode = MEMORY")
    rmSync(unfinishedPath)
  } finally {
    source.close()
  }
  copy.run("PRAGMA synchronous = OFF")
  copy.run("PRAGMA foreign_keys = ON")
  copy.run("BEGIN")
  const { read, finalize } = createStatements(copy)
  return {
    ...dialect,
    query: read,
    scan: read,
    async close() {
      finalize()
      copy.close()
    },
  }
}

function assertRoom(path: string, source: Connection): void {
  const size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
  const bytes = Number(source.query(size).values()[0]?.[0])
  const { bavail, bsize } = statfsSync(dirname(path))
  if (bavail * bsize > bytes) return
  const megabytes = (count: number) => `${Math.ceil(count / 1000 ** 2).toLocaleString("en")} MB`
  throw new StoreUnavailable(
    `not enough disk space for a dry run: a copy of the database needs ${megabytes(bytes)} in ${dirname(path)}, ${megabytes(bavail * bsize)} are free`,
  )
}

/** `close` closes the connection. */
function openSnapshot(connection: Connection): Snapshot {
  connection.run("BEGIN")
  // A transaction sees the state at its first read, not at BEGIN.
  connection.query("SELECT 1 FROM metadata LIMIT 1").get()
  const { iterate, finalize } = createStatements(connection)
  return createSnapshot({
    keyIdOrder: sql`k.id`,
    readPages: (select) => readPages(iterate(select)),
    readLongRows: (columns, _, from) =>
      readPages(iterate(sql`SELECT ${columns} FROM ${from}`), ({ body }) =>
        Buffer.byteLength(body),
      ),
    async close() {
      finalize()
      connection.run("COMMIT")
      connection.close()
    },
  })
}

export async function* readPages<Row>(rows: Iterable<Row>, sizeOf: (row: Row) => number = () => 0) {
  let page: Row[] = []
  let bytes = 0
  for (const row of rows) {
    const isFull = page.length === pageRows || bytes + sizeOf(row) > pageBytesMax
    if (isFull && page.length > 0) {
      yield page
      page = []
      bytes = 0
    }
    page.push(row)
    bytes += sizeOf(row)
  }
  if (page.length > 0) yield page
}
