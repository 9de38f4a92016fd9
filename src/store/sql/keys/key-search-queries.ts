import type { KeySearch, KeySort } from "../../../domain/keys/api-key.ts"
import { foldLetters } from "../../../domain/values/text.ts"
import type { SqlDatabase, Value } from "../sql-database.ts"

const orders: Readonly<Record<KeySort, string>> = {
  created: "k.created_at",
  used: "coalesce(k.last_used_at, '')",
  name: "lower(k.name)",
}

export const createKeySearch = (db: SqlDatabase): KeySearch => ({
  async search(query) {
    const { accountId, kind, isLive, at, text, matchingIds, sort, offset, rowsMax } = query
    const values: Value[] = []
    const bind = (value: Value) => `$${values.push(value)}`
    const live = () =>
      `(k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${bind(at)}))`
    const conditions = [
      ...(accountId === null ? [] : [`k.account_id = ${bind(accountId)}`]),
      ...(kind === null ? [] : [`k.kind = ${bind(kind)}`]),
      ...(isLive === null ? [] : [isLive ? live() : `NOT ${live()}`]),
    ]
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`
    const direction = query.isDescending ? "DESC" : "ASC"
    const from = `FROM api_keys k ${where}`
    const all = `SELECT k.id, k.name ${from}
      ORDER BY ${orders[sort]} ${direction}, k.created_at DESC, k.id DESC`
    if (text !== "") {
      // Not in SQL: no database folds letters as Turkish searches need.
      const wanted = foldLetters(text)
      const rows = await db.read<{ id: string; name: string }>(all, values)
      const found = rows.filter(
        ({ id, name }) =>
          id === text || matchingIds.includes(id) || foldLetters(name).includes(wanted),
      )
      const ids = found.slice(offset, offset + rowsMax).map(({ id }) => id)
      return { ids, total: found.length }
    }
    const limit = `LIMIT $${values.length + 1} OFFSET $${values.length + 2}`
    const rows = await db.read<{ id: string }>(`${all} ${limit}`, [...values, rowsMax, offset])
    const [row] = await db.read<{ total: number }>(`SELECT count(*) AS total ${from}`, values)
    return { ids: rows.map(({ id }) => id), total: row?.total ?? 0 }
  },
})
