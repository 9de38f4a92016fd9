type Migration = Readonly<{ version: number; sql: string }>

export type Schema = Readonly<{
  sql: string
  /** The version of `sql`. Later versions have a migration. */
  baseline: number
  migrations: readonly Migration[]
}>

export type OnMigration = (from: number, to: number) => void

/** `done` and `of` are numbers of statements. */
type MigrationProgress = Readonly<{ version: number; done: number; of: number }>
export type OnProgress = (progress: MigrationProgress) => void

/** `from` is 0 for a new database. `copy` is the file with the database before the migration, or null. */
export type Migrated = Readonly<{ from: number; to: number; copy: string | null }>

/** `current` is the version of the database, null if it is missing; `needed` is the version of this program. */
export type SchemaVersions = Readonly<{ current: number | null; needed: number }>

class VersionError extends Error {
  readonly versions: SchemaVersions

  constructor(message: string, versions: SchemaVersions) {
    super(message)
    this.versions = versions
  }
}

export class StoreTooNew extends VersionError {
  override name = "StoreTooNew"
}

/** The database is missing or has an older version. */
export class MigrationNeeded extends VersionError {
  override name = "MigrationNeeded"
}

/** It cannot be migrated. */
export class StoreOfDevelopment extends MigrationNeeded {
  override name = "StoreOfDevelopment"
}

export class NotPazarDatabase extends Error {
  override name = "NotPazarDatabase"
}

export const findNewestVersion = ({ baseline, migrations }: Schema) =>
  migrations.at(-1)?.version ?? baseline

/** Throws StoreTooNew or StoreOfDevelopment. */
export function listPending(schema: Schema, current: number): readonly Migration[] {
  const needed = findNewestVersion(schema)
  if (current > needed) {
    throw new StoreTooNew(
      `the database has schema version ${current}, but this Pazar supports only ${needed}; run a newer Pazar, or restore an older backup`,
      { current, needed },
    )
  }
  if (current < schema.baseline) {
    throw new StoreOfDevelopment(
      `the database has schema version ${current}, made by a development version: export with it, import here`,
      { current, needed },
    )
  }
  return schema.migrations.filter(({ version }) => version > current)
}

/** Throws unless the database has the newest version. `name` is its name in the message. */
export function assertCurrent(schema: Schema, current: number | null, name: string): void {
  const needed = findNewestVersion(schema)
  if (current === null || current === 0) {
    throw new MigrationNeeded(
      `${name} contains no Pazar database; check DATABASE_URL and that its volume is mounted, or run \`pazar migrate\` to create a new one`,
      { current: null, needed },
    )
  }
  if (listPending(schema, current).length === 0) return
  throw new MigrationNeeded(
    `${name} has schema version ${current}, but this Pazar requires ${needed}; stop every other pazar on it, then run \`pazar migrate\``,
    { current, needed },
  )
}

/** One transaction. `from` is 0 for an empty database. */
type MigratedDatabase = Readonly<{
  from: number
  run(sql: string): Promise<unknown>
  setVersion(version: number): Promise<unknown>
  /** Returns the name of a copy of the database before the migration, or null. */
  copy(): string | null
}>

/** Creates the newest version in an empty database, or migrates it. */
export async function migrateDatabase(
  schema: Schema,
  { from, run, setVersion, copy }: MigratedDatabase,
  onMigration: OnMigration = () => {},
  onProgress: OnProgress = () => {},
): Promise<Migrated> {
  const to = findNewestVersion(schema)
  if (from === 0) {
    await run(schema.sql)
    await setVersion(to)
    return { from, to, copy: null }
  }
  const pending = listPending(schema, from)
  if (pending.length === 0) return { from, to, copy: null }
  onMigration(from, to)
  const copied = copy()
  for (const { version, sql } of pending) {
    // A statement ends with a semicolon at the end of a line.
    const lines = sql.replaceAll(/^ *--.*\n/gm, "")
    const statements = lines.split(/;\n/).filter((statement) => statement.trim() !== "")
    for (const [done, statement] of statements.entries()) {
      onProgress({ version, done, of: statements.length })
      await run(statement)
    }
    await setVersion(version)
  }
  return { from, to, copy: copied }
}
