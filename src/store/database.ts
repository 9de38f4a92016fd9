/** The methods that both adapters have. Files beside this one that hold SQL for both use only these. */

export type Value = string | number | boolean | null | Uint8Array

export type Statement = readonly [sql: string, values: readonly Value[]]

export type SqlDatabase = Readonly<{
  /** The end of a condition on texts: those in $1, which is a list in JSON. As in `key_id ${amongTexts}`. */
  amongTexts: string
  /** Parameters are written `$1`, `$2`. Throws StoreUnavailable when the database cannot answer. */
  read<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
  /** The same without the deadline of a request, for commands that read many rows. */
  readLong<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]>
  /** Runs one statement. A power cut after the promise resolves does not undo it. */
  write(sql: string, values?: readonly Value[]): Promise<void>
  /** Runs all of them or none, and returns the rows of the last, as in `RETURNING id`. */
  writeAll<Row>(...statements: readonly Statement[]): Promise<readonly Row[]>
}>
