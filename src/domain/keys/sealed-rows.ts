/** All that is stored sealed under the master key, for the command that replaces it. */

/** What a row is sealed for: each has its own sub-key of the master key. */
export const sealedPurposes = [
  "key",
  "signing key",
  "second factor",
  "second factor of an author",
  "session note",
  "webhook",
  "event",
] as const
export type SealedPurpose = (typeof sealedPurposes)[number]

export type SealedColumn = Readonly<{ table: string; column: string; purpose: SealedPurpose }>

export type SealedRow = Readonly<{
  place: string
  owner: readonly string[]
  sealed: Uint8Array
}>

export interface SealedRowStore {
  columns: readonly SealedColumn[]
  /** After `place`, in the order of places; the first ones come after "". */
  list(column: SealedColumn, place: string, rowsMax: number): Promise<readonly SealedRow[]>
  /**
   * Leaves out rows that are sealed otherwise by now. `lookup` is the value that an API key is found by; null for
   * other rows.
   */
  replace(
    column: SealedColumn,
    rows: readonly Readonly<SealedRow & { resealed: Uint8Array; lookup: Uint8Array | null }>[],
  ): Promise<void>
}
