import { tuples } from "../platform/database/sql.ts"
import { pluralize } from "../platform/text.ts"

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
