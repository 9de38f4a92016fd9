/** The reads that `pazar doctor` needs of a store. No request is answered from here. */
import type { Timestamp } from "../values/time/timestamp.ts"

export interface StoreChecks {
  /**
   * Damages of the stored data; empty when none was found. Reads the whole store where it is
   * embedded. `isThorough` also compares every index with its rows, which takes several times as long.
   */
  listCorruption(isThorough: boolean): Promise<readonly string[]>
  /** The latest moment that was recorded for an import, a change of a key or a session; null if none. */
  findNewestTimestamp(): Promise<Timestamp | null>
  /** Purchase codes chosen at random, at most `count`. */
  sampleCodes(count: number): Promise<readonly string[]>
  /** The clock of the database server; null where the store is embedded. */
  readClock(): Promise<Date | null>
  /** Null where the store is embedded: one that cannot be written cannot be opened. */
  findReadOnly(): Promise<"standby" | "setting" | null>
}
