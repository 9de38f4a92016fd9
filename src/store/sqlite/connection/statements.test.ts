import { Database } from "bun:sqlite"
import { afterAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../../../tests/harness/full-test-run.ts"
import { createStatements } from "./statements.ts"

const connection = new Database(":memory:", { strict: true })
afterAll(() => connection.close())
const { prepare, query } = createStatements(connection)

describe("a statement", () => {
  test("takes its values by number, in whatever order and however often they are named", () => {
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

  test("keeps a path into JSON, which has no number behind its sign", () => {
    const find = prepare<{ found: string }, [string]>("SELECT json_extract($1, '$.email') AS found")
    expect(find.get('{"email":"ada@example.com"}')).toEqual({ found: "ada@example.com" })
  })

  test("is prepared once, however many others are prepared meanwhile", () => {
    const first = prepare("SELECT 'first'")
    for (let other = 0; other < 100; other += 1) prepare(`SELECT ${other}`)
    expect(prepare("SELECT 'first'")).toBe(first)
  })

  test("gives booleans for the columns that are named like one, and null stays null", () => {
    const columns = `1 AS "isHidden", 0 AS "hasWaiting", NULL AS "isByFeed", 1 AS issued, 0 AS "asOf"`
    const row = { isHidden: true, hasWaiting: false, isByFeed: null, issued: 1, asOf: 0 }
    expect(query(`SELECT ${columns} UNION ALL SELECT ${columns}`)).toEqual([row, row])
  })
})
