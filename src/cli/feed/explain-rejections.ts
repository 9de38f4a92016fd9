/** Prints what was rejected: the first lines one by one, many of them summed up; and writes the file of `--report`. */
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from "node:fs"
import type {
  FeedCounts,
  FeedOrigin,
  RejectionGroup,
  RunOutcome,
} from "../../domain/feed/import-run.ts"
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

/** About a screen. */
const explainedMax = 20

type Refusals = Pick<RunOutcome, "rejections"> & Readonly<{ counts: Pick<FeedCounts, "rejected"> }>

/** Names a line of the feed for the operator: `line 3`, or the row that it was made of. */
export type DescribeLine = (line: number) => string

export const describeFileLine: DescribeLine = (line) => `line ${line}`

/** The parts of a feed, as the operator calls them. */
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
    explain(refused: RejectedLine): void {
      rejections += 1
      if (rejections <= explainedMax) printStderr(renderRejectedLine(refused, nameLine))
      else if (rejections === explainedMax + 1)
        printStderr(`More refused ${unit} are summed up at the end.`)
    },
    addDefaulted(line: DefaultedLine): void {
      const [first, ...others] = line.problems
      if (first === undefined) return
      defaulted += 1
      defaults.add({ ...line, problems: [first, ...others], because: null })
    },
    /** Called once, at the end. */
    sumUp(outcome: Refusals): void {
      if (rejections > explainedMax) {
        for (const line of renderRejectionSummary(outcome, nameLine, unit)) printStderr(line)
      }
      if (defaulted === 0) return
      const { groups } = defaults.summarise()
      const records = defaulted === 1 ? "record was" : "records were"
      printStderr(`${formatCount(defaulted)} ${records} taken without members that cannot be used:`)
      for (const group of groups) printStderr(describeGroup(group, digitsOf(groups), nameLine))
      printStderr("They have defaults, or in a patch the values they had (docs/shop-data.md).")
    },
  }
}

/** `line 3: item 1229: price.regular: must be a number; version: is missing` */
export function renderRejectedLine(refused: RejectedLine, nameLine: DescribeLine): string {
  const { line, type, identity, problems, because } = refused
  const record = [type, identity].filter((part) => part !== undefined).join(" ")
  const reasons = problems.map((each) => `${each.field}: ${describe(en, each)}`).join("; ")
  const cause =
    because === null || because === "unknown" ? "" : ` (${nameLine(because.line)} was refused)`
  return [nameLine(line), ...(record === "" ? [] : [record]), reasons + cause].join(": ")
}

export function renderRejectionSummary(
  { counts, rejections }: Refusals,
  nameLine: DescribeLine,
  unit: FeedUnit,
): readonly string[] {
  const { groups, otherKinds, otherProblems } = rejections
  const digits = digitsOf(groups)
  const ofCause = (wanted: RejectionGroup["cause"]) =>
    groups.filter(({ cause }) => cause === wanted)
  const [needy, unknown] = [ofCause("another line"), ofCause("unknown")]
  const own = counts.rejected - linesOf(needy) - linesOf(unknown)
  const sections = [
    [own, "for problems of their own:", ofCause("itself")],
    [linesOf(needy), "only because a record that they need was refused:", needy],
    [linesOf(unknown), "because a record that they need was refused, or never came:", unknown],
  ] as const
  return [
    counts.rejected === 1
      ? `1 ${unit.slice(0, -1)} was refused:`
      : `${formatCount(counts.rejected)} ${unit} were refused:`,
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

/** Of groups whose lines have one problem each. */
const linesOf = (groups: readonly RejectionGroup[]) =>
  groups.reduce((total, { lines }) => total + lines, 0)

/** `  15,992 × item: demo_link: is missing (first: line 4, item 7)` */
function describeGroup(group: RejectionGroup, digits: number, nameLine: DescribeLine): string {
  const { type, field, lines, firstLine, firstIdentity } = group
  const first = firstIdentity === null ? "" : `, ${type} ${firstIdentity}`
  const place = `(first: ${nameLine(firstLine)}${first})`
  const problem = [...(type === null ? [] : [type]), field, describe(en, group)].join(": ")
  return `  ${formatCount(lines).padStart(digits)} × ${problem} ${place}`
}

/** Writes the file of `--report`; nothing where `path` is null. */
export function openRejectionReport(path: string | null) {
  const file = openOwn(path)
  const decoder = new TextDecoder()
  return {
    write(
      { line, type, identity, problems, because }: RejectedLine,
      bytes: Uint8Array | null,
    ): void {
      if (file === null) return
      const cause = because === null || because === "unknown" ? undefined : because
      const refused = { line, type, identity, problems: listProblems(problems), because: cause }
      const record = bytes === null ? undefined : decoder.decode(bytes)
      // JSON leaves out what is undefined.
      writeSync(file, `${JSON.stringify({ ...refused, record })}\n`)
    },
    close(): void {
      if (file !== null) closeSync(file)
    },
  }
}

/** Only its owner may read it: it holds names and purchase codes. */
function openOwn(path: string | null): number | null {
  if (path === null) return null
  const file = openSync(path, "w", 0o600)
  // The mode above is for a new file only; /dev/null and pipes keep theirs.
  if (fstatSync(file).isFile()) fchmodSync(file, 0o600)
  return file
}
