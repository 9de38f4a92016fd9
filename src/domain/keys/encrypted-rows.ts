/** `lookup` is the value that an API key is found by; null for other rows. */
export type EncryptedSecret = Readonly<{ encrypted: Uint8Array; lookup: Uint8Array | null }>

/** `owner` is what the encrypted text is bound to. */
export type EncryptedRow = EncryptedSecret & Readonly<{ table: string; owner: readonly string[] }>

/** Returns null for a row that stays as it is. */
export type Reencrypt = (row: EncryptedRow) => EncryptedSecret | null

/** Everything that is stored encrypted under the master key. */
export interface EncryptedRowStore {
  /**
   * Rewrites all rows in batches, each in one transaction, and returns how many. A row that another process has
   * changed since it was read is left as it is. `purpose` names the sub-key of a column.
   */
  rewrite(
    createReencrypt: (purpose: string) => Reencrypt,
    onBatch: (table: string, rows: number) => void,
  ): Promise<number>
}
