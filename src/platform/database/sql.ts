/** SQL as tagged templates, whose values never become part of the text, and the interface of both adapters. */

export type Value = string | number | boolean | null | Uint8Array | readonly unknown[]

type Part = Value | Sql

export class Sql {
  readonly strings: readonly string[]
  readonly parts: readonly Part[]
  readonly isTuples: boolean

  constructor(strings: readonly string[], parts: readonly Part[], isTuples = false) {
    this.strings = strings
    this.parts = parts
    this.isTuples = isTuples
  }

  toString(): string {
    const { text, values } = render(this)
    if (values.length > 0) throw new Error("SQL with values has no text of its own")
    return text
  }
}

/** Values that are sent as JSON, or SQL that returns JSON. */
type Listed = readonly unknown[] | ReadonlySet<unknown> | Sql

export const listPart = (list: Listed): Part =>
  list instanceof Sql ? list : JSON.stringify([...list])

/** What the methods of a database accept: a template, or SQL that was composed before. */
export type Written =
  | readonly [strings: TemplateStringsArray, ...parts: readonly Part[]]
  | readonly [statement: Sql]

type Rendered = Readonly<{ text: string; values: readonly Value[]; isTuples: boolean }>

export const sql = (strings: TemplateStringsArray, ...parts: readonly Part[]): Sql =>
  new Sql(strings, parts)

/** A statement whose rows are tuples, so that computed columns need no names. On SQLite, computed booleans are 1 and 0. */
export const tuples = (strings: TemplateStringsArray, ...parts: readonly Part[]): Sql =>
  new Sql(strings, parts, true)

/** Never for text from outside. */
export const rawSql = (text: string): Sql => new Sql([text], [])

export function joinSql(statements: readonly Sql[], separator: string): Sql {
  const [first, ...others] = statements
  if (first === undefined) return rawSql("")
  const between = others.map(() => separator)
  return new Sql(["", ...between, ""], [first, ...others])
}

export const allOf = (conditions: readonly (Sql | null)[]): Sql => {
  const given = conditions.filter((condition) => condition !== null)
  return given.length === 0 ? rawSql("true") : joinSql(given, " AND ")
}

/** A template always has the same strings, so the text of one without further SQL is made once. */
const texts = new WeakMap<readonly string[], string>()

/** Parameters are `$1`, `$2` in the order of the values. */
export function render({ strings, parts, isTuples }: Sql): Rendered {
  if (!parts.some(isSql)) {
    // `as`: checked by the condition.
    return { text: renderText(strings), values: parts as readonly Value[], isTuples }
  }
  const values: Value[] = []
  return { text: append({ strings, parts }, values), values, isTuples }
}

const isSql = (part: Part): part is Sql => part instanceof Sql

function renderText(strings: readonly string[]): string {
  let text = texts.get(strings)
  if (text === undefined) {
    text = strings.map((string, at) => (at === 0 ? string : `$${at}${string}`)).join("")
    texts.set(strings, text)
  }
  return text
}

function append({ strings, parts }: Pick<Sql, "strings" | "parts">, values: Value[]): string {
  let text = strings[0] ?? ""
  for (const [at, part] of parts.entries()) {
    text += isSql(part) ? append(part, values) : `$${values.push(part)}`
    text += strings[at + 1]
  }
  return text
}

export function renderWritten(written: Written): Rendered {
  const first = written[0]
  return render(first instanceof Sql ? first : new Sql(first, written.slice(1) as readonly Part[]))
}

const fields = new Map<string, string>()

/** `isHidden` for `is_hidden`. */
export function toFieldName(column: string): string {
  let field = fields.get(column)
  if (field === undefined) {
    field = column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    fields.set(column, field)
  }
  return field
}

/** A server runs for weeks with random lookups; a command ends soon. */
export type StoreUse = "serve" | "command"

/** When a write last succeeded and last failed, by `performance.now()`; 0 is never. */
export type WriteTimes = { succeededAtMs: number; failedAtMs: number }

/**
 * Fields are in camelCase; those with names such as `isHidden` or `hasPending` are booleans. Throws StoreUnavailable if
 * the database does not respond.
 */
export type Query = <Row>(...written: Written) => Promise<readonly Row[]>

type ListType = "text" | "bigint" | "bytea"

/** The differences in SQL. Lists and rows are sent as JSON. Only lists, in hexadecimal, and `inserts` may have bytes. */
export type Dialect = Readonly<{
  each(list: Listed, type: ListType): Sql
  /** A condition that can use an index: `key_id ${among(ids, "text")}` matches the values in the list. */
  among(list: Listed, type: ListType): Sql
  /** The fields of the objects as a table `new`. The columns are some of those in `table`. */
  rowsFor(table: string, columns: string, rows: readonly object[]): Sql
  /** Insert the fields of the objects. `onConflict` is a clause. */
  inserts(
    table: string,
    columns: string,
    rows: readonly object[],
    onConflict?: string,
  ): readonly Sql[]
  fromJson(column: string, ...path: readonly string[]): Sql
  /** The locking clause of a SELECT; empty on SQLite, where one transaction writes at a time. */
  lock(clause: `FOR ${string}`): Sql
  /** Makes the planner of SQLite use a covering index. */
  indexedBy(index: string): Sql
}>

/** Committed when its function returns, rolled back when it throws. */
export type Transaction = Dialect & Readonly<{ query: Query }>

type Access = Readonly<{
  read: Query
  /** Durable when the promise resolves. `work` is retried after a conflict. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}>

export type SqlDatabase = Dialect &
  Access &
  ReturnType<typeof createShortcuts> &
  Readonly<{
    /** Without the timeout of a request, for commands that read many rows. */
    readLong: Query
  }>

export function createShortcuts({ read, transaction }: Access) {
  async function find<Row>(...written: Written): Promise<Row | null> {
    const [row = null] = await read<Row>(...written)
    return row
  }
  /** Runs one statement in its own transaction. Returns the first row of RETURNING, or null. */
  const writeOne = <Row>(...written: Written): Promise<Row | null> =>
    transaction(async ({ query }) => {
      const [row = null] = await query<Row>(...written)
      return row
    })
  /** Returns the first column of the first row, or null. */
  const findValue = async <T>(...written: Written): Promise<T | null> =>
    firstColumn(await find<Record<string, T>>(...written))
  return {
    find,
    findValue,
    /** Returns the first column of the first row, or 0. */
    count: async (...written: Written) => (await findValue<number>(...written)) ?? 0,
    hasRow: async (...written: Written) => (await find(...written)) !== null,
    writeAll: (...statements: readonly Sql[]): Promise<void> =>
      transaction(async ({ query }) => {
        for (const statement of statements) await query(statement)
      }),
    write: (...written: Written): Promise<void> =>
      transaction(async ({ query }) => {
        await query(...written)
      }),
    writeOne,
    /** Returns the first column of the first row of RETURNING, or null. */
    writeValue: async <T>(...written: Written): Promise<T | null> =>
      firstColumn(await writeOne<Record<string, T>>(...written)),
    hasWritten: async (...written: Written) => (await writeOne(...written)) !== null,
  }
}

const firstColumn = <T>(row: Readonly<Record<string, T>> | null): T | null =>
  Object.values(row ?? {})[0] ?? null

/**
 * Deletes at most `rowsMax` rows that match `condition`, except locked ones, and returns their number. `key` is the
 * primary key of the table, which has the name `old`.
 */
export const deleteRows = (
  db: SqlDatabase,
  table: string,
  key: string,
  condition: Sql,
  rowsMax: number,
) =>
  db.transaction(async ({ query, lock }) => {
    const [name, columns] = [rawSql(table), rawSql(key)]
    const rows = await query`
      DELETE FROM ${name} WHERE (${columns}) IN (SELECT ${columns} FROM ${name} AS old WHERE ${condition}
        LIMIT ${rowsMax} ${lock("FOR UPDATE SKIP LOCKED")}) RETURNING 1`
    return rows.length
  })

/** Sends no query if the list, which is part of the statement, is empty. */
export async function queryUnlessEmpty<Row>(
  { query }: Transaction,
  list: readonly unknown[] | ReadonlySet<unknown>,
  statement: Sql,
): Promise<readonly Row[]> {
  return ("size" in list ? list.size : list.length) === 0 ? [] : query<Row>(statement)
}

/** Conditions and ON CONFLICT in `rest` can refer to the table `new`. Returns the rows of its RETURNING. */
export async function insertRows<Row>(
  { inserts, rowsFor, query }: Transaction,
  table: string,
  columns: string,
  rows: readonly object[],
  rest: Sql | null = null,
): Promise<readonly Row[]> {
  if (rows.length === 0) return []
  if (rest !== null) {
    // Without WHERE, SQLite would parse ON CONFLICT as a join condition.
    return await query<Row>`INSERT INTO ${rawSql(table)} (${rawSql(columns)}) SELECT ${rawSql(columns)}
      FROM ${rowsFor(table, columns, rows)} WHERE true ${rest}`
  }
  for (const statement of inserts(table, columns, rows)) await query(statement)
  return []
}
