/** The results of backing up and restoring. Only an embedded store is copied by this program. */

import type { MetadataStore } from "../../domain/store.ts"
import type { RowCounts } from "../../domain/usage/operator-reads.ts"

export type CopyStage = "copying" | "checking"
/** Called before each stage, which takes minutes for a large store. */
export type OnStage = (stage: CopyStage) => Promise<void>

export type BackUpOptions = Readonly<{
  /** Replaces a file of this name, when the new backup is complete. */
  mayOverwrite: boolean
  /** From `chooseUnfinishedName`: a caller that knows it can remove what a copy leaves that is given up. */
  unfinished?: string
  onStage: OnStage
}>

export type BackedUp = Readonly<{ bytes: number; counts: RowCounts }>

/** Throws when the program cannot open the keys that are sealed in the backup. */
export type AdmitBackup = (metadata: Pick<MetadataStore, "find">) => Promise<void>

export type RestoreOptions = Readonly<{
  admit: AdmitBackup
  /** Also replaces a store that has newer data, or one that is damaged, and opens one again that was moved. */
  isForced: boolean
  /** Ends the name of the file that keeps the replaced store. */
  suffix: string
  onStage: OnStage
}>

export type InspectedBackup = Readonly<{
  /** The version of the store's tables; an older one than `needed` has to be migrated. */
  version: number
  needed: number
  counts: RowCounts
}>

export type Restored = InspectedBackup &
  Readonly<{
    /** The file with the replaced store; null where there was none. */
    kept: string | null
  }>
