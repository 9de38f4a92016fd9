import type { EncryptedRowStore } from "../../../domain/keys/encrypted-rows.ts"
import type { SqlDatabase, Value } from "../sql-database.ts"

const author = "(SELECT username FROM accounts WHERE accounts.id = account_id)"

/** The purpose, the table, the column, the primary key with a value before the first, and the owner. */
export const encryptedColumns = [
  ["key", "api_keys", "sealed", "id", "", ["id", author, "kind"]],
  ["signing key", "signing_keys", "sealed", "id", "", ["id"]],
  ["second factor", "operator_second_factors", "sealed", "operator_id", 0, ["operator_id"]],
  ["second factor of an author", "second_factors", "sealed", "account_id", 0, ["account_id"]],
  ["webhook", "webhook_endpoints", "sealed", "id", "", ["id"]],
  ["webhook", "webhook_endpoints", "old_sealed", "id", "", ["id"]],
  ["event", "webhook_events", "data", "id", "", ["type"]],
] as const

const rowsEach = 200

type Row = Readonly<{ place: Value; encrypted: Uint8Array | string; lookup: Uint8Array | null }> &
  Readonly<Record<`owner${number}`, string>>

export const createEncryptedRowStore = (db: SqlDatabase): EncryptedRowStore => ({
  async rewrite(createReencrypt, onBatch) {
    let rewritten = 0
    for (const [purpose, table, column, id, beforeFirst, owner] of encryptedColumns) {
      const reencrypt = createReencrypt(purpose)
      // The data of an event is text, and only some of it is encrypted, in base64.
      const isText = purpose === "event"
      const owners = owner.map((each, index) => `CAST(${each} AS text) AS owner${index}`)
      const isKey = purpose === "key"
      const update = `UPDATE ${table} SET ${column} = $1${isKey ? ", lookup = $4" : ""} WHERE ${id} = $2 AND ${column} = $3`
      for (let place: Value | undefined = beforeFirst; place !== undefined; ) {
        const rows: readonly Row[] = await db.readLong<Row>(
          `SELECT ${id} AS place, ${column} AS encrypted, ${isKey ? "lookup" : "NULL AS lookup"}, ${owners} FROM ${table}
           WHERE ${id} > $1 AND ${isText ? "is_sealed" : `${column} IS NOT NULL`}
           ORDER BY ${id} LIMIT $2`,
          [place, rowsEach],
        )
        const changes = rows.flatMap((row) => {
          const bytes =
            typeof row.encrypted === "string" ? Buffer.from(row.encrypted, "base64") : row.encrypted
          const bound = owner.map((_, index) => row[`owner${index}`] ?? "")
          const reencrypted = reencrypt({ ...row, table, owner: bound, encrypted: bytes })
          if (reencrypted === null) return []
          const { encrypted, lookup } = reencrypted
          const stored = isText ? Buffer.from(encrypted).toString("base64") : encrypted
          return [[stored, row.place, row.encrypted, ...(lookup ? [lookup] : [])]]
        })
        await db.writeAll(...changes.map((values) => [update, values] as const))
        rewritten += changes.length
        onBatch(table, rewritten)
        place = rows.at(-1)?.place
      }
    }
    return rewritten
  },
})
