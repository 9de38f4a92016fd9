/** The interface of both adapters for the SQL in this folder. */

export type Value = string | number | boolean | null | Uint8Array

export type Statement = readonly [sql: string, values: readonly Value[]]

/**
 * Parameters are `$1`, `$2`. Columns with names such as `isHidden` or `hasPending` are booleans. Throws StoreUnavailable
 * if the database does not respond.
 */
export type Query = <Row>(sql: string, values?: readonly Value[]) => Promise<readonly Row[]>

type ListType = "text" | "bigint" | "bytea"

/** The differences in SQL. Lists and rows are sent as JSON, with bytes in hexadecimal. */
export type Dialect = Readonly<{
  /** A SELECT of the values in the list. */
  each(list: `$${number}`, type: ListType): string
  /** A condition that can use an index: `key_id ${among("$1", "text")}` matches the values in the list. */
  among(list: `$${number}`, type: ListType): string
  /** The objects in $1 as a table `new` with `columns`: `id bigint, "asOf" bigint`. */
  rows(columns: string): string
  bytes(digits: string): string
  /** A unique text. Random, not sequential: a restored database must not repeat one. */
  newVersion: string
  /** The locking clause of a SELECT; empty on SQLite, where one transaction writes at a time. */
  lock(clause: `FOR ${string}`): string
}>

/** Committed when its function returns, rolled back when it throws. */
export type Transaction = Dialect & Readonly<{ query: Query }>

export type SqlDatabase = Dialect &
  Readonly<{
    read: Query
    /** Without the timeout of a request, for commands that read many rows. */
    readLong: Query
    /** Returns the first row, or null. */
    find<Row>(sql: string, values?: readonly Value[]): Promise<Row | null>
    /** Returns the column `value` of the first row, or null. */
    findValue<T>(sql: string, values?: readonly Value[]): Promise<T | null>
    hasRow(sql: string, values?: readonly Value[]): Promise<boolean>
    /** Durable when the promise resolves. `work` is retried after a conflict. */
    transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
    /** Runs one statement in its own transaction. */
    write(sql: string, values?: readonly Value[]): Promise<void>
    /** Returns the first row of RETURNING, or null. */
    writeOne<Row>(sql: string, values?: readonly Value[]): Promise<Row | null>
    /** Returns the column `value` of the first row of RETURNING, or null. */
    writeValue<T>(sql: string, values?: readonly Value[]): Promise<T | null>
    /** Returns whether RETURNING has a row. */
    hasWritten(sql: string, values?: readonly Value[]): Promise<boolean>
    /** Runs all statements in one transaction. */
    writeAll(...statements: readonly Statement[]): Promise<void>
  }>

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

/** Deletes at most `rowsMax` rows that match `condition`, except locked ones, and returns their number. */
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

/** A server runs for weeks with random lookups; a command ends soon. */
export type StoreUse = "serve" | "command"
