import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Problem, problem } from "../platform/problem.ts"
import { unknownAccount, unknownItem } from "./feed-record.ts"
import { createRejectionGroups, groupsMax, type LineProblems } from "./rejections.ts"

const missing = (field: string) => problem(field, "missing")
const item = (line: number, identity: string, ...problems: LineProblems["problems"]) => ({
  line,
  type: "item",
  identity,
  problems,
})

describe("kinds", () => {
  test("equal problems are one group, with its count and its first three lines", () => {
    const groups = createRejectionGroups()
    groups.add(item(3, "7", missing("demo_link")))
    groups.add(item(5, "8", missing("version"), missing("demo_link")))
    for (const line of [6, 7]) groups.add(item(line, "9", missing("demo_link")))
    groups.add({ line: 8, problems: [missing("demo_link")] })
    const group = missing("demo_link")
    const lineOf = (line: number, identity: string | null) => ({ line, identity })
    expect(groups.summarize()).toEqual({
      groups: [
        {
          ...group,
          type: "item",
          lines: 4,
          samples: [lineOf(3, "7"), lineOf(5, "8"), lineOf(6, "9")],
        },
        { ...group, type: "item", field: "version", lines: 1, samples: [lineOf(5, "8")] },
        { ...group, type: null, lines: 1, samples: [lineOf(8, null)] },
      ],
      otherKinds: 0,
      otherProblems: 0,
    })
  })

  test("failures that differ only in values are counted together", () => {
    const groups = createRejectionGroups()
    const sale = (line: number, id: number) =>
      groups.add({ line, type: "purchase", problems: [unknownItem(id)] })
    sale(1, 7)
    sale(2, 8)
    groups.add(item(3, "1", missing("media.screenshots[0]"), missing("media.screenshots[12]")))
    expect(groups.summarize().groups.map(({ field, code, lines }) => [field, code, lines])).toEqual(
      [
        ["item_id", "unknown_item", 2],
        ["media.screenshots[]", "missing", 1],
      ],
    )
  })
})

test("the number of kinds is bounded", () => {
  const groups = createRejectionGroups()
  for (let line = 1; line <= 3_000; line += 1) groups.add(item(line, "7", missing(`x${line}`)))
  const { groups: listed, otherKinds, otherProblems } = groups.summarize()
  expect([listed.length, otherKinds, otherProblems]).toEqual([20, 980, 2_980])
})

test("a line names the first rejected line with the record that it needs", () => {
  const groups = createRejectionGroups()
  const name = "x".repeat(200)
  const identity = `${"x".repeat(100)}…`
  const ada = { line: 1, type: "account", identity: "ada" }
  const long = { line: 2, type: "account", identity }
  for (const line of [ada, { ...ada, line: 9 }, long])
    expect(groups.add({ ...line, problems: [missing("email")] }).because).toBeUndefined()
  const findCause = (problem: Problem) => groups.add(item(3, "7", problem)).because
  expect(findCause(unknownAccount("ada", "author"))).toEqual(ada)
  expect(findCause(unknownAccount(name))).toEqual(long)
  expect(findCause(unknownItem(7))).toEqual({ line: 3, type: "item", identity: "7" })
  expect(findCause(unknownAccount("bob"))).toBeUndefined()
})

test("property: the counts add up to all problems, in at most twenty groups", () => {
  const anyProblem = fc.record({
    field: fc.oneof(fc.constantFrom("a", "b"), fc.nat(60).map(String)),
    code: fc.constantFrom("missing" as const, "not_a_number" as const),
    params: fc.constant({}),
  })
  const line = fc.record({
    type: fc.constantFrom("account", "item", "purchase"),
    identity: fc.nat(20).map(String),
    own: fc.tuple(anyProblem, anyProblem, anyProblem),
    needs: fc.option(fc.nat(20)),
  })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 200 }), (lines) => {
      const groups = createRejectionGroups()
      let problems = 0
      for (const [at, { type, identity, own, needs }] of lines.entries()) {
        const rejections: LineProblems["problems"] = needs === null ? own : [unknownItem(needs)]
        problems += new Set(rejections.map(({ field, code }) => `${field} ${code}`)).size
        groups.add({ line: at + 1, type, identity, problems: rejections })
      }
      const summary = groups.summarize()
      const counted = summary.groups.reduce((total, group) => total + group.lines, 0)
      expect(counted + summary.otherProblems).toBe(problems)
      expect(summary.groups.length).toBeLessThanOrEqual(groupsMax)
      expect(summary.otherKinds > 0).toBe(summary.otherProblems > 0)
    }),
  )
})
