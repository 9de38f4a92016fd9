import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { allOf, joinSql, rawSql, render, sql, toFieldName } from "./sql.ts"

describe("a statement", () => {
  test("has its values as parameters", () => {
    const statement = sql`SELECT ${"a"} WHERE id = ${1} AND name IS ${null}`
    expect(render(statement)).toEqual({
      text: "SELECT $1 WHERE id = $2 AND name IS $3",
      values: ["a", 1, null],
      isTuples: false,
    })
  })

  test("contains other statements, whose values are numbered with its own", () => {
    const condition = (name: string) => sql`name = ${name}`
    const conditions = allOf([condition("x"), null, sql`id > ${7}`])
    expect(render(sql`SELECT ${0} FROM t WHERE ${conditions} LIMIT ${9}`)).toEqual({
      text: "SELECT $1 FROM t WHERE name = $2 AND id > $3 LIMIT $4",
      values: [0, "x", 7, 9],
      isTuples: false,
    })
    expect([allOf([]), joinSql([], ", ")].map(String)).toEqual(["true", ""])
  })

  test("never has a value in its text", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (values) => {
        const list = joinSql(
          values.map((value) => sql`${value}`),
          ", ",
        )
        const rendered = render(sql`SELECT ${list}`)
        expect(rendered.values).toEqual(values)
        expect(rendered.text).toBe(`SELECT ${values.map((_, at) => `$${at + 1}`).join(", ")}`)
      }),
    )
  })

  test("is part of a text only without values", () => {
    expect(`${rawSql("FOR UPDATE")}`).toBe("FOR UPDATE")
    expect(() => `${sql`id = ${1}`}`).toThrow("values")
  })
})

test("a column is a field in camelCase", () => {
  expect(["id", "is_hidden", "last_used_at", "ends_at_ms"].map(toFieldName)).toEqual([
    ...["id", "isHidden", "lastUsedAt", "endsAtMs"],
  ])
})
