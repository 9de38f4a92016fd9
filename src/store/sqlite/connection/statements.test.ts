import { Database } from "bun:sqlite"
import { afterAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../../../tests/harness/full-test-run.ts"
import { rawSql, tuples } from "../../sql/statement.ts"
import { createStatements } from "./connection.ts"

const connection = new Database(":memory:", { strict: true })
afterAll(() => connection.close())
const { query } = createStatements(connection)

describe("a statement", () => {
  test("binds values by number, in any order and any number of times", () => {
    const parameters = fc.integer({ min: 1, max: 12 })
    fc.assert(
      fc.property(fc.array(parameters, { minLength: 1, maxLength: 20 }), (numbers) => {
        const columns = numbers.map((number, at) => `$${number} AS c${at}`)
        const values = Array.from({ length: Math.max(...numbers) }, (_, at) => `value ${at + 1}`)
        const [row] = query<Record<string, string>>(`SELECT ${columns}`, values)
        expect(Object.values(row ?? {})).toEqual(numbers.map((number) => `value ${number}`))
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
