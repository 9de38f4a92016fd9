import type { Dialect } from "../../sql/database.ts"

export const dialect: Dialect = {
  each(list, type) {
    const text = `json_array_elements_text(${list}::json)`
    return `SELECT ${type === "bytea" ? dialect.bytes(text) : `${text}::${type}`}`
  },
  // An array is computed once; a list of rows could make the planner read a whole table.
  among: (list, type) => `= ANY (ARRAY(${dialect.each(list, type)}))`,
  rows: (columns) => `json_to_recordset($1::json) AS new (${columns})`,
  bytes: (digits) => `decode(${digits}, 'hex')`,
  newVersion: "gen_random_uuid()",
  lock: (words) => words,
}
