import type { MetadataStore } from "../platform/database/metadata.ts"
import type { Timestamp } from "../platform/time.ts"

/** Identifies the master key: with another one all API keys would be unknown, so it is rejected before any write. */
export const canaryMetadataKey = "master key canary"
const lastBackupMetadataKey = "newest backup"
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
