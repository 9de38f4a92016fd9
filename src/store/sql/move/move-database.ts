/**
 * Moves a database into an empty one. Triggers first disable writes to the old database; reads continue. Then every table
 * is copied and compared. Writes to the old database stay disabled, so that a crash leaves at most one writable database.
 * A retry copies everything again.
 */
import { backupMetadataKeys, canaryMetadataKey } from "../../../domain/store.ts"
import { UserError } from "../../../domain/values/error.ts"
import { createMetadataStore, describeClosed, type Moving, moveKeys } from "../metadata-store.ts"
import { insertRows, type SqlDatabase } from "../sql-database.ts"
import { fieldOf, rawSql, type Sql, sql, type Value } from "../statement.ts"

export type Column = Readonly<{ table: string; name: string; isKey: boolean }>
type Table = readonly [name: string, columns: readonly Column[]]
export type Row = Readonly<Record<string, Value>>

/** The last generated id of each table, which must not be generated again. */
export type LastIds = ReadonlyMap<string, number>

export type MoveConnection = SqlDatabase &
  Readonly<{
    /** Path or URL without credentials. */
    description: string
    /** Without generated columns, sorted by creation: tables follow the tables they reference. */
    listColumns(): Promise<readonly Column[]>
    readBatches(select: Sql): AsyncIterable<readonly Row[]>
    listClosed(): Promise<readonly string[]>
    /** Statements that make writes to a table fail with `message`. They wait for concurrent writers. */
    closing(table: string, message: string): readonly Sql[]
    opening(table: string): readonly Sql[]
    /** Statements that delete all rows. Later tables reference earlier ones. */
    emptying(tables: readonly string[]): readonly Sql[]
    readLastIds(): Promise<LastIds>
    /** Called after all rows have been copied. */
    finish(lastIds: LastIds): Promise<void>
    close(): Promise<void>
  }>

export type MoveOptions = Readonly<{
  now(): Date
  onProgress(stage: "copying" | "comparing", table: string, rows: number): Promise<void>
  /** Called if the move has failed and the old database is writable again. */
  onReopened(): void
}>

const renameKey = (from: string, to: string) =>
  sql`UPDATE metadata SET name = ${to} WHERE name = ${from}`

export async function moveDatabase(
  source: MoveConnection,
  target: MoveConnection,
  options: MoveOptions,
): Promise<void> {
  const tables = await planTables(source, target)
  const started = await findMoving(source)
  const at = options.now().toISOString()
  const moving = started ?? { id: crypto.randomUUID(), place: target.description, at }
  const message = describeClosed(moving)
  if ((await createMetadataStore(target).find(moveKeys.arrived)) !== moving.id) {
    await beginTarget(target, tables, started, moving.id)
    if (started === null)
      await createMetadataStore(source).putIfAbsent(moveKeys.moving, JSON.stringify(moving))
    await assertMoving(source, moving)
    try {
      const closed = await source.listClosed()
      // One transaction per table: waiting for a writer must not block the other tables.
      for (const [name] of tables) {
        if (!closed.includes(name)) await source.writeAll(...source.closing(name, message))
      }
      for (const table of tables) await copyTable(source, target, table, options)
      await target.finish(await source.readLastIds())
      await assertMoving(source, moving)
    } catch (error) {
      await reopenDatabase(source).then(options.onReopened, () => {})
      throw error
    }
    // After a failure from here on the new database may be complete, so the old one stays closed.
    await target.write(renameKey(moveKeys.incomplete, moveKeys.arrived))
  }
  await source.writeAll(
    ...source.opening("metadata"),
    renameKey(moveKeys.moving, moveKeys.moved),
    ...source.closing("metadata", message),
  )
}

/** Enables writes to the old database. Returns null if no move was started. */
export async function reopenDatabase(source: MoveConnection): Promise<Moving | null> {
  const moving = await findMoving(source)
  // The key is deleted first: without it a running move does not complete the new database.
  await source.writeAll(
    ...source.opening("metadata"),
    sql`DELETE FROM metadata WHERE name IN (${moveKeys.moving}, ${moveKeys.moved})`,
  )
  for (const table of await source.listClosed()) await source.writeAll(...source.opening(table))
  return moving
}

async function findMoving(source: MoveConnection): Promise<Moving | null> {
  const { find } = createMetadataStore(source)
  const value = (await find(moveKeys.moving)) ?? (await find(moveKeys.moved))
  return value === null ? null : JSON.parse(value)
}

/** Throws if another process has canceled the move or started another one. */
async function assertMoving(source: MoveConnection, { id }: Moving): Promise<void> {
  if ((await findMoving(source))?.id !== id) throw new UserError("the move was canceled")
}

/** Returns the tables of both databases. A PostgreSQL database may have tables of other programs. */
async function planTables(source: MoveConnection, target: MoveConnection) {
  const [tables, others] = [await listTables(target), await listTables(source)]
  const namesOf = (columns: readonly Column[] = []) => columns.map(({ name }) => name).toSorted()
  const common = [...tables].filter(
    ([name, columns]) => namesOf(columns).join() === namesOf(others.get(name)).join(),
  )
  if (common.length === Math.min(tables.size, others.size)) return common
  throw new UserError("the databases have different tables; run `pazar migrate` on both")
}

const listTables = async ({ listColumns }: MoveConnection) =>
  Map.groupBy(await listColumns(), ({ table }) => table)

/** Empties the new database. The metadata key prevents opening it until the move is complete. */
const beginTarget = (
  target: MoveConnection,
  tables: readonly Table[],
  started: Moving | null,
  id: string,
) =>
  target.transaction(async ({ query }) => {
    const [incomplete] = await query<{ value: string }>`
      SELECT value FROM metadata WHERE name = ${moveKeys.incomplete}`
    if (started !== null && incomplete?.value !== id) throw new UserError(describeClosed(started))
    const names = tables.map(([name]) => name)
    // A new database already has signing keys and the canary.
    for (const name of names.filter((each) => each !== "signing_keys")) {
      const filter = name === "metadata" ? sql`name <> ${canaryMetadataKey}` : sql`true`
      const [row] = await query`SELECT 1 FROM ${rawSql(name)} WHERE ${filter} LIMIT 1`
      if (incomplete === undefined && row !== undefined) {
        throw new UserError(`${target.description} is not empty; use an empty database`)
      }
    }
    for (const statement of target.emptying(names)) await query(statement)
    await query`INSERT INTO metadata VALUES (${moveKeys.incomplete}, ${id})`
  })

async function copyTable(
  source: MoveConnection,
  target: MoveConnection,
  table: Table,
  { onProgress }: MoveOptions,
): Promise<void> {
  const [name, columns] = table
  const copied = await digest(source, table, async (batch, rows) => {
    await target.transaction((tx) => insertRows(tx, name, listNames(columns), batch))
    await onProgress("copying", name, rows)
  })
  await onProgress("comparing", name, 0)
  const found = await digest(target, table, (_, rows) => onProgress("comparing", name, rows))
  if (copied === found) return
  throw new UserError(
    `table ${name} differs after the copy: ${copied} copied, ${found} found in ${target.description}; run \`pazar move\` again`,
  )
}

const ownKeys = [...Object.values(moveKeys), ...backupMetadataKeys].map((key) => `'${key}'`)

const listNames = (columns: readonly Column[]) => columns.map(({ name }) => name).join(", ")

/** Returns the number of rows and the sum of their hashes, which does not depend on the order. */
async function digest(
  { readBatches }: MoveConnection,
  [table, columns]: Table,
  onBatch: (batch: readonly Row[], rows: number) => Promise<void>,
): Promise<string> {
  const filter = table === "metadata" ? `name NOT IN (${ownKeys})` : "true"
  const key = listNames(columns.filter(({ isKey }) => isKey))
  // Sorted by primary key, because sorted inserts are faster.
  const order = key === "" ? "" : `ORDER BY ${key}`
  const select = rawSql(`SELECT ${listNames(columns)} FROM ${table} WHERE ${filter} ${order}`)
  let [rows, sum] = [0, 0n]
  for await (const batch of readBatches(select)) {
    rows += batch.length
    for (const row of batch) {
      const values = columns.map((column) => toComparable(row, column))
      sum += BigInt(Bun.hash(JSON.stringify(values)))
    }
    await onBatch(batch, rows)
  }
  return `${rows} rows with checksum ${sum}`
}

/** The same in both databases. */
function toComparable(row: Row, { table, name }: Column): string | number | boolean | null {
  const value = row[fieldOf(name)] ?? null
  if (value === null || typeof value === "boolean") return value
  if (value instanceof Uint8Array) return value.toHex()
  if (typeof value === "number" && Number.isSafeInteger(value)) return value
  if (typeof value === "string" && value.isWellFormed() && !value.includes("\0")) return value
  throw new UserError(
    `${table}.${name} has a value that cannot be copied (NUL, invalid Unicode or unsafe number); correct it`,
  )
}
