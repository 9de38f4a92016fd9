import { type SqlDatabase, tuples } from "../platform/database/sql.ts"
import { pluralize } from "../platform/text.ts"
import type { Timestamp } from "../platform/time.ts"

export type RowCounts = Readonly<Record<"accounts" | "items" | "purchases" | "keys", number>>

export const describeCounts = ({ accounts, items, purchases }: Omit<RowCounts, "keys">) =>
  [pluralize(accounts, "account"), pluralize(items, "item"), pluralize(purchases, "purchase")].join(
    ", ",
  )

export type CountedRows = readonly [
  accounts: number,
  items: number,
  purchases: number,
  keys: number,
]

export const selectCounts = tuples`SELECT (SELECT count(*) FROM accounts),
  (SELECT count(*) FROM items), (SELECT count(*) FROM purchases), (SELECT count(*) FROM api_keys)`

export function toCounts([row]: readonly CountedRows[]): RowCounts {
  if (row === undefined) throw new Error("a SELECT without FROM returned no row")
  const [accounts, items, purchases, keys] = row
  return { accounts, items, purchases, keys }
}

/** Reads for `pazar doctor` only. */
export interface StoreChecks {
  /** Counts every row: takes seconds with many millions of purchases. */
  countRows(): Promise<RowCounts>
  /** Empty if no corruption was found. `isThorough` also compares indexes with rows, several times as slow. */
  listCorruption(isThorough: boolean): Promise<readonly string[]>
  /** When the last import or audited action was, by the clock that recorded it; null if there is none. */
  findNewestTimestamp(): Promise<Timestamp | null>
  readClock(): Promise<Date | null>
  /** Always null on SQLite: a database that cannot be written cannot be opened. */
  findReadOnly(): Promise<"standby" | "setting" | null>
}

export const createSharedChecks = (
  db: SqlDatabase,
): Pick<StoreChecks, "countRows" | "findNewestTimestamp"> => ({
  countRows: async () => toCounts(await db.readLong(selectCounts)),
  // Not the maximum of all rows: after a clock was corrected, those from the future stay.
  async findNewestTimestamp() {
    const times = await Promise.all([
      db.findValue<Timestamp>`
        SELECT coalesce(finished_at, started_at) FROM imports ORDER BY id DESC LIMIT 1`,
      db.findValue<Timestamp>`SELECT at FROM audit_events ORDER BY id DESC LIMIT 1`,
    ])
    return (
      times
        .filter((at) => at !== null)
        .toSorted()
        .at(-1) ?? null
    )
  },
})
