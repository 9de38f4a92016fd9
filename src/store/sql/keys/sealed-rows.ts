import type { SealedColumn, SealedRow, SealedRowStore } from "../../../domain/keys/sealed-rows.ts"
import type { SqlDatabase } from "../database.ts"

type Described = SealedColumn &
  Readonly<{
    /** The place of a row, as text. */
    place: string
    /** What the vault of its purpose binds a row to. */
    owner: readonly string[]
    join?: string
    /** The sealed bytes are text in base64, of rows that meet `condition`. */
    base64?: Readonly<{ condition: string }>
  }>

/** All that is sealed in the schema: a test looks for columns that are missing here. */
const described: readonly Described[] = [
  {
    table: "api_keys",
    column: "sealed",
    purpose: "key",
    place: "t.id",
    owner: ["t.id", "a.username", "t.kind"],
    join: "JOIN accounts a ON a.id = t.account_id",
  },
  {
    table: "signing_keys",
    column: "sealed",
    purpose: "signing key",
    place: "t.id",
    owner: ["t.id"],
  },
  {
    table: "operator_second_factors",
    column: "sealed",
    purpose: "second factor",
    place: "CAST(t.operator_id AS text)",
    owner: ["t.operator_id"],
  },
  {
    table: "second_factors",
    column: "sealed",
    purpose: "second factor of an author",
    place: "CAST(t.account_id AS text)",
    owner: ["t.account_id"],
  },
  ...["session_notes", "operator_session_notes"].map((table) => ({
    table,
    column: "sealed",
    purpose: "session note" as const,
    place: "CAST(t.serial AS text)",
    owner: ["t.session_id", "t.kind", "t.id"],
  })),
  ...["sealed", "old_sealed"].map((column) => ({
    table: "webhook_endpoints",
    column,
    purpose: "webhook" as const,
    place: "t.id",
    owner: ["t.id"],
  })),
  {
    table: "webhook_events",
    column: "data",
    purpose: "event",
    place: "t.id",
    owner: ["t.type"],
    base64: { condition: "t.is_sealed" },
  },
]

export function createSealedRows(db: SqlDatabase): SealedRowStore {
  const describe = ({ table, column }: SealedColumn) => {
    const found = described.find((each) => each.table === table && each.column === column)
    if (found === undefined) throw new Error(`${column} of ${table} is not sealed`)
    return found
  }
  return {
    columns: described,
    async list(named, place, rowsMax) {
      const { table, column, place: at, owner, join = "", base64 } = describe(named)
      const owners = owner.map((each, index) => `CAST(${each} AS text) AS owner${index}`)
      const rows = await db.readLong<
        { place: string; sealed: Uint8Array | string } & Record<string, string>
      >(
        `SELECT ${at} AS place, t.${column} AS sealed, ${owners} FROM ${table} t ${join}
         WHERE ${base64?.condition ?? `t.${column} IS NOT NULL`} AND ${at} > $1
         ORDER BY ${at} LIMIT $2`,
        [place, rowsMax],
      )
      return rows.map(
        (row): SealedRow => ({
          place: row.place,
          sealed: typeof row.sealed === "string" ? Buffer.from(row.sealed, "base64") : row.sealed,
          owner: owner.map((_, index) => row[`owner${index}`] ?? ""),
        }),
      )
    },
    async replace(named, rows) {
      if (rows.length === 0) return
      const { table, column, place: at, purpose, base64 } = describe(named)
      const encoding = base64 === undefined ? "hex" : "base64"
      const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString(encoding)
      const decoded = (text: string) => (base64 === undefined ? db.bytes(text) : text)
      const lookup = purpose === "key" ? `, lookup = ${db.bytes("new.lookup")}` : ""
      const sent = rows.map(({ place, sealed, resealed, lookup: value }) => ({
        place,
        sealed: encode(sealed),
        resealed: encode(resealed),
        lookup: value === null ? null : encode(value),
      }))
      await db.write(
        `UPDATE ${table} AS t SET ${column} = ${decoded("new.resealed")}${lookup}
         FROM ${db.rows("place text, sealed text, resealed text, lookup text")}
         WHERE ${at} = new.place AND t.${column} = ${decoded("new.sealed")}`,
        [JSON.stringify(sent)],
      )
    },
  }
}
