/** The explanations of refused lines that docs/feed.md shows are those that the command writes. */
import { expect, test } from "bun:test"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import {
  createExplanations,
  explainLine,
  lineOfFile,
  openRefusalFiles,
} from "../../src/cli/feed/explain-refusals.ts"
import { unknownItem } from "../../src/domain/feed/feed.ts"
import type { RefusalGroup } from "../../src/domain/feed/import-run.ts"
import type { DefaultedLine, RefusedLine } from "../../src/feed/refusal-groups.ts"
import { temporaryFolder } from "../harness/program.ts"

const page = readFileSync(join(import.meta.dir, "../../docs/feed.md"), "utf8")
const expectShown = (lines: readonly string[]) =>
  expect(page).toContain(`\n\`\`\`\n${lines.join("\n")}\n\`\`\`\n`)

const theme: RefusedLine = {
  line: 12,
  type: "item",
  identity: "1229",
  because: null,
  problems: [
    { member: "price.regular", reason: "is missing" },
    { member: "currency", reason: "must be three letters" },
  ],
}
const patch: RefusedLine = {
  line: 40,
  type: "item",
  identity: "1229",
  problems: [unknownItem(1229, "id")],
  because: { line: 12, type: "item", identity: "1229" },
}

const withBlank: DefaultedLine = {
  line: 3_004,
  type: "item",
  identity: "7",
  problems: [{ member: "demo_link", reason: "holds a blank" }],
}

test("line by line", () => {
  expectShown([explainLine(theme, lineOfFile), explainLine(patch, lineOfFile)])
})

test("in the report", () => {
  const folder = temporaryFolder()
  const path = join(folder, "report.ndjson")
  const files = openRefusalFiles(null, path)
  files.writeRefused(patch)
  files.writeDefaulted(withBlank)
  files.close()
  for (const line of readFileSync(path, "utf8").trimEnd().split("\n")) expectShown([line])
  rmSync(folder, { recursive: true })
})

test("summed up", () => {
  const missing = { reason: "is missing", cause: "itself" } as const
  const groups: readonly RefusalGroup[] = [
    {
      type: "item",
      member: "price.extended",
      ...missing,
      lines: 15_992,
      firstLine: 3_004,
      firstIdentity: "7",
    },
    {
      type: "account",
      member: "registered_at",
      ...missing,
      lines: 714,
      firstLine: 2,
      firstIdentity: "ada",
    },
    {
      type: "item",
      member: "id",
      reason: "there is no such item",
      lines: 1_500,
      cause: "another line",
      firstLine: 43_001,
      firstIdentity: "7",
    },
  ]
  const counts = { accepted: 0, adjusted: 0, waiting: 0, rejected: 18_206, removed: 0 }
  const refusals = { groups, otherKinds: 0, otherProblems: 0 }
  const told: string[] = []
  const explanations = createExplanations({ tell: (line) => told.push(line) }, lineOfFile, "lines")
  for (let line = 1; line <= 21; line += 1) explanations.explain(theme)
  explanations.sumUp({ counts, refusals })
  expectShown(told.slice(told.findIndex((line) => line.startsWith("18,206"))))
})

test("what got defaults, summed up", () => {
  const told: string[] = []
  const explanations = createExplanations({ tell: (line) => told.push(line) }, lineOfFile, "lines")
  const avatar = [{ member: "profile.media.avatar", reason: "is missing" }]
  const lines: readonly (readonly [number, DefaultedLine])[] = [
    [542, { line: 2, type: "account", identity: "ada", problems: avatar }],
    [6_778, withBlank],
  ]
  for (const [times, line] of lines) {
    for (let at = 0; at < times; at += 1) explanations.addDefaulted(line)
  }
  const counts = { accepted: 0, adjusted: 0, waiting: 0, rejected: 0, removed: 0 }
  explanations.sumUp({ counts, refusals: { groups: [], otherKinds: 0, otherProblems: 0 } })
  expectShown(told)
})
