/** The version of a store, and when it may be used or changed. The adapters run the SQL. */

export type Migration = Readonly<{ version: number; sql: string }>

/** Called before an existing store is changed, which takes minutes for a large one. */
export type OnMigration = (from: number, to: number) => void

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

/** There is no store, or an older one: only `pazar migrate` creates and upgrades. */
export class MigrationNeeded extends VersionError {
  override name = "MigrationNeeded"

  get isStoreMissing(): boolean {
    return this.versions.current === null
  }
}

/** The database belongs to another program. */
export class NotOurs extends Error {
  override name = "NotOurs"
}

export const newestOf = (known: readonly Migration[]) => known.at(-1)?.version ?? 0

/**
 * The migrations a store at `current` lacks, in order.
 * Throws StoreTooNew for a store of a newer program: this one could read it wrongly.
 */
export function pendingMigrations<Known extends Migration>(
  known: readonly Known[],
  current: number,
): readonly Known[] {
  const newest = newestOf(known)
  if (current > newest) {
    throw new StoreTooNew(
      `the store is at version ${current}, but this Pazar knows only ${newest}: run the newer Pazar that wrote it, or restore a backup from before`,
      { current, needed: newest },
    )
  }
  return known.filter(({ version }) => version > current)
}

/** Throws unless a store at `current` can be used as it is. `store` is its name in the message. */
export function assertCurrent(
  known: readonly Migration[],
  current: number | null,
  store: string,
): void {
  const needed = newestOf(known)
  if (current === null || current === 0) {
    throw new MigrationNeeded(
      `${store} holds no store. If it should, check DATABASE_URL and that its volume is mounted; to create a new store, run \`pazar migrate\``,
      { current: null, needed },
    )
  }
  if (pendingMigrations(known, current).length === 0) return
  throw new MigrationNeeded(
    `${store} is at version ${current}, and this Pazar needs ${needed}. Stop every other pazar on it, then run \`pazar migrate\``,
    { current, needed },
  )
}

/** The message of a program that stops writing because its store was upgraded. */
export const upgradedUnderUs = (from: number, to: number | null) =>
  `the store was version ${from} and is ${to ?? "another"} now: it was upgraded while this process ran. Nothing is written any more; stop this process and start the version that upgraded it`
