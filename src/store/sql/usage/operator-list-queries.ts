import type { ListedItem, OperatorLists } from "../../../domain/usage/operator-reads.ts"
import { foldLetters } from "../../../domain/values/text.ts"
import type { SqlDatabase, Value } from "../sql-database.ts"

/** Rows per query until a page is full: on SQLite a query blocks all requests of the thread. */
const rowsPerQuery = 2_000

/** Above every id. */
const idMax = Number.MAX_SAFE_INTEGER

type ItemTitle = Pick<ListedItem, "id" | "name">

/** `items` is the items table with the covering index of a list. */
export function createOperatorLists(db: SqlDatabase, items: string): OperatorLists {
  /** Reads until a page of matching rows is full. */
  async function listMatching<Row, Cursor>(
    first: Cursor,
    rowsMax: number,
    isMatch: ((row: Row) => boolean) | null,
    read: (after: Cursor, rowsMax: number) => Promise<readonly Row[]>,
    cursorOf: (row: Row) => Cursor,
  ): Promise<readonly Row[]> {
    if (isMatch === null) return read(first, rowsMax)
    const found: Row[] = []
    let after = first
    for (;;) {
      const rows = await read(after, rowsPerQuery)
      found.push(...rows.filter(isMatch))
      const last = rows.at(-1)
      if (found.length >= rowsMax || rows.length < rowsPerQuery || last === undefined) {
        return found.slice(0, rowsMax)
      }
      after = cursorOf(last)
    }
  }
  return {
    async listItems({ accountId, isHidden, text }, before, rowsMax) {
      const values: Value[] = []
      const bind = (value: Value) => `$${values.push(value)}`
      const conditions = [
        ...(accountId === null ? [] : [`i.account_id = ${bind(accountId)}`]),
        ...(isHidden === null ? [] : [`i.hidden = ${bind(isHidden)}`]),
      ]
      const [last, rows] = [`$${values.length + 1}`, `$${values.length + 2}`]
      const foldedText = foldLetters(text)
      const isMatch = ({ id, name }: ItemTitle) =>
        String(id) === text || foldLetters(name ?? "").includes(foldedText)
      const found = await listMatching<ItemTitle, number>(
        before ?? idMax,
        rowsMax,
        text === "" ? null : isMatch,
        (id, limit) =>
          db.read<ItemTitle>(
            // Names are selected only for a search, because computing them takes most of the time.
            `SELECT i.id${text === "" ? "" : ", i.name"}
             FROM ${accountId === null || text !== "" ? items : "items i"}
             WHERE ${[...conditions, `i.id < ${last}`].join(" AND ")} ORDER BY i.id DESC LIMIT ${rows}`,
            [...values, id, limit],
          ),
        ({ id }) => id,
      )
      return db.read<ListedItem>(
        `SELECT i.id, i.account_id AS "accountId", i.hidden AS "isHidden", i.name, a.username AS author
         FROM items i JOIN accounts a ON a.id = i.account_id WHERE i.id ${db.among("$1", "bigint")}
         ORDER BY i.id DESC`,
        [JSON.stringify(found.map(({ id }) => id))],
      )
    },
  }
}
