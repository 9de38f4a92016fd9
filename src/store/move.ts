/**
 * Moves a database into an empty one. Each database is one transaction that locks all others out, so a move that fails
 * or is killed changes neither of them.
 */
import {
  insertRows,
  rawSql,
  type Sql,
  type Transaction,
  toFieldName,
  tuples,
  type Value,
} from "../platform/database/sql.ts"
import { UserError } from "../platform/error.ts"
import { backupMetadataKeys, canaryMetadataKey, movedMetadataKey } from "./metadata.ts"

/** `columns` has no generated ones. `order` is the primary key, or all columns. */
export type Table = Readonly<{
  name: string
  columns: readonly string[]
  order: readonly string[]
}>
export type Row = Readonly<Record<string, Value>>

/** The last generated id of each table, which must not be generated again. */
export type LastIds = ReadonlyMap<string, number>

/** A locked database. Disposing it rolls back what was not committed. */
export type MoveConnection = Transaction &
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
export type OnRows = (stage: Stage, table: string, done: number, of: number) => Promise<void>
type Stage = "copying" | "comparing"

export async function moveDatabase(
  source: MoveConnection,
  target: MoveConnection,
  tables: readonly Table[],
  now: Date,
  onRows: OnRows,
): Promise<void> {
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
    const copies = target.readBatches(selectRows(table))[Symbol.asyncIterator]()
    for await (const batch of source.readBatches(selectRows(table))) {
      if (!Bun.deepEquals(batch, (await copies.next()).value)) throw differs(table)
      await count("comparing", table, batch)
    }
    if ((await copies.next()).done !== true) throw differs(table)
  }
  function differs({ name }: Table): UserError {
    const place = target.description
    return new UserError(
      isCopied
        ? `${place} is not empty; use an empty database`
        : `table ${name} in ${place} differs after the copy; nothing was moved`,
    )
  }
  await target.writeLastIds(await source.readLastIds())
  await target.commit()
  const moved = JSON.stringify({ place: target.description, at: now.toISOString() })
  await source.query`INSERT INTO metadata VALUES (${movedMetadataKey}, ${moved})`
  await source.commit()
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
