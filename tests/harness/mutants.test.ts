import { expect, test } from "bun:test"
import { applyMutant, listMutants } from "./mutants.ts"

const mutated = (source: string) =>
  listMutants("a.ts", source).map((mutant) => applyMutant(source, mutant))

test("operators, conditions, numbers, truths and statements are changed, one at a time", () => {
  expect(mutated("a(b < 3)")).toEqual([";", "a(b <= 3)", "a(b >= 3)", "a(b < 4)"])
  expect(mutated("if (!a) throw b")).toEqual([
    "if (true) throw b",
    "if (false) throw b",
    "if ((a)) throw b",
    "if (!a) ;",
  ])
  expect(mutated("const a = b ?? true")).toEqual([
    "const a = b",
    "const a = true",
    "const a = b ?? false",
  ])
})

test("types and imports are left alone", () => {
  expect(mutated('import { a } from "./a.ts"\ntype B = 1 | true\nexport const c: B = a')).toEqual(
    [],
  )
})
