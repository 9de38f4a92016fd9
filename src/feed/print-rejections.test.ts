import { describe, expect, test } from "bun:test"
import { describe as describeProblem, message, problem } from "../platform/problem.ts"
import { unknownItem } from "./feed-record.ts"
import type { RunOutcome } from "./import-run.ts"
import {
  createRejectionPrinter,
  describeFileLine,
  renderRejectedLine,
  renderRejectionSummary,
} from "./load-feed-commands.ts"
import type { RejectedLine, RejectionGroup } from "./rejections.ts"

const rejected = (line: number): RejectedLine => ({
  line,
  type: "item",
  identity: `${line}`,
  problems: [problem("version", "missing")],
})
const group = (changes: Partial<RejectionGroup>): RejectionGroup => ({
  type: "item",
  ...problem("version", "missing"),
  lines: 1,
  samples: [{ line: 1, identity: "7" }],
  ...changes,
})
const outcomeOf = (rejected: number, rejections: Partial<RunOutcome["rejections"]>) => ({
  counts: { accepted: 0, adjusted: 0, waiting: 0, rejected, removed: 0 },
  rejections: { groups: [], otherKinds: 0, otherProblems: 0, ...rejections },
})

function printAll(lines: number): readonly string[] {
  const printed: string[] = []
  const printer = createRejectionPrinter(
    { printStderr: (line) => printed.push(line) },
    describeFileLine,
    "lines",
  )
  for (let line = 1; line <= lines; line += 1) printer.print(rejected(line))
  printer.printSummary(outcomeOf(lines, { groups: [group({ lines })] }))
  return printed
}

test("twenty rejections are printed line by line", () => {
  const printed = printAll(20)
  expect([printed.length, printed.at(-1)]).toEqual([20, "line 20: item 20: version: is missing"])
})

test("more than twenty rejections are summarized", () => {
  expect(printAll(1_021).slice(19)).toEqual([
    "line 20: item 20: version: is missing",
    "further rejected lines are summarized at the end",
    "1,021 lines were rejected:",
    "  1,021 × item: version: is missing (first: line 1, item 7)",
  ])
})

describe("a rejected line", () => {
  test("names the line that it needs", () => {
    const because = { line: 12, type: "item", identity: "7" } as const
    const problems = [unknownItem(7)] as const
    const rejected = { line: 30, type: "purchase", identity: "a-b", problems, because } as const
    expect(renderRejectedLine(rejected, describeFileLine)).toBe(
      `line 30: purchase a-b: item_id: ${describeProblem(message("unknown_item", { id: 7 }))} (line 12 was rejected)`,
    )
    expect(renderRejectedLine(rejected, (line) => `row ${line - 10}`)).toBe(
      `row 20: purchase a-b: item_id: ${describeProblem(message("unknown_item", { id: 7 }))} (row 2 was rejected)`,
    )
  })

  test("without a record has its number only", () => {
    const problems = [problem("record", "invalid_json")] as const
    expect(renderRejectedLine({ line: 3, problems }, describeFileLine)).toBe(
      "line 3: record: is not valid JSON",
    )
  })
})

test("a summary counts the problems that it does not list", () => {
  const groups = [
    group({ lines: 15_000 }),
    group({ type: null, samples: [{ line: 1, identity: null }] }),
  ]
  const outcome = outcomeOf(15_020, { groups, otherKinds: 5, otherProblems: 26 })
  expect(renderRejectionSummary(outcome, describeFileLine, "lines")).toEqual([
    "15,020 lines were rejected:",
    "  15,000 × item: version: is missing (first: line 1, item 7)",
    "       1 × version: is missing (first: line 1)",
    "and 5 more kinds of problems",
  ])
})
