import type { Dialect } from "../../sql/database.ts"

export const dialect: Dialect = {
  each: (list, type) =>
    `SELECT ${type === "bytea" ? dialect.bytes("value") : "value"} FROM json_each(${list})`,
  among: (list, type) => `IN (${dialect.each(list, type)})`,
  rows(columns) {
    const members = columns.replace(/"?(\w+)"? \w+/g, "value ->> '$1' AS \"$1\"")
    return `(SELECT ${members} FROM json_each($1)) AS new`
  },
  bytes: (digits) => `unhex(${digits})`,
  newVersion: "hex(randomblob(9))",
  lock: () => "",
}
