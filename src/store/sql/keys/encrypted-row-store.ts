import type { EncryptedRowStore } from "../../../domain/store.ts"
import type { SqlDatabase, Value } from "../sql-database.ts"

/** Purpose, table, column, primary key, a value below the first primary key, owner. */
export const encryptedColumns = [
  ["key", "api_keys", "encrypted", "id", "", ["id", "account_id", "kind"]],
  ["signing key", "signing_keys", "encrypted", "id", "", ["id"]],
  ["second factor", "operator_second_factors", "encrypted", "operator_id", 0, ["operator_id"]],
  ["second factor of an author", "second_factors", "encrypted", "account_id", 0, ["account_id"]],
  ["webhook", "webhook_endpoints", "encrypted", "id", "", ["id"]],
  ["webhook", "webhook_endpoints", "old_encrypted", "id", "", ["id"]],
  ["e-mail", "emails", "encrypted", "id", "", ["id"]],
  ["event", "webhook_events", "data", "id", "", ["type"]],
] as const

const rowsPerBatch = 200

type Row = Readonly<{
  primaryKey: Value
  encrypted: Uint8Array | string
}> &
  Readonly<Record<`owner${number}`, string>>

export const createEncryptedRowStore = (db: SqlDatabase): EncryptedRowStore => ({
  async rewrite(createReencrypt, onBatch) {
    let rewritten = 0
    for (const [purpose, table, column, id, belowFirst, owner] of encryptedColumns) {
      const reencrypt = createReencrypt(purpose)
      // The data of an event is text. Encrypted data is base64; `is_encrypted` is true for it.
      const isText = purpose === "event"
      const owners = owner.map((each, index) => `CAST(${each} AS text) AS owner${index}`)
      const isKey = purpose === "key"
      const update = `UPDATE ${table} SET ${column} = $1${isKey ? ", lookup = $4" : ""} WHERE ${id} = $2 AND ${column} = $3`
      for (let primaryKey: Value | undefined = belowFirst; primaryKey !== undefined; ) {
        const rows: readonly Row[] = await db.readLong<Row>(
          `SELECT ${id} AS primary_key, ${column} AS encrypted, ${owners} FROM ${table}
           WHERE ${id} > $1 AND ${isText ? "is_encrypted" : `${column} IS NOT NULL`}
           ORDER BY ${id} LIMIT $2`,
          [primaryKey, rowsPerBatch],
        )
        const changes = rows.flatMap((row) => {
          const bytes =
            typeof row.encrypted === "string" ? Buffer.from(row.encrypted, "base64") : row.encrypted
          const bound = owner.map((_, index) => row[`owner${index}`] ?? "")
          const reencrypted = reencrypt({ ...row, table, owner: bound, encrypted: bytes })
          if (reencrypted === null) return []
          const { encrypted, lookup } = reencrypted
          const stored = isText ? Buffer.from(encrypted).toString("base64") : encrypted
          return [[stored, row.primaryKey, row.encrypted, ...(lookup ? [lookup] : [])]]
        })
        await db.writeAll(...changes.map((values) => [update, values] as const))
        rewritten += changes.length
        onBatch(table, rewritten)
        primaryKey = rows.at(-1)?.primaryKey
      }
    }
    return rewritten
  },
})
