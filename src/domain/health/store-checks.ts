/** Reads for `pazar doctor` only. */
import type { Timestamp } from "../values/time/timestamp.ts"

export interface StoreChecks {
  /** Empty if no corruption was found. `isThorough` also compares indexes with rows, several times as slow. */
  listCorruption(isThorough: boolean): Promise<readonly string[]>
  /** The latest timestamp of an import, a key change or a session; null if there is none. */
  findNewestTimestamp(): Promise<Timestamp | null>
  sampleCodes(count: number): Promise<readonly string[]>
  /** The clock of the database server; null on SQLite. */
  readClock(): Promise<Date | null>
  /** Always null on SQLite: a database that cannot be written cannot be opened. */
  findReadOnly(): Promise<"standby" | "setting" | null>
}
