/** Brings a store to the version this program knows. Shared by the adapters, which run the SQL. */

export type Migration = Readonly<{ version: number; sql: string }>

/** Told before a store that is in use is changed, which takes minutes where it is large. */
export type OnMigration = (from: number, to: number) => void

export class StoreTooNew extends Error {
  override name = "StoreTooNew"
}

/**
 * The migrations a store at `current` lacks, in order.
 * A newer program may have changed what ours would read wrongly, so its store is left alone.
 */
export function pendingMigrations<Known extends Migration>(
  known: readonly Known[],
  current: number,
): readonly Known[] {
  const newest = known.at(-1)?.version ?? 0
  if (current > newest) {
    throw new StoreTooNew(
      `the store is at version ${current}, but this Pazar knows only ${newest}: run the newer Pazar that wrote it, or restore a backup from before`,
    )
  }
  return known.filter(({ version }) => version > current)
}
