import { joinSql, rawSql, type SqlDatabase, sql, tuples } from "../platform/database/sql.ts"

/** Purpose, table, column, primary key, a value below the first primary key, owner. */
export const encryptedColumns = [
  ["key", "api_keys", "encrypted", "id", "", ["id", "account_id", "kind"]],
  ["signing key", "signing_keys", "encrypted", "id", "", ["id"]],
  ["second factor", "people", "two_factor", "id", 0, ["id"]],
  ["webhook", "webhook_endpoints", "encrypted", "id", "", ["id"]],
  ["webhook", "webhook_endpoints", "old_encrypted", "id", "", ["id"]],
  ["e-mail", "emails", "encrypted", "id", "", ["id"]],
  ["event", "webhook_events", "data", "id", "", ["type"]],
] as const

const rowsPerBatch = 200

type Row = readonly [primaryKey: string | number, encrypted: Uint8Array | string, ...string[]]

export const createEncryptedRowStore = (db: SqlDatabase): EncryptedRowStore => ({
  async rewrite(createReencrypt, onBatch) {
    let rewritten = 0
    for (const [purpose, ...names] of encryptedColumns) {
      const [tableName, columnName, idName, belowFirst, ownerNames] = names
      const [table, column, id] = [rawSql(tableName), rawSql(columnName), rawSql(idName)]
      const owners = joinSql(
        ownerNames.map((name) => rawSql(`CAST(${name} AS text)`)),
        ", ",
      )
      const reencrypt = createReencrypt(purpose)
      // The data of an event is text. Encrypted data is base64; `is_encrypted` is true for it.
      const isText = purpose === "event"
      const isEncrypted = isText ? sql`is_encrypted` : sql`${column} IS NOT NULL`
      for (let last: string | number | undefined = belowFirst; last !== undefined; ) {
        const rows: readonly Row[] = await db.readLong<Row>(
          tuples`SELECT ${id}, ${column}, ${owners} FROM ${table}
            WHERE ${id} > ${last} AND ${isEncrypted} ORDER BY ${table}.${id} LIMIT ${rowsPerBatch}`,
        )
        const changes = rows.flatMap(([primaryKey, found, ...owner]) => {
          const bytes = typeof found === "string" ? Buffer.from(found, "base64") : found
          const reencrypted = reencrypt({ table: tableName, owner, encrypted: bytes })
          if (reencrypted === null) return []
          const { encrypted, lookup } = reencrypted
          const stored = isText ? Buffer.from(encrypted).toString("base64") : encrypted
          const withLookup = lookup === null ? sql`` : sql`, lookup = ${lookup}`
          return sql`UPDATE ${table} SET ${column} = ${stored}${withLookup}
            WHERE ${id} = ${primaryKey} AND ${column} = ${found}`
        })
        await db.writeAll(...changes)
        rewritten += changes.length
        onBatch(tableName, rewritten)
        last = rows.at(-1)?.[0]
      }
    }
    return rewritten
  },
})

/** `lookup` is null for rows other than API keys. */
type EncryptedSecret = Readonly<{ encrypted: Uint8Array; lookup: Uint8Array | null }>

/** The ciphertext is bound to `owner`, which starts with the id of the row. */
export type EncryptedRow = Readonly<{
  table: string
  owner: readonly string[]
  encrypted: Uint8Array
}>
export type Reencrypt = (row: EncryptedRow) => EncryptedSecret | null

interface EncryptedRowStore {
  /** One transaction per batch. Skips rows that another process changed. `purpose` names the sub-key of a column. */
  rewrite(
    createReencrypt: (purpose: string) => Reencrypt,
    onBatch: (table: string, rows: number) => void,
  ): Promise<number>
}
