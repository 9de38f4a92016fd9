import type { CountStore } from "../../../domain/usage/usage.ts"
import { type CountTable, createCounts } from "../../sql/usage/counts.ts"
import type { Database } from "../connection/database.ts"

export const postgresCounts = (db: Database): CountStore =>
  createCounts(db, {
    addRows: (additions, codes, day) =>
      db.transact(async ({ query }) => {
        for (const { table, rows } of additions) {
          const columns = columnsOf(table)
          const records = rows.map((row) =>
            Object.fromEntries(columns.map((column, at) => [column, row[at]])),
          )
          await query(addTo(table), [JSON.stringify(records)])
        }
        if (codes.length > 0)
          await query(noteCodes(db.among("$1", "text")), [JSON.stringify(codes), day])
      }),
    run: db.writeAll,
    hoursToDays: [hoursToDays(db.among("$1", "text"))],
    skipLocked: "FOR UPDATE SKIP LOCKED",
  })

const columnsOf = ({ key, merged }: CountTable) => [...key, ...Object.keys(merged)]

const merges = {
  sum: ["sum", (one: string, other: string) => `${one} + ${other}`],
  latest: ["max", (one: string, other: string) => `greatest(${one}, ${other})`],
  either: ["bool_or", (one: string, other: string) => `${one} OR ${other}`],
} as const

/** Sorted by key, so that two nodes that add the same rows cannot deadlock. */
function addTo(table: CountTable): string {
  const { name, merged } = table
  const key = table.key.join(", ")
  const others = Object.entries(merged)
  const sums = others.map(([column, merge]) => `${merges[merge][0]}(${column})`)
  const changes = others.map(
    ([column, merge]) =>
      `${column} = ${merges[merge][1](`${name}.${column}`, `excluded.${column}`)}`,
  )
  return `INSERT INTO ${name} (${columnsOf(table).join(", ")})
    SELECT ${key}, ${sums.join(", ")} FROM json_populate_recordset(NULL::${name}, $1::json)
    GROUP BY ${key} ORDER BY ${key}
    ON CONFLICT (${key}) DO UPDATE SET ${changes.join(", ")}`
}

/** Sorted as above. A node whose clock is behind changes nothing. */
const noteCodes = (amongTexts: string) => `INSERT INTO asked_codes AS kept (code, day)
  SELECT code, $2 FROM purchases WHERE code ${amongTexts} ORDER BY 1
  ON CONFLICT (code) DO UPDATE SET day = excluded.day WHERE kept.day < excluded.day`

const hoursToDays = (amongTexts: string) => `WITH old AS (
    SELECT key_id, period, operation, outcome FROM usage
    WHERE key_id ${amongTexts} AND length(period) > 10 AND period < $2 LIMIT $3
  ), hours AS (
    DELETE FROM usage USING old
    WHERE (usage.key_id, usage.period, usage.operation, usage.outcome)
      = (old.key_id, old.period, old.operation, old.outcome)
    RETURNING usage.key_id, usage.period, usage.operation, usage.outcome, usage.calls
  ), days AS (
    INSERT INTO usage (key_id, period, operation, outcome, calls)
    SELECT key_id, left(period, 10), operation, outcome, sum(calls) FROM hours GROUP BY 1, 2, 3, 4
    ON CONFLICT (key_id, period, operation, outcome)
    DO UPDATE SET calls = usage.calls + excluded.calls
  ) SELECT 1 FROM hours`
