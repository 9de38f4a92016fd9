import { expect, test } from "bun:test"
import { finding, type Report, renderJson, renderMarkdown, replaceSections } from "./report.ts"

const findings = [
  finding("answers", { atLeast: 2, because: "the limit itself is at 3" }, "×", 1.5),
  finding("queries", { atMost: 8 }, "", 8),
]
const report: Report = {
  measuredAt: new Date("2026-11-15T22:29:53Z"),
  machine: "a machine",
  program: { version: "1.2.3", commit: "abc1234", hasChanges: true },
  command: "npm run bench -- full",
  sections: [
    { name: "part", title: "A part", seconds: 1, strangers: 0, findings, laps: [], notes: [] },
  ],
}

test("a report names the version, the commit and uncommitted changes", () => {
  const { hasChanges: _, ...program } = report.program
  const committed = { ...report, program: { ...program, hasChanges: false } }
  expect(renderMarkdown(report)).toMatch(
    /1\.2\.3, .*abc1234 .*`npm run bench -- full`, 2026-11-15T22:29Z, .*a machine/,
  )
  expect(renderMarkdown(report)).not.toBe(renderMarkdown(committed))
  expect(JSON.parse(renderJson(report))).toMatchObject({ program: report.program })
})

test("a target has its verdict, and its reason below the table", () => {
  const text = renderMarkdown(report)
  expect(text).toMatch(/\| answers +\| ≥ 2 × +\| 1\.50 × +\| +\| \*\*\w+\*\* +\|/)
  expect(text).toMatch(/\| queries +\| ≤ 8 +\| 8 +\| +\| \w+ +\|/)
  expect(text).toMatch(/^- .*≥ 2 × \(answers\): the limit itself is at 3\.$/m)
})

test("parts that are measured again take the place of the older ones, and say of which commit they are", () => {
  const section = {
    title: "A part",
    seconds: 1,
    strangers: 0,
    findings,
    laps: [],
    notes: ["quiet"],
  }
  const again = {
    program: { ...report.program, commit: "def5678" },
    sections: [
      { ...section, name: "part" },
      { ...section, name: "first" },
    ],
  }
  const old = { ...section, name: "last" }
  const replaced = replaceSections({ ...report, sections: [...report.sections, old] }, again, [
    "first",
    "part",
    "other",
    "last",
  ])
  const notes = ["quiet", expect.stringContaining("def5678")]
  expect(replaced.sections.map(({ name, notes }) => ({ name, notes }))).toEqual([
    { name: "first", notes },
    { name: "part", notes },
    { name: "last", notes: ["quiet"] },
  ])
  expect(replaced.program).toEqual(report.program)
})
