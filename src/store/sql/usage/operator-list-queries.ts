import type { ListedItem, OperatorLists } from "../../../domain/usage/operator-lists.ts"
import { foldLetters } from "../../../domain/values/text.ts"
import type { SqlDatabase, Value } from "../sql-database.ts"

/** A page is read in so many rows at a time until it is full: other requests of an embedded store wait for each. */
const rowsAtOnce = 2_000

/** The largest id that both databases compare. */
const beyondAll = Number.MAX_SAFE_INTEGER

type ItemTitle = Pick<ListedItem, "id" | "name">
type ListedKey = Readonly<{ id: string; name: string }>

/** `items` is the table of items, with the index that holds all that a list shows. */
export function createOperatorLists(db: SqlDatabase, items: string): OperatorLists {
  /** Reads on until a page of those that are wanted is full. */
  async function listWanted<Row, Place>(
    first: Place,
    rowsMax: number,
    isWanted: ((row: Row) => boolean) | null,
    read: (after: Place, rowsMax: number) => Promise<readonly Row[]>,
    placeOf: (row: Row) => Place,
  ): Promise<readonly Row[]> {
    if (isWanted === null) return read(first, rowsMax)
    const found: Row[] = []
    let after = first
    for (;;) {
      const rows = await read(after, rowsAtOnce)
      found.push(...rows.filter(isWanted))
      const last = rows.at(-1)
      if (found.length >= rowsMax || rows.length < rowsAtOnce || last === undefined) {
        return found.slice(0, rowsMax)
      }
      after = placeOf(last)
    }
  }
  return {
    async listKeys({ accountId, kind, isLive, at, text }, after, rowsMax) {
      const values: Value[] = []
      const place = (value: Value) => `$${values.push(value)}`
      const works = () =>
        `(k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${place(at)}))`
      const conditions = [
        ...(accountId === null ? [] : [`k.account_id = ${place(accountId)}`]),
        ...(kind === null ? [] : [`k.kind = ${place(kind)}`]),
        ...(isLive === null ? [] : [isLive ? works() : `NOT ${works()}`]),
      ]
      const wanted = foldLetters(text)
      const isWanted = ({ id, name }: ListedKey) =>
        id === text || foldLetters(name).includes(wanted)
      const found = await listWanted<ListedKey, string | null>(
        after,
        rowsMax,
        text === "" ? null : isWanted,
        (id, limit) => {
          const [key, rows] = [`$${values.length + 1}`, `$${values.length + 2}`]
          const isBehind = `(k.created_at, k.id) < (SELECT created_at, id FROM api_keys WHERE id = ${key})`
          const where = [...conditions, `(${key} = '' OR ${isBehind})`].join(" AND ")
          return db.read<ListedKey>(
            `SELECT k.id, k.name FROM api_keys k
             WHERE ${where} ORDER BY k.created_at DESC, k.id DESC LIMIT ${rows}`,
            [...values, id ?? "", limit],
          )
        },
        ({ id }) => id,
      )
      return found.map(({ id }) => id)
    },
    async listItems({ accountId, isHidden, text }, before, rowsMax) {
      const values: Value[] = []
      const place = (value: Value) => `$${values.push(value)}`
      const conditions = [
        ...(accountId === null ? [] : [`i.account_id = ${place(accountId)}`]),
        ...(isHidden === null ? [] : [`i.hidden = ${place(isHidden)}`]),
      ]
      const [last, rows] = [`$${values.length + 1}`, `$${values.length + 2}`]
      const wanted = foldLetters(text)
      const isWanted = ({ id, name }: ItemTitle) =>
        String(id) === text || foldLetters(name ?? "").includes(wanted)
      const found = await listWanted<ItemTitle, number>(
        before ?? beyondAll,
        rowsMax,
        text === "" ? null : isWanted,
        (id, limit) =>
          db.read<ItemTitle>(
            // Names are read only to be compared with the text: computing them takes most of the time.
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
