import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Dialect, hasSemicolon, splitAtSince } from "./select-text.ts"

const dialects: readonly Dialect[] = ["mysql", "postgres", "sqlite"]

test.each(dialects)("%s: every :since is found", (dialect) => {
  const sql = "SELECT a FROM t WHERE b >= :since OR (:since < c)"
  expect(splitAtSince(sql, dialect)).toEqual(["SELECT a FROM t WHERE b >= ", " OR (", " < c)"])
})

describe("is no parameter", () => {
  const everywhere = [
    "SELECT ':since'",
    "SELECT 'it''s :since'",
    'SELECT 1 AS ":since"',
    "SELECT 1 -- :since",
    "SELECT /* :since */ 1",
    "SELECT a:sincerely",
    "SELECT :since_then",
    "SELECT 1",
  ]
  test.each([
    ...dialects.flatMap((dialect) => everywhere.map((sql) => [dialect, sql] as const)),
    ["mysql", "SELECT 'it\\'s :since'"],
    ["mysql", 'SELECT "\\":since"'],
    ["mysql", "SELECT `:since`"],
    ["mysql", "SELECT 1 # :since"],
    ["postgres", "SELECT a::since"],
    ["postgres", "SELECT E'it\\'s :since'"],
    ["postgres", "SELECT $$ :since $$, $a$ $$ :since $a$"],
    ["postgres", "SELECT 1 /* a /* b */ :since */"],
    ["sqlite", "SELECT [:since]"],
  ] as const)("%s: %s", (dialect, sql) => {
    expect(splitAtSince(sql, dialect)).toEqual([sql])
  })
})

test("a backslash ends no string of PostgreSQL or SQLite", () => {
  const sql = "SELECT 'c:\\' WHERE a > :since"
  for (const dialect of ["postgres", "sqlite"] as const) {
    expect(splitAtSince(sql, dialect)).toEqual(["SELECT 'c:\\' WHERE a > ", ""])
  }
})

test("whatever a string, name or comment holds, the parameters around it are found", () => {
  const quoted = (quote: string) =>
    fc
      .string({ maxLength: 10 })
      .map((text) => text.replaceAll("\\", "").replaceAll(quote, quote + quote))
      .map((text) => `${quote}${text}:since${quote}`)
  const comment = fc.stringMatching(/^[a-z '"$:]{0,10}$/).map((text) => `/*${text}:since*/`)
  const token = fc.oneof(quoted("'"), quoted('"'), comment, fc.constant(" , a"))
  const part = fc.array(token, { maxLength: 4 }).map((tokens) => ` ${tokens.join(" ")} `)
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...dialects),
      (parts, dialect) => {
        expect(splitAtSince(parts.join(":since"), dialect)).toEqual(parts)
      },
    ),
  )
})

test("any text at all comes back whole", () => {
  const piece = fc.constantFrom(
    ":since",
    "'",
    '"',
    "`",
    "[",
    "$$",
    "$a$",
    "/*",
    "*/",
    "--",
    "\n",
    "\\",
    "E",
    "#",
    " x ",
  )
  fc.assert(
    fc.property(fc.array(piece), fc.constantFrom(...dialects), (pieces, dialect) => {
      expect(splitAtSince(pieces.join(""), dialect).join(":since")).toBe(pieces.join(""))
    }),
  )
})

test.each(dialects)("%s: a semicolon counts outside strings and comments only", (dialect) => {
  expect(hasSemicolon("SELECT 1; DROP TABLE t", dialect)).toBe(true)
  expect(hasSemicolon("SELECT ';', 1 AS \";\" /* ; */ -- ;", dialect)).toBe(false)
})
