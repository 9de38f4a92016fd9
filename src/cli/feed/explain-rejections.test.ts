import { describe, expect, test } from "bun:test"
import { unknownItem } from "../../domain/feed/feed-record.ts"
import type { RejectionGroup, RunOutcome } from "../../domain/feed/import-run.ts"
import { en } from "../../domain/values/problems/en.ts"
import { problem } from "../../domain/values/problems/problem.ts"
import type { RejectedLine } from "../../feed/rejection-groups.ts"
import {
  createRejectionPrinter,
  describeFileLine,
  renderRejectedLine,
  renderRejectionSummary,
} from "./explain-rejections.ts"

const refused = (line: number): RejectedLine => ({
  line,
  type: "item",
  identity: `${line}`,
  because: null,
  problems: [problem("version", "missing")],
})
const group = (changes: Partial<RejectionGroup>): RejectionGroup => ({
  type: "item",
  ...problem("version", "missing"),
  cause: "itself",
  lines: 1,
  firstLine: 1,
  firstIdentity: "7",
  ...changes,
})
const outcomeOf = (rejected: number, rejections: Partial<RunOutcome["rejections"]>) => ({
  counts: { accepted: 0, adjusted: 0, waiting: 0, rejected, removed: 0 },
  rejections: { groups: [], otherKinds: 0, otherProblems: 0, ...rejections },
})

function tellAll(lines: number): readonly string[] {
  const told: string[] = []
  const explanations = createRejectionPrinter(
    { printStderr: (line) => told.push(line) },
    describeFileLine,
    "lines",
  )
  for (let line = 1; line <= lines; line += 1) explanations.explain(refused(line))
  explanations.sumUp(outcomeOf(lines, { groups: [group({ lines })] }))
  return told
}

test("twenty refusals are told line by line", () => {
  const told = tellAll(20)
  expect([told.length, told.at(-1)]).toEqual([20, "line 20: item 20: version: is missing"])
})

test("the twenty-first and later ones are summed up, all of them", () => {
  expect(tellAll(1_021).slice(19)).toEqual([
    "line 20: item 20: version: is missing",
    "More refused lines are summed up at the end.",
    "1,021 lines were refused:",
    "1,021 for problems of their own:",
    "  1,021 × item: version: is missing (first: line 1, item 7)",
  ])
})

describe("a line", () => {
  test("has the line that it needs", () => {
    const because = { line: 12, type: "item", identity: "7" } as const
    const problems = [unknownItem(7)] as const
    const refused = { line: 30, type: "purchase", identity: "a-b", problems, because } as const
    expect(renderRejectedLine(refused, describeFileLine)).toBe(
      `line 30: purchase a-b: item_id: ${en.unknown_item({ id: 7 })} (line 12 was refused)`,
    )
    expect(renderRejectedLine(refused, (line) => `row ${line - 10}`)).toBe(
      `row 20: purchase a-b: item_id: ${en.unknown_item({ id: 7 })} (row 2 was refused)`,
    )
  })

  test("without a record has its number alone", () => {
    const problems = [problem("record", "invalid_json")] as const
    expect(renderRejectedLine({ line: 3, problems, because: "unknown" }, describeFileLine)).toBe(
      "line 3: record: is not valid JSON",
    )
  })
})

describe("a summary", () => {
  const sale = { type: "purchase", ...problem("item_id", "unknown_item") }
  const consequence = group({ ...sale, cause: "another line", lines: 15_000, firstIdentity: "a" })

  test("has causes apart from consequences", () => {
    const groups = [group({ lines: 714 }), group({ type: null, firstIdentity: null }), consequence]
    const outcome = outcomeOf(15_715, { groups })
    expect(renderRejectionSummary(outcome, describeFileLine, "lines")).toEqual([
      "15,715 lines were refused:",
      "715 for problems of their own:",
      "     714 × item: version: is missing (first: line 1, item 7)",
      "       1 × version: is missing (first: line 1)",
      "15,000 only because a record that they need was refused:",
      `  15,000 × purchase: item_id: ${en.unknown_item({})} (first: line 1, purchase a)`,
    ])
  })

  test("says what it does not know, and what it does not list", () => {
    const unknown = group({ ...sale, cause: "unknown", lines: 3, firstIdentity: "a" })
    const groups = [group({}), unknown]
    const outcome = outcomeOf(30, { groups, otherKinds: 5, otherProblems: 26 })
    expect(renderRejectionSummary(outcome, describeFileLine, "lines")).toEqual([
      "30 lines were refused:",
      "27 for problems of their own:",
      "  1 × item: version: is missing (first: line 1, item 7)",
      "3 because a record that they need was refused, or never came:",
      `  3 × purchase: item_id: ${en.unknown_item({})} (first: line 1, purchase a)`,
      "and 5 more kinds of problems",
    ])
  })
})
