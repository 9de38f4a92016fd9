/** Prints rejected lines: the first ones singly, many of them as a summary. Also writes the file of `--report`. */
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from "node:fs"
import type {
  FeedCounts,
  FeedOrigin,
  RejectionGroup,
  RunOutcome,
} from "../../domain/feed/feed-store.ts"
import { en } from "../../domain/values/problems/en.ts"
import { describe } from "../../domain/values/problems/problem.ts"
import { formatCount } from "../../domain/values/text.ts"
import {
  createRejectionGroups,
  type DefaultedLine,
  listProblems,
  type RejectedLine,
} from "../../feed/rejection-groups.ts"
import type { CommandContext } from "../framework/command.ts"

const printedMax = 20

type RejectionOutcome = Pick<RunOutcome, "rejections"> &
  Readonly<{ counts: Pick<FeedCounts, "rejected"> }>

/** Names a line of the feed: `line 3`, or for a pull the row that it was created from. */
export type DescribeLine = (line: number) => string

export const describeFileLine: DescribeLine = (line) => `line ${line}`

export type FeedUnit = "lines" | "rows"

export const unitOf = (via: FeedOrigin["via"]): FeedUnit => (via === "pull" ? "rows" : "lines")

export function createRejectionPrinter(
  { printStderr }: Pick<CommandContext, "printStderr">,
  nameLine: DescribeLine,
  unit: FeedUnit,
) {
  let rejections = 0
  let defaulted = 0
  const defaults = createRejectionGroups()
  return {
    print(rejected: RejectedLine): void {
      rejections += 1
      if (rejections <= printedMax) printStderr(renderRejectedLine(rejected, nameLine))
      else if (rejections === printedMax + 1)
        printStderr(`further rejected ${unit} are summarized at the end`)
    },
    addDefaulted(line: DefaultedLine): void {
      const [first, ...others] = line.problems
      if (first === undefined) return
      defaulted += 1
      defaults.add({ ...line, problems: [first, ...others], because: null })
    },
    /** Called once, at the end. */
    printSummary(outcome: RejectionOutcome): void {
      if (rejections > printedMax) {
        for (const line of renderRejectionSummary(outcome, nameLine, unit)) printStderr(line)
      }
      if (defaulted === 0) return
      const { groups } = defaults.summarize()
      const records = defaulted === 1 ? "record was" : "records were"
      printStderr(`${formatCount(defaulted)} ${records} imported without invalid fields:`)
      for (const group of groups) printStderr(describeGroup(group, digitsOf(groups), nameLine))
      printStderr(
        "these fields got defaults, or in a patch kept their values; see docs/shop-data.md",
      )
    },
  }
}

/** `line 3: item 1229: price.regular: must be a number; version: is missing` */
export function renderRejectedLine(rejected: RejectedLine, nameLine: DescribeLine): string {
  const { line, type, identity, problems, because } = rejected
  const record = [type, identity].filter((part) => part !== undefined).join(" ")
  const reasons = problems.map((each) => `${each.field}: ${describe(en, each)}`).join("; ")
  const cause =
    because === null || because === "unknown" ? "" : ` (${nameLine(because.line)} was rejected)`
  return [nameLine(line), ...(record === "" ? [] : [record]), reasons + cause].join(": ")
}

export function renderRejectionSummary(
  { counts, rejections }: RejectionOutcome,
  nameLine: DescribeLine,
  unit: FeedUnit,
): readonly string[] {
  const { groups, otherKinds, otherProblems } = rejections
  const digits = digitsOf(groups)
  const filterByCause = (wanted: RejectionGroup["cause"]) =>
    groups.filter(({ cause }) => cause === wanted)
  const [dependent, unknown] = [filterByCause("another line"), filterByCause("unknown")]
  const own = counts.rejected - linesOf(dependent) - linesOf(unknown)
  const sections = [
    [own, "because of their own problems:", filterByCause("itself")],
    [linesOf(dependent), "only because a record that they need was rejected:", dependent],
    [linesOf(unknown), "because a record that they need was rejected or never sent:", unknown],
  ] as const
  return [
    counts.rejected === 1
      ? `1 ${unit.slice(0, -1)} was rejected:`
      : `${formatCount(counts.rejected)} ${unit} were rejected:`,
    ...sections
      .filter(([, , listed]) => listed.length > 0)
      .flatMap(([lines, heading, listed]) => [
        `${formatCount(lines)} ${heading}`,
        ...listed.map((group) => describeGroup(group, digits, nameLine)),
      ]),
    ...(otherProblems === 0
      ? []
      : [`and ${formatCount(otherKinds)} more ${otherKinds === 1 ? "kind" : "kinds"} of problems`]),
  ]
}

const digitsOf = (groups: readonly RejectionGroup[]) =>
  Math.max(...groups.map(({ lines }) => formatCount(lines).length))

const linesOf = (groups: readonly RejectionGroup[]) =>
  groups.reduce((total, { lines }) => total + lines, 0)

/** `  15,992 × item: demo_link: is missing (first: line 4, item 7)` */
function describeGroup(group: RejectionGroup, digits: number, nameLine: DescribeLine): string {
  const { type, field, lines, samples } = group
  const { line, identity } = samples[0]
  const first = identity === null ? "" : `, ${type} ${identity}`
  const example = `(first: ${nameLine(line)}${first})`
  const problem = [...(type === null ? [] : [type]), field, describe(en, group)].join(": ")
  return `  ${formatCount(lines).padStart(digits)} × ${problem} ${example}`
}

/** Writes the file of `--report`. Does nothing if `path` is null. */
export function openRejectionReport(path: string | null) {
  const file = openPrivateFile(path)
  const decoder = new TextDecoder()
  return {
    write(
      { line, type, identity, problems, because }: RejectedLine,
      bytes: Uint8Array | null,
    ): void {
      if (file === null) return
      const cause = because === null || because === "unknown" ? undefined : because
      const rejected = { line, type, identity, problems: listProblems(problems), because: cause }
      const record = bytes === null ? undefined : decoder.decode(bytes)
      writeSync(file, `${JSON.stringify({ ...rejected, record })}\n`)
    },
    close(): void {
      if (file !== null) closeSync(file)
    },
  }
}

/** The report contains names and purchase codes, so only its owner may read it. */
function openPrivateFile(path: string | null): number | null {
  if (path === null) return null
  const file = openSync(path, "w", 0o600)
  // The mode above applies to new files only. /dev/null and pipes keep their mode.
  if (fstatSync(file).isFile()) fchmodSync(file, 0o600)
  return file
}
