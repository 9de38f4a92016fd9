import type { MetadataStore } from "../platform/database/metadata.ts"
import { StoreUnavailable } from "../platform/error.ts"
import type { Timestamp } from "../platform/time.ts"

/** Identifies the master key: with another one all API keys would be unknown, so it is rejected before any write. */
export const canaryMetadataKey = "master key canary"
export const lastBackupMetadataKey = "newest backup"
/** Why the server's last backup failed; deleted after the next complete one. */
export const failedBackupMetadataKey = "failure of the last backup"
/** Present if the last daily backup has no account. */
export const emptyBackupMetadataKey = "empty backup"
export const backupMetadataKeys = [
  emptyBackupMetadataKey,
  lastBackupMetadataKey,
  failedBackupMetadataKey,
]

export type LastBackup = Readonly<{ at: Timestamp; bytes: number }>

export async function findLastBackup(
  metadata: Pick<MetadataStore, "find">,
): Promise<LastBackup | null> {
  const found = await metadata.find(lastBackupMetadataKey)
  return found === null ? null : JSON.parse(found)
}

const hourMs = 3_600_000

/** A day, and two hours for late timers and slow copies. */
export const backupAgeMsMax = 26 * hourMs

export async function recordBackup(
  metadata: Pick<MetadataStore, "putInPlaceOf">,
  backup: LastBackup,
): Promise<void> {
  const text = JSON.stringify(backup)
  await metadata.putInPlaceOf(lastBackupMetadataKey, text, failedBackupMetadataKey)
}

/** In a database that was moved: JSON of `Moved`. */
export const movedMetadataKey = "moved to"
export type Moved = Readonly<{ place: string; at: string }>

/** Throws StoreUnavailable for a database that was moved, because it lacks all later changes. */
export async function assertNotMoved({ find }: Pick<MetadataStore, "find">): Promise<void> {
  const moved = await find(movedMetadataKey)
  if (moved === null) return
  const { place, at }: Moved = JSON.parse(moved)
  throw new StoreUnavailable(
    `this database was moved to ${place} at ${at}; set DATABASE_URL to the new database, or run \`pazar move --cancel\``,
  )
}
