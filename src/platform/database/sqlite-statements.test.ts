import { Database } from "bun:sqlite"
import { afterAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../../tests/harness/full-test-run.ts"
import { createStatements } from "./sqlite-connection.ts"
import { joinSql, rawSql, sql, tuples } from "./statement.ts"

const connection = new Database(":memory:", { strict: true })
afterAll(() => connection.close())
const { query } = createStatements(connection)

describe("a statement", () => {
  test("binds each value where it stands", () => {
    fc.assert(
      fc.property(fc.array(fc.uuid(), { minLength: 1, maxLength: 20 }), (values) => {
        const columns = values.map((value) => sql`${value}`)
        expect(query(tuples`SELECT ${joinSql(columns, ", ")}`)).toEqual([values])
      }),
      { numRuns: propertyRuns(100) },
    )
  })

  test("does not change a JSON path", () => {
    const body = '{"email":"ada@example.com"}'
    expect(query`SELECT json_extract(${body}, '$.email') AS found`).toEqual([
      { found: "ada@example.com" },
    ])
  })

  test("returns fields in camelCase, booleans for names such as isHidden, and null", () => {
    const columns = rawSql("1 AS is_hidden, 0 AS has_pending, NULL AS is_by_feed, 1 AS issued")
    const row = { isHidden: true, hasPending: false, isByFeed: null, issued: 1 }
    expect(query`SELECT ${columns} UNION ALL SELECT ${columns}`).toEqual([row, row])
  })

  test("returns tuples, also with columns of one name", () => {
    expect(query(tuples`SELECT 1 AS is_hidden, ${"a"} AS name, 'b' AS name`)).toEqual([
      [true, "a", "b"],
    ])
  })
})
