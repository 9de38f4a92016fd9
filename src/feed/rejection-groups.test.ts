import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { unknownAccount, unknownItem } from "../domain/feed/feed-record.ts"
import { problem } from "../domain/values/problems/problem.ts"
import { createRejectionGroups, groupsMax, type RejectedLine } from "./rejection-groups.ts"

const missing = (field: string) => problem(field, "missing")
const item = (line: number, identity: string, ...problems: RejectedLine["problems"]) => ({
  line,
  type: "item",
  identity,
  problems,
  because: null,
})

describe("kinds", () => {
  test("equal problems are one group, with its count and its first three lines", () => {
    const groups = createRejectionGroups()
    groups.add(item(3, "7", missing("demo_link")))
    groups.add(item(5, "8", missing("version"), missing("demo_link")))
    for (const line of [6, 7]) groups.add(item(line, "9", missing("demo_link")))
    groups.add({ line: 8, problems: [missing("demo_link")], because: null })
    const group = { ...missing("demo_link"), cause: "itself" } as const
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
      groups.add({ line, type: "purchase", problems: [unknownItem(id)], because: null })
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

test("the number of kinds is bounded, but consequences are never dropped", () => {
  const groups = createRejectionGroups()
  for (let line = 1; line <= 3_000; line += 1) groups.add(item(line, "7", missing(`x${line}`)))
  const problems = [unknownItem(7)] as const
  const because = groups.findCause(problems[0].missing)
  groups.add({ line: 3_001, type: "purchase", problems, because })
  const { groups: listed, otherKinds, otherProblems } = groups.summarize()
  expect([listed.length, otherKinds, otherProblems]).toEqual([20, 981, 2_981])
  expect(listed.at(-1)).toMatchObject({
    cause: "another line",
    lines: 1,
    samples: [{ line: 3_001 }],
  })
})

describe("causes and consequences", () => {
  test("a record that needs a rejected one is listed below the causes, even if it is more frequent", () => {
    const groups = createRejectionGroups()
    groups.add({
      line: 1,
      type: "account",
      identity: "ada",
      problems: [missing("email")],
      because: null,
    })
    const noAda = unknownAccount("ada", "author")
    const because = groups.findCause(noAda.missing)
    expect(because).toEqual({ line: 1, type: "account", identity: "ada" })
    for (const line of [2, 3]) {
      groups.add({ line, type: "item", identity: `${line}`, problems: [noAda], because })
    }
    expect(groups.findCause(unknownItem(2).missing)).toMatchObject({ line: 2 })
    expect(groups.findCause(unknownAccount("bob").missing)).toBeNull()
    expect(groups.findCause(undefined)).toBeNull()
    expect(
      groups.summarize().groups.map(({ cause, field, lines }) => [cause, field, lines]),
    ).toEqual([
      ["itself", "email", 1],
      ["another line", "author", 2],
    ])
  })

  test("a shortened identity is found", () => {
    const name = "x".repeat(200)
    const groups = createRejectionGroups()
    const identity = `${"x".repeat(100)}…`
    groups.add({ line: 4, type: "account", identity, problems: [missing("email")], because: null })
    expect(groups.findCause(unknownAccount(name).missing)).toMatchObject({ line: 4 })
  })

  test("beyond the limit of rejected records, the cause is unknown", () => {
    const groups = createRejectionGroups(2)
    for (const id of [1, 2, 3]) groups.add(item(id, `${id}`, missing("version")))
    const causes = [2, 3, 4].map((id) => groups.findCause(unknownItem(id).missing))
    expect(causes).toEqual([{ line: 2, type: "item", identity: "2" }, "unknown", "unknown"])
    const [, , unknown] = causes
    const problems = [unknownItem(4)] as const
    groups.add({ line: 9, type: "purchase", problems, because: unknown ?? null })
    expect(groups.summarize().groups.map(({ cause }) => cause)).toEqual(["itself", "unknown"])
  })
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
      const groups = createRejectionGroups(10)
      let problems = 0
      const linesOf = { itself: 0, "another line": 0, unknown: 0 }
      for (const [at, { type, identity, own, needs }] of lines.entries()) {
        const rejections: RejectedLine["problems"] = needs === null ? own : [unknownItem(needs)]
        const because = groups.findCause(rejections[0].missing)
        linesOf[because === null ? "itself" : because === "unknown" ? "unknown" : "another line"] +=
          1
        problems += new Set(rejections.map(({ field, code }) => `${field} ${code}`)).size
        groups.add({ line: at + 1, type, identity, problems: rejections, because })
      }
      const summary = groups.summarize()
      const counted = summary.groups.reduce((total, group) => total + group.lines, 0)
      expect(counted + summary.otherProblems).toBe(problems)
      for (const cause of ["another line", "unknown"] as const) {
        const below = summary.groups.filter((group) => group.cause === cause)
        expect(below.reduce((total, group) => total + group.lines, 0)).toBe(linesOf[cause])
      }
      expect(summary.groups.length).toBeLessThanOrEqual(groupsMax)
      expect(summary.otherKinds > 0).toBe(summary.otherProblems > 0)
    }),
  )
})
