import type { Transaction } from "../sql-database.ts"

/** Sends each list as a JSON parameter. Sends no query if the first list is empty. */
export async function readRows<Row>(
  tx: Transaction,
  [wanted, ...others]: readonly [Iterable<unknown>, ...Iterable<unknown>[]],
  sql: string,
): Promise<readonly Row[]> {
  const list = [...wanted]
  if (list.length === 0) return []
  return await tx.query<Row>(
    sql,
    [list, ...others.map((other) => [...other])].map((each) => JSON.stringify(each)),
  )
}

/** `sql` reads the rows from `Dialect.rows`, whose columns are the fields of the rows. */
export async function writeRows(
  tx: Transaction,
  rows: readonly object[],
  sql: string,
): Promise<void> {
  if (rows.length > 0) await tx.query(sql, [JSON.stringify(rows)])
}
