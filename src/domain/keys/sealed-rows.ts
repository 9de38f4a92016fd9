/** `lookup` is the value that an API key is found by; null for other rows. */
export type Resealed = Readonly<{ sealed: Uint8Array; lookup: Uint8Array | null }>

/** `owner` is what the encrypted text is bound to. */
export type SealedRow = Resealed & Readonly<{ table: string; owner: readonly string[] }>

/** Returns null for a row that stays as it is. */
export type Reseal = (row: SealedRow) => Resealed | null

/** Everything that is stored encrypted under the master key. */
export interface SealedRowStore {
  /**
   * Rewrites all rows in batches, each in one transaction, and returns how many. A row that another process has
   * changed since it was read is left as it is. `purpose` names the sub-key of a column.
   */
  rewrite(
    createReseal: (purpose: string) => Reseal,
    onBatch: (table: string, rows: number) => void,
  ): Promise<number>
}
