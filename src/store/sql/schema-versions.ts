/** The version of a store's schema, and when a store may be used or upgraded. The adapters run the SQL. */
import { StoreUnavailable } from "../../domain/store.ts"

export type Migration = Readonly<{ version: number; sql: string }>

export type Schema = Readonly<{
  /** Creates the newest version in an empty database. */
  sql: string
  /** The version of Pazar 0.12.3. An older store cannot be upgraded. */
  oldest: number
  /** In order. The last one leads to the newest version. */
  migrations: readonly Migration[]
}>

/** Called before an existing store is changed. */
export type OnMigration = (from: number, to: number) => void

/** How many statements of the migration to `version` are done. */
export type MigrationProgress = Readonly<{ version: number; done: number; of: number }>
export type OnProgress = (progress: MigrationProgress) => void

/** `from` is 0 for a store that was created. `copy` is a file with the store as it was, or null. */
export type Migrated = Readonly<{ from: number; to: number; copy: string | null }>

/** `current` is the version of the store, null where there is none; `needed` the one of this program. */
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

/** There is no store, or an older one, which opening neither creates nor upgrades. */
export class MigrationNeeded extends VersionError {
  override name = "MigrationNeeded"

  get isStoreMissing(): boolean {
    return this.versions.current === null
  }
}

export class NotPazarDatabase extends Error {
  override name = "NotPazarDatabase"
}

export const newestOf = ({ migrations }: Schema) => migrations.at(-1)?.version ?? 0

/** The migrations that a store lacks, in order. Throws StoreTooNew, or MigrationNeeded for a store before 0.12.3. */
export function listPending(schema: Schema, current: number): readonly Migration[] {
  const needed = newestOf(schema)
  if (current > needed) {
    throw new StoreTooNew(
      `the database is at version ${current}, but this Pazar knows only ${needed}: run the newer Pazar that wrote it, or restore a backup from before`,
      { current, needed },
    )
  }
  if (current < schema.oldest) {
    throw new MigrationNeeded(
      `the database is at version ${current}, which this Pazar cannot upgrade: upgrade with 0.12.3 first`,
      { current, needed },
    )
  }
  return schema.migrations.filter(({ version }) => version > current)
}

/** Throws unless a store can be used as it is. `place` is its name in the message. */
export function assertCurrent(schema: Schema, current: number | null, place: string): void {
  const needed = newestOf(schema)
  if (current === null || current === 0) {
    throw new MigrationNeeded(
      `${place} holds no store. If it should, check DATABASE_URL and that its volume is mounted; to create a new store, run \`pazar migrate\``,
      { current: null, needed },
    )
  }
  if (listPending(schema, current).length === 0) return
  throw new MigrationNeeded(
    `${place} is at version ${current}, and this Pazar needs ${needed}. Stop every other pazar on it, then run \`pazar migrate\``,
    { current, needed },
  )
}

/** A row for each task of 0.12.3 that forbids the upgrade. */
export const selectUnfinished = `SELECT name FROM marks
  WHERE name IN ('moving', 'moving here', 'moved to', 'next master key')`

/** Throws for a store that was moved away, or in which 0.12.3 has begun what this version cannot complete. */
export function assertFinished(unfinished: readonly Readonly<{ name: string }>[]): void {
  const [task] = unfinished
  if (task === undefined) return
  throw new StoreUnavailable(
    task.name === "moved to"
      ? "this database was moved and takes no writes any more: set DATABASE_URL to the new one"
      : `\`pazar ${task.name === "next master key" ? "master-key replace" : "move"}\` is not complete: complete it with 0.12.3 first`,
  )
}

/** A statement ends with a semicolon at the end of a line. */
export const statementsOf = (sql: string): readonly string[] =>
  sql
    .replaceAll(/^ *--.*\n/gm, "")
    .split(/;\n/)
    .filter((statement) => statement.trim() !== "")
