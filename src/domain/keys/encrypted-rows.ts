/** `lookup` is null for rows other than API keys. */
export type EncryptedSecret = Readonly<{ encrypted: Uint8Array; lookup: Uint8Array | null }>

/** `owner` is the identity that the ciphertext is bound to. */
export type EncryptedRow = EncryptedSecret & Readonly<{ table: string; owner: readonly string[] }>

export type Reencrypt = (row: EncryptedRow) => EncryptedSecret | null

export interface EncryptedRowStore {
  /** One transaction per batch. Skips rows that another process changed. `purpose` names the sub-key of a column. */
  rewrite(
    createReencrypt: (purpose: string) => Reencrypt,
    onBatch: (table: string, rows: number) => void,
  ): Promise<number>
}
