/** The methods that both adapters have. Files beside this one that hold SQL for both use only these. */

export type Value = string | number | boolean | null | Uint8Array

export type Statement = readonly [sql: string, values: readonly Value[]]

/**
 * Parameters are written `$1`, `$2`. A column that is a boolean is named `isHidden` or `hasWaiting`.
 * Throws StoreUnavailable when the database does not respond.
 */
export type Query = <Row>(sql: string, values?: readonly Value[]) => Promise<readonly Row[]>

type ListType = "text" | "bigint" | "bytea"

/** What the databases write in different words. Lists and rows come as JSON, bytes in it as hexadecimal digits. */
export type Dialect = Readonly<{
  /** A SELECT of the values in a list. */
  each(list: `$${number}`, type: ListType): string
  /** The end of a condition that uses an index: `key_id ${among("$1", "text")}` matches the values in the list. */
  among(list: `$${number}`, type: ListType): string
  /** The objects in $1 as a table `new` with `columns`: `id bigint, "asOf" bigint`. */
  rows(columns: string): string
  bytes(digits: string): string
  /** A text that is never returned twice. Random, not counted: a restored store must not repeat one. */
  newVersion: string
  /** The end of a SELECT that locks its rows; empty on SQLite, where one transaction writes at a time. */
  lock(words: `FOR ${string}`): string
}>

/** The statements of one transaction, which is committed when its function returns and rolled back when it throws. */
export type Transaction = Dialect & Readonly<{ query: Query }>

export type SqlDatabase = Dialect &
  Readonly<{
    read: Query
    /** The same without the time-out of a request, for commands that read many rows. */
    readLong: Query
    /** The first row that is read; null where there is none. */
    find<Row>(sql: string, values?: readonly Value[]): Promise<Row | null>
    /** Its column `value`; null where there is no row. */
    findValue<T>(sql: string, values?: readonly Value[]): Promise<T | null>
    hasRow(sql: string, values?: readonly Value[]): Promise<boolean>
    /** A power cut after the promise resolves does not undo the transaction. `work` may run again after a conflict. */
    transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
    /** Runs one statement in a transaction of its own. */
    write(sql: string, values?: readonly Value[]): Promise<void>
    /** The same, and returns the first row of its RETURNING; null where there is none. */
    writeOne<Row>(sql: string, values?: readonly Value[]): Promise<Row | null>
    /** The column `value` of that row; null where there is none. */
    writeValue<T>(sql: string, values?: readonly Value[]): Promise<T | null>
    /** Whether there is such a row. */
    hasWritten(sql: string, values?: readonly Value[]): Promise<boolean>
    /** Runs all of them or none. */
    writeAll(...statements: readonly Statement[]): Promise<void>
  }>

/** The methods that every adapter makes of these two. */
export function createShortcuts({ read, transaction }: Pick<SqlDatabase, "read" | "transaction">) {
  async function find<Row>(sql: string, values: readonly Value[] = []) {
    const [row = null] = await read<Row>(sql, values)
    return row
  }
  const writeOne = <Row>(sql: string, values: readonly Value[] = []) =>
    transaction(async ({ query }) => {
      const [row = null] = await query<Row>(sql, values)
      return row
    })
  const writeAll = (...statements: readonly Statement[]) =>
    transaction(async ({ query }) => {
      for (const [sql, values] of statements) await query(sql, values)
    })
  return {
    find,
    findValue: async <T>(...statement: Parameters<typeof find>) =>
      (await find<{ value: T }>(...statement))?.value ?? null,
    hasRow: async (...statement: Parameters<typeof find>) => (await find(...statement)) !== null,
    writeAll,
    write: (sql: string, values: readonly Value[] = []) => writeAll([sql, values]),
    writeOne,
    writeValue: async <T>(...statement: Parameters<typeof writeOne>) =>
      (await writeOne<{ value: T }>(...statement))?.value ?? null,
    hasWritten: async (...statement: Parameters<typeof writeOne>) =>
      (await writeOne(...statement)) !== null,
  }
}

/** Deletes at most `rowsMax` rows `old` that meet a condition and returns how many. Rows that others lock are left out. */
export const deleteRows = (
  db: SqlDatabase,
  { table, id, condition }: Readonly<{ table: string; id: string; condition: string }>,
  values: readonly Value[],
  rowsMax: number,
) =>
  db.transaction(async ({ query, lock }) => {
    const rows = await query(
      `DELETE FROM ${table} WHERE (${id}) IN (SELECT ${id} FROM ${table} AS old WHERE ${condition}
         LIMIT $${values.length + 1} ${lock("FOR UPDATE SKIP LOCKED")}) RETURNING 1`,
      [...values, rowsMax],
    )
    return rows.length
  })

/** The purpose of an open store: a server runs for weeks and makes random look-ups, a command ends soon. */
export type StoreUse = "serve" | "command"
