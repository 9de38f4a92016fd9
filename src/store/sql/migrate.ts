/** The version of a store, and when it may be used or changed. The adapters run the SQL. */

/**
 * A step from one version of the tables to the next. Most steps only add: programs of the version before go on.
 * A step that drops or renames is the second of two: `oldest` names a step whose program no longer needs it.
 */
export type Migration = Readonly<{
  version: number
  sql: string
  /**
   * A program that knows fewer steps than this cannot use the store afterwards. If it is the step itself, every
   * program before it is stopped. Without it, each program that could use the store still can.
   */
  oldest?: number
  /** Follows `sql`: a change of so many rows that it is made in batches. */
  fill?: Fill
}>

/** `change` gets the keys of a batch: those after $1 up to $2. `first` is before every key. */
export type Fill = Readonly<{ table: string; key: string; first: string | number; change: string }>

/** Rows of a batch: a few milliseconds for either store. */
const fillRows = 1_000

/** The last key of the batch after $1, and how many keys it has. */
export const selectBatch = ({ table, key }: Fill) =>
  `SELECT max(key) AS last, count(*) AS count FROM (
     SELECT ${key} AS key FROM ${table} WHERE ${key} > $1 ORDER BY ${key} LIMIT ${fillRows}
   ) AS batch`

/**
 * `version` is the last step that was made in the store; `oldest` how many steps a program must know to use it.
 * Programs up to 0.11 take `oldest` for the version, and stop if it is not exactly theirs.
 */
export type StoreVersions = Readonly<{ version: number; oldest: number }>

/** Called before an existing store is changed. `writesWaitMs` is how long writes of others wait at most, about. */
export type OnMigration = (
  from: number,
  to: number,
  writesWaitMs: number | "others must stop",
) => void

/** `rows` are those of the batches so far. `isWaiting`: another transaction holds a lock. */
export type MigrationProgress = Readonly<{ version: number; rows: number; isWaiting: boolean }>

/** The steps that a program knows, and who is told of each part that is done. */
export type MigrationSteps<Known extends Migration = Migration> = Readonly<{
  known: readonly Known[]
  onProgress(progress: MigrationProgress): void
}>

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

export class NotOurs extends Error {
  override name = "NotOurs"
}

export const newestOf = (known: readonly Migration[]) => known.at(-1)?.version ?? 0

/** Throws StoreTooNew for a store that this program could read wrongly. */
export function assertKnown(known: readonly Migration[], { version, oldest }: StoreVersions): void {
  const needed = newestOf(known)
  if (oldest <= needed) return
  throw new StoreTooNew(
    `the store is at version ${version}, but this Pazar knows only ${needed}: run the newer Pazar that wrote it, or restore a backup from before`,
    { current: version, needed },
  )
}

export type MigrationPlan<Known extends Migration> = Readonly<{
  /** In one transaction that stops every other program: nothing else may use a store between them. */
  atOnce: readonly Known[]
  /** One by one, beside programs that run on. */
  beside: readonly Known[]
}>

/** The steps that a store lacks, in order. Throws StoreTooNew. */
export function planMigrations<Known extends Migration>(
  known: readonly Known[],
  versions: StoreVersions,
): MigrationPlan<Known> {
  assertKnown(known, versions)
  const pending = known.filter(({ version }) => version > versions.version)
  if (versions.version === 0) return { atOnce: pending, beside: [] }
  const stopping = pending.findLastIndex(({ version, oldest }) => version === oldest)
  return { atOnce: pending.slice(0, stopping + 1), beside: pending.slice(stopping + 1) }
}

/** Throws unless a store can be used as it is. `store` is its name in the message. */
export function assertCurrent(
  known: readonly Migration[],
  versions: StoreVersions | null,
  store: string,
): void {
  const needed = newestOf(known)
  if (versions === null || versions.version === 0) {
    throw new MigrationNeeded(
      `${store} holds no store. If it should, check DATABASE_URL and that its volume is mounted; to create a new store, run \`pazar migrate\``,
      { current: null, needed },
    )
  }
  const { atOnce, beside } = planMigrations(known, versions)
  if (atOnce.length + beside.length === 0) return
  const { version: current } = versions
  const advice =
    atOnce.length > 0
      ? "Stop every other pazar on it, then run `pazar migrate`"
      : "Run `pazar migrate`; servers that run on it may go on"
  throw new MigrationNeeded(
    `${store} is at version ${current}, and this Pazar needs ${needed}. ${advice}`,
    { current, needed },
  )
}

/** The message of a program that stops writing because its store was upgraded. */
export const upgradedUnderUs = (known: number, oldest: number | null) =>
  `the store needs a Pazar of version ${oldest ?? "another"} and this one is ${known}: it was upgraded while this process ran. Nothing is written any more; stop this process and start the version that upgraded it`
