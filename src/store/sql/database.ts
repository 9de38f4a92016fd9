/** The methods that both adapters have. Files beside this one that hold SQL for both use only these. */

export type Value = string | number | boolean | null | Uint8Array

export type Statement = readonly [sql: string, values: readonly Value[]]

/**
 * The statements of a change, each answered with its rows. A generator, because nothing may come between the
 * statements of an open SQLite transaction: SQLite runs it without a pause, PostgreSQL waits for each answer.
 */
export type Steps<T> = Generator<Statement, T, readonly unknown[]>

/** One step: `const [row] = yield* ask<Row>("SELECT …", [id])`. */
export function* ask<Row>(sql: string, values: readonly Value[] = []): Steps<readonly Row[]> {
  // The database answers a statement with the rows that it selects.
  return (yield [sql, values]) as readonly Row[]
}

type ListType = "text" | "bigint" | "bytea"

/** What the databases write in different words. Lists and rows come as JSON, bytes in it as hexadecimal digits. */
export type Dialect = Readonly<{
  /** A SELECT of the values in a list. */
  each(list: `$${number}`, type: ListType): string
  /** The end of a condition that an index answers: those in a list, as in `key_id ${among("$1", "text")}`. */
  among(list: `$${number}`, type: ListType): string
  /** The objects in $1 as a table `new`, of which `columns` are the members: `id bigint, "asOf" bigint`. */
  rows(columns: string): string
  bytes(digits: string): string
  /** A text that no other call gives. Random, not counted: a restored store must not repeat one. */
  newVersion: string
  /** The end of a SELECT that locks its rows; empty on SQLite, where one transaction writes at a time. */
  lock(words: `FOR ${string}`): string
}>

export type SqlDatabase = Dialect &
  Readonly<{
    /**
     * Parameters are written `$1`, `$2`. A column that is a boolean is named `isHidden` or `hasWaiting`.
     * Throws StoreUnavailable when the database cannot answer.
     */
    read<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
    /** The same without the deadline of a request, for commands that read many rows. */
    readLong<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
    /**
     * The same as `read`, for pages, which must not hold up the API: few at a time use a connection, and an embedded store
     * answers other requests before each, and again before its rows are used.
     */
    readInTurn<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
    /** The first row that is read; null where there is none. */
    find<Row>(sql: string, values?: readonly Value[]): Promise<Row | null>
    /** Its column `value`; null where there is no row. */
    findValue<T>(sql: string, values?: readonly Value[]): Promise<T | null>
    hasRow(sql: string, values?: readonly Value[]): Promise<boolean>
    /** Runs one statement. A power cut after the promise resolves does not undo it. */
    write(sql: string, values?: readonly Value[]): Promise<void>
    /** The same, and gives the first row of its RETURNING; null where there is none. */
    writeOne<Row>(sql: string, values?: readonly Value[]): Promise<Row | null>
    /** The column `value` of that row; null where there is none. */
    writeValue<T>(sql: string, values?: readonly Value[]): Promise<T | null>
    /** Whether there is such a row. */
    hasWritten(sql: string, values?: readonly Value[]): Promise<boolean>
    /** Runs all of them or none. */
    writeAll(...statements: readonly Statement[]): Promise<void>
    /** All of the steps or none. */
    change<T>(steps: () => Steps<T>): Promise<T>
    /** The same for what a power cut may undo on SQLite, so that no request waits for the disk. Not for rows that are cached. */
    changeUnsynced<T>(steps: () => Steps<T>): Promise<T>
    writeUnsynced(sql: string, values?: readonly Value[]): Promise<void>
    /** Readers go on; a second writer waits. */
    lockTable(table: string): Steps<void>
  }>

/** The methods that every adapter makes of these three. */
export function createShortcuts({
  read,
  change,
  changeUnsynced,
}: Pick<SqlDatabase, "read" | "change" | "changeUnsynced">) {
  async function find<Row>(sql: string, values: readonly Value[] = []) {
    const [row = null] = await read<Row>(sql, values)
    return row
  }
  const writeOne = <Row>(sql: string, values: readonly Value[] = []) =>
    change(function* () {
      const [row = null] = yield* ask<Row>(sql, values)
      return row
    })
  return {
    find,
    findValue: async <T>(...statement: Parameters<typeof find>) =>
      (await find<{ value: T }>(...statement))?.value ?? null,
    hasRow: async (...statement: Parameters<typeof find>) => (await find(...statement)) !== null,
    writeAll: (...statements: readonly Statement[]) => change(() => runAll(statements)),
    write: (sql: string, values: readonly Value[] = []) => change(() => runAll([[sql, values]])),
    writeUnsynced: (sql: string, values: readonly Value[] = []) =>
      changeUnsynced(() => runAll([[sql, values]])),
    writeOne,
    writeValue: async <T>(...statement: Parameters<typeof writeOne>) =>
      (await writeOne<{ value: T }>(...statement))?.value ?? null,
    hasWritten: async (...statement: Parameters<typeof writeOne>) =>
      (await writeOne(...statement)) !== null,
  }
}

/** For a store that only pages read: its `read` is `readInTurn`. */
export const inTurns = (db: SqlDatabase): SqlDatabase => ({ ...db, read: db.readInTurn })

function* runAll(statements: readonly Statement[]): Steps<void> {
  for (const [sql, values] of statements) yield* ask(sql, values)
}

/** Removes rows `old` that meet a condition, at most `rowsMax`, and says how many. Leaves out rows that others hold. */
export const forgetRows = (
  db: SqlDatabase,
  { table, id, condition }: Readonly<{ table: string; id: string; condition: string }>,
  values: readonly Value[],
  rowsMax: number,
) =>
  db.changeUnsynced(function* () {
    const rows = yield* ask(
      `DELETE FROM ${table} WHERE (${id}) IN (SELECT ${id} FROM ${table} AS old WHERE ${condition}
         LIMIT $${values.length + 1} ${db.lock("FOR UPDATE SKIP LOCKED")}) RETURNING 1`,
      [...values, rowsMax],
    )
    return rows.length
  })

/** The purpose of an open store: a server runs for weeks and makes random look-ups, a command ends soon. */
export type StoreUse = "serve" | "command"
