/** `lookup` is null for rows other than API keys. */
export type EncryptedSecret = Readonly<{ encrypted: Uint8Array; lookup: Uint8Array | null }>

/** `owner` is the identity that the ciphertext is bound to. */
export type EncryptedRow = EncryptedSecret & Readonly<{ table: string; owner: readonly string[] }>

/** Returns null for a row that stays unchanged. */
export type Reencrypt = (row: EncryptedRow) => EncryptedSecret | null

/** All data encrypted under the master key. */
export interface EncryptedRowStore {
  /**
   * Rewrites all rows, one transaction per batch, and returns how many. A row that another process changed since it
   * was read stays unchanged. `purpose` names the sub-key of a column.
   */
  rewrite(
    createReencrypt: (purpose: string) => Reencrypt,
    onBatch: (table: string, rows: number) => void,
  ): Promise<number>
}
