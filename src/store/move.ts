/**
 * Moves a database into an empty one. Each database is one transaction that locks all others out, so a move that fails
 * or is killed changes neither of them.
 */

import { Database } from "bun:sqlite"
import { readPages as readPostgresPages } from "../feed/feed-store-postgres.ts"
import { readPages as readSqlitePages } from "../feed/feed-store-sqlite.ts"
import {
  connect,
  isContention,
  longPool,
  dialect as postgresDialect,
} from "../platform/database/postgres.ts"
import { describeDatabase } from "../platform/database/postgres-hosts.ts"
import {
  insertRows,
  type Query,
  rawSql,
  type Sql,
  type Transaction,
  toFieldName,
  tuples,
  type Value,
} from "../platform/database/sql.ts"
import { createStatements, memory, dialect as sqliteDialect } from "../platform/database/sqlite.ts"
import { StoreUnavailable, UserError } from "../platform/error.ts"
import { secondsBefore } from "../platform/time.ts"
import { backupMetadataKeys, canaryMetadataKey, type Moved, movedMetadataKey } from "./metadata.ts"
import { nodeGoneSeconds } from "./node.ts"
import { describeStore, migrateStore, type StoreLocation } from "./open-store.ts"
import { sqliteSchema } from "./schema.ts"
import { lockDatabase } from "./sqlite.ts"

/** `columns` has no generated ones. `order` is the primary key, or all columns. */
type Table = Readonly<{
  name: string
  columns: readonly string[]
  order: readonly string[]
}>
type Row = Readonly<Record<string, Value>>

/** The last generated id of each table, which must not be generated again. */
type LastIds = ReadonlyMap<string, number>

/** A locked database. Disposing it rolls back what was not committed. */
type MoveConnection = Transaction &
  AsyncDisposable &
  Readonly<{
    /** Path or URL without credentials. */
    description: string
    /** All batches but the last have the same number of rows in both databases. */
    readBatches(select: Sql): AsyncIterable<readonly Row[]>
    readLastIds(): Promise<LastIds>
    writeLastIds(lastIds: LastIds): Promise<void>
    commit(): Promise<void>
  }>

/** Awaited after every batch. `done` and `of` count each row twice, because it is copied and compared. */
type OnRows = (stage: Stage, table: string, done: number, of: number) => Promise<void>
type Stage = "copying" | "comparing"

/**
 * Creates `to` and copies all rows. Throws UserError if a database is in use, if `to` has data, or if rows differ after
 * the copy.
 */
export async function moveStore(
  from: StoreLocation,
  to: StoreLocation,
  now: Date,
  onRows: OnRows,
): Promise<void> {
  const tables = listTables()
  await using source = await openMove(from, tables, now)
  const rejectUsed = () => {
    throw new UserError(`${describeStore(to)} is not empty; use an empty database`)
  }
  await migrateStore(to, rejectUsed).catch((error) => {
    if (!(error instanceof StoreUnavailable)) throw error
    throw new StoreUnavailable(error.message.replaceAll("DATABASE_URL", "--to"), { cause: error })
  })
  await using target = await openMove(to, tables, now)
  await copyRows({ source, target, tables, onRows })
  await target.writeLastIds(await source.readLastIds())
  await target.commit()
  const moved = JSON.stringify({ place: target.description, at: now.toISOString() })
  await source.query`INSERT INTO metadata VALUES (${movedMetadataKey}, ${moved})`
  await source.commit()
}

/** Makes a moved database usable again. Returns null if it was not moved. */
export async function reopenStore(location: StoreLocation, now: Date): Promise<Moved | null> {
  await using db = await openMove(location, listTables(), now)
  const [moved] = await db.query<{ value: string }>`
    DELETE FROM metadata WHERE name = ${movedMetadataKey} RETURNING value`
  await db.commit()
  return moved === undefined ? null : JSON.parse(moved.value)
}

/** Throws UserError if the database is in use. */
async function openMove(
  location: StoreLocation,
  tables: readonly Table[],
  now: Date,
): Promise<MoveConnection> {
  if (location.kind === "sqlite") return openSqliteMove(location.path)
  const names = tables.map(({ name }) => name)
  return openPostgresMove(location.url, names, now)
}

type Move = Readonly<{
  source: MoveConnection
  target: MoveConnection
  tables: readonly Table[]
  onRows: OnRows
}>

/** Copies all rows and compares the copies. Throws UserError if they differ. */
async function copyRows({ source, target, tables, onRows }: Move): Promise<void> {
  // A run that was killed between the two commits has left a complete copy, which is only compared.
  const isCopied = await hasRows(target, tables)
  const rows = await countRows(source, tables)
  let done = 0
  const count = async (stage: Stage, { name }: Table, batch: readonly Row[]) => {
    done += batch.length
    await onRows(stage, name, done, isCopied ? rows : 2 * rows)
  }
  if (!isCopied) {
    // `migrate` has written their rows to the new database.
    for (const name of ["metadata", "signing_keys"]) await target.query`DELETE FROM ${rawSql(name)}`
    for (const table of tables) {
      for await (const batch of source.readBatches(selectRows(table))) {
        assertPortable(table, batch)
        await insertRows(target, table.name, table.columns.join(", "), batch)
        await count("copying", table, batch)
      }
    }
  }
  for (const table of tables) {
    const place = target.description
    const differs = () =>
      new UserError(
        isCopied
          ? `${place} is not empty; use an empty database`
          : `table ${table.name} in ${place} differs after the copy; nothing was moved`,
      )
    const copies = target.readBatches(selectRows(table))[Symbol.asyncIterator]()
    for await (const batch of source.readBatches(selectRows(table))) {
      if (!Bun.deepEquals(batch, (await copies.next()).value)) throw differs()
      await count("comparing", table, batch)
    }
    if ((await copies.next()).done !== true) throw differs()
  }
}

/** Returns false for a database that was only created: it has signing keys and the canary of its master key. */
async function hasRows({ query }: MoveConnection, tables: readonly Table[]): Promise<boolean> {
  for (const { name } of tables.filter((each) => each.name !== "signing_keys")) {
    const filter = name === "metadata" ? `name <> '${canaryMetadataKey}'` : "true"
    const rows = await query(rawSql(`SELECT 1 FROM ${name} WHERE ${filter} LIMIT 1`))
    if (rows.length > 0) return true
  }
  return false
}

async function countRows({ query }: MoveConnection, tables: readonly Table[]): Promise<number> {
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM ${name})`)
  const [[rows] = [0]] = await query<[number]>(tuples`SELECT ${rawSql(counts.join(" + "))}`)
  return rows
}

/** Sorted, because the order of both databases must be the same. */
function selectRows({ name, columns, order }: Table): Sql {
  const keys = backupMetadataKeys.map((key) => `'${key}'`)
  const filter = name === "metadata" ? `name NOT IN (${keys})` : "true"
  return rawSql(`SELECT ${columns} FROM ${name} WHERE ${filter} ORDER BY ${order}`)
}

function assertPortable({ name, columns }: Table, batch: readonly Row[]): void {
  const isPortable = (value: Value | undefined) =>
    typeof value === "string"
      ? value.isWellFormed() && !value.includes("\0")
      : typeof value !== "number" || Number.isSafeInteger(value)
  for (const row of batch) {
    const column = columns.find((each) => !isPortable(row[toFieldName(each)]))
    if (column === undefined) continue
    throw new UserError(
      `${name}.${column} has a value that cannot be copied (NUL, invalid Unicode or unsafe number); correct it`,
    )
  }
}

/** Of a new database, because there the tables follow those that they reference. */
function listTables(): readonly Table[] {
  using db = new Database(":memory:")
  db.run(sqliteSchema.sql)
  const { query, finalize } = createStatements(db)
  const columns = query<[table: string, name: string, pk: number]>(tuples`
    SELECT t.name, c.name, c.pk FROM sqlite_schema t, pragma_table_xinfo(t.name) c
    WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' AND c.hidden = 0
    ORDER BY t.rowid, c.cid`)
  finalize()
  const toNames = (some: typeof columns) => some.map(([, name]) => name)
  return [...Map.groupBy(columns, ([table]) => table)].map(([name, all]) => {
    const key = all.filter(([, , pk]) => pk > 0)
    return { name, columns: toNames(all), order: toNames(key.length === 0 ? all : key) }
  })
}

/** Throws UserError if the database is in use. */
function openSqliteMove(path: string): MoveConnection {
  const connection = lockDatabase(path)
  for (const setting of memory.command) connection.run(setting)
  const { read, iterate, finalize } = createStatements(connection)
  return {
    ...sqliteDialect,
    query: read,
    description: path,
    readBatches: (select) => readSqlitePages(iterate<Row>(select)),
    readLastIds: async () =>
      new Map(await read<[table: string, last: number]>(tuples`SELECT * FROM sqlite_sequence`)),
    async writeLastIds(lastIds) {
      await read`DELETE FROM sqlite_sequence`
      for (const [table, last] of lastIds)
        await read`INSERT INTO sqlite_sequence VALUES (${table}, ${last})`
    },
    async commit() {
      connection.run("COMMIT")
    },
    async [Symbol.asyncDispose]() {
      finalize()
      connection.close()
    },
  }
}

/** Long enough for statements in flight, and for autovacuum to give way. */
const lockMsMax = 3_000
/** Longer than any step in the other database. The locks end even if this machine loses power. */
const idleMsMax = 600_000

/**
 * Locks the tables. Throws UserError if they are in use, or if a server has sent a heartbeat: an idle server holds no lock
 * and, behind a pooler, no connection.
 */
async function openPostgresMove(
  url: string,
  tables: readonly string[],
  now: Date,
): Promise<MoveConnection> {
  const db = connect(url, longPool)
  const description = describeDatabase(url)
  const client = await db.beginLong("ISOLATION LEVEL READ COMMITTED")
  const { query } = client
  const close = async () => {
    await query`ROLLBACK`.catch(() => {})
    client.release()
    await db.close()
  }
  try {
    await lockTables(query, description, tables, now)
  } catch (error) {
    await close()
    if (!(error instanceof StoreUnavailable) || !isContention(error.cause)) throw error
    throw new UserError(
      `${description} is in use; stop every pazar and every other program that uses it, then run the command again`,
    )
  }
  return {
    ...postgresDialect,
    query,
    description,
    async *readBatches(select) {
      await query`SET LOCAL cursor_tuple_fraction = 1`
      yield* readPostgresPages<Row>(client, select)
    },
    async readLastIds() {
      const lastIds = await query<[table: string, last: number]>(
        tuples`SELECT table_name, coalesce(pg_sequence_last_value(pg_get_serial_sequence(table_name, column_name)::regclass), 0)
          FROM information_schema.columns
          WHERE table_schema = current_schema() AND is_identity = 'YES' AND table_name = ANY (${tables})`,
      )
      return new Map(lastIds)
    },
    async writeLastIds(lastIds) {
      for (const [table, last] of lastIds) {
        await query`SELECT setval(pg_get_serial_sequence(table_name, column_name)::regclass, ${last})
          FROM information_schema.columns
          WHERE table_schema = current_schema() AND is_identity = 'YES' AND table_name = ${table} AND ${last} > 0`
      }
    },
    async commit() {
      await query`ANALYZE`
      await query`COMMIT`
    },
    [Symbol.asyncDispose]: close,
  }
}

async function lockTables(
  query: Query,
  description: string,
  tables: readonly string[],
  now: Date,
): Promise<void> {
  async function assertNoServer(): Promise<void> {
    const [server] = await query<{ url: string; host: string; lastSeenAt: string }>`
      SELECT url, host, last_seen_at FROM nodes
      WHERE last_seen_at >= ${secondsBefore(now, nodeGoneSeconds)}`
    if (server === undefined) return
    throw new UserError(
      `the server ${server.url} on ${server.host} uses ${description} (last seen ${server.lastSeenAt}); stop all servers and run the command again, ${nodeGoneSeconds} s later if one was killed`,
    )
  }
  await query(
    rawSql(
      `SET LOCAL idle_in_transaction_session_timeout = ${idleMsMax}; SET LOCAL lock_timeout = ${lockMsMax}`,
    ),
  )
  // Before the locks, which would make a running server wait, and again for one that has started meanwhile.
  await assertNoServer()
  await query(rawSql(`LOCK TABLE ${tables}`))
  await assertNoServer()
}
