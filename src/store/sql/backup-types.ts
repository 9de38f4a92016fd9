import type { MetadataStore } from "../../domain/store.ts"
import type { RowCounts } from "../../domain/usage/operator-reads.ts"

export type CopyStage = "copying" | "checking"
/** Called before each stage. A stage takes minutes for a large database. */
export type OnStage = (stage: CopyStage) => Promise<void>

export type BackUpOptions = Readonly<{
  /** Replaces an existing file after the new backup has been verified. */
  mayOverwrite: boolean
  /** From `chooseUnfinishedName`. A caller that knows the name can delete an abandoned copy. */
  unfinished?: string
  onStage: OnStage
}>

export type BackedUp = Readonly<{ bytes: number; counts: RowCounts }>

/** Throws if the configured master key cannot decrypt the backup. */
export type AdmitBackup = (metadata: Pick<MetadataStore, "find">) => Promise<void>

export type RestoreOptions = Readonly<{
  admit: AdmitBackup
  /** Also replaces a database that is newer or damaged, and accepts a backup of a moved database. */
  isForced: boolean
  /** The suffix of the file name of the replaced database. */
  suffix: string
  onStage: OnStage
}>

export type InspectedBackup = Readonly<{
  /** The schema version. A version below `needed` must be migrated. */
  version: number
  needed: number
  counts: RowCounts
}>

export type Restored = InspectedBackup &
  Readonly<{
    /** The file of the replaced database; null if there was none. */
    kept: string | null
  }>
