import { Database } from "bun:sqlite"
import { afterAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../../../tests/harness/full-test-run.ts"
import { createStatements } from "./connection.ts"

const connection = new Database(":memory:", { strict: true })
afterAll(() => connection.close())
const { prepare, query } = createStatements(connection)

describe("a statement", () => {
  test("binds values by number, in any order and any number of times", () => {
    const parameters = fc.integer({ min: 1, max: 12 })
    fc.assert(
      fc.property(fc.array(parameters, { minLength: 1, maxLength: 20 }), (numbers) => {
        const columns = numbers.map((number, at) => `$${number} AS c${at}`)
        const values = Array.from({ length: Math.max(...numbers) }, (_, at) => `value ${at + 1}`)
        const row = prepare<Record<string, string>, string[]>(`SELECT ${columns}`).get(...values)
        expect(Object.values(row ?? {})).toEqual(numbers.map((number) => `value ${number}`))
      }),
      { numRuns: propertyRuns(100) },
    )
  })

  test("does not change a JSON path", () => {
    const find = prepare<{ found: string }, [string]>("SELECT json_extract($1, '$.email') AS found")
    expect(find.get('{"email":"ada@example.com"}')).toEqual({ found: "ada@example.com" })
  })

  test("is prepared once", () => {
    const first = prepare("SELECT 'first'")
    for (let other = 0; other < 100; other += 1) prepare(`SELECT ${other}`)
    expect(prepare("SELECT 'first'")).toBe(first)
  })

  test("returns booleans for columns with names such as isHidden, and keeps null", () => {
    const columns = `1 AS "isHidden", 0 AS "hasPending", NULL AS "isByFeed", 1 AS issued, 0 AS "asOf"`
    const row = { isHidden: true, hasPending: false, isByFeed: null, issued: 1, asOf: 0 }
    expect(query(`SELECT ${columns} UNION ALL SELECT ${columns}`)).toEqual([row, row])
  })
})
