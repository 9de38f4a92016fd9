/**
 * Tells the operator what was refused: the first lines one by one, many of them summed up; and writes the files of
 * `--rejects` and `--report`.
 */
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from "node:fs"
import type {
  FeedCounts,
  FeedOrigin,
  RefusalGroup,
  RunOutcome,
} from "../../domain/feed/import-run.ts"
import {
  createRefusalGroups,
  type DefaultedLine,
  listProblems,
  type RefusedLine,
} from "../../feed/refusal-groups.ts"
import type { CommandContext } from "../frame/command.ts"

/** About a screen. */
const explainedMax = 20

type Refusals = Pick<RunOutcome, "refusals"> & Readonly<{ counts: Pick<FeedCounts, "rejected"> }>

/** Names a line of the feed for the operator: `line 3`, or the row that it was made of. */
export type NameLine = (line: number) => string

export const lineOfFile: NameLine = (line) => `line ${line}`

/** The parts of a feed, as the operator calls them. */
export type FeedUnit = "lines" | "rows"

export const unitOf = (via: FeedOrigin["via"]): FeedUnit => (via === "pull" ? "rows" : "lines")

export function createExplanations(
  { tell }: Pick<CommandContext, "tell">,
  nameLine: NameLine,
  unit: FeedUnit,
) {
  let refusals = 0
  let defaulted = 0
  const defaults = createRefusalGroups()
  return {
    explain(refused: RefusedLine): void {
      refusals += 1
      if (refusals <= explainedMax) tell(explainLine(refused, nameLine))
      else if (refusals === explainedMax + 1) tell(`More refused ${unit} are summed up at the end.`)
    },
    addDefaulted(line: DefaultedLine): void {
      const [first, ...others] = line.problems
      if (first === undefined) return
      defaulted += 1
      defaults.add({ ...line, problems: [first, ...others], because: null })
    },
    /** Called once, at the end. */
    sumUp(outcome: Refusals): void {
      if (refusals > explainedMax) {
        for (const line of summaryLines(outcome, nameLine, unit)) tell(line)
        if (outcome.refusals.groups.some(lacksMember)) tell(useDefaults)
      }
      if (defaulted === 0) return
      const { groups } = defaults.summarise()
      const records = defaulted === 1 ? "record was" : "records were"
      tell(`${formatCount(defaulted)} ${records} taken without members that cannot be used:`)
      for (const group of groups) tell(describe(group, digitsOf(groups), nameLine))
      tell(setDefaults)
    },
  }
}

const lacksMember = ({ type, reason }: RefusalGroup) =>
  type !== null && reason.startsWith("is missing")
const useDefaults =
  "`--defaults FILE` fills in members that are missing; docs/feed.md describes the file."

const setDefaults =
  "They have defaults, or in a patch the values they had; `--defaults FILE` changes the defaults (docs/feed.md)."

/** `line 3: item 1229: price.regular: must be a number; version: is missing` */
export function explainLine(refused: RefusedLine, nameLine: NameLine): string {
  const { line, type, identity, problems, because } = refused
  const record = [type, identity].filter((part) => part !== undefined).join(" ")
  const reasons = problems.map(({ member, reason }) => `${member}: ${reason}`).join("; ")
  const cause =
    because === null || because === "unknown" ? "" : ` (${nameLine(because.line)} was refused)`
  return [nameLine(line), ...(record === "" ? [] : [record]), reasons + cause].join(": ")
}

export function summaryLines(
  { counts, refusals }: Refusals,
  nameLine: NameLine,
  unit: FeedUnit,
): readonly string[] {
  const { groups, otherKinds, otherProblems } = refusals
  const digits = digitsOf(groups)
  const ofCause = (wanted: RefusalGroup["cause"]) => groups.filter(({ cause }) => cause === wanted)
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
        ...listed.map((group) => describe(group, digits, nameLine)),
      ]),
    ...(otherProblems === 0
      ? []
      : [`and ${formatCount(otherKinds)} more ${otherKinds === 1 ? "kind" : "kinds"} of problems`]),
  ]
}

const digitsOf = (groups: readonly RefusalGroup[]) =>
  Math.max(...groups.map(({ lines }) => formatCount(lines).length))

/** Of groups whose lines have one problem each. */
const linesOf = (groups: readonly RefusalGroup[]) =>
  groups.reduce((total, { lines }) => total + lines, 0)

/** `  15,992 × item: demo_link: is missing (first: line 4, item 7)` */
function describe(group: RefusalGroup, digits: number, nameLine: NameLine): string {
  const { type, member, reason, lines, firstLine, firstIdentity } = group
  const first = firstIdentity === null ? "" : `, ${type} ${firstIdentity}`
  const place = `(first: ${nameLine(firstLine)}${first})`
  const problem = [...(type === null ? [] : [type]), member, reason].join(": ")
  return `  ${formatCount(lines).padStart(digits)} × ${problem} ${place}`
}

export const formatCount = (count: number) => count.toLocaleString("en")

/** The files that `--rejects` and `--report` write. */
export function openRefusalFiles(rejectsPath: string | null, reportPath: string | null) {
  const rejects = openOwn(rejectsPath)
  const report = openOwn(reportPath)
  return {
    writeRefused({ line, type, identity, problems, because }: RefusedLine): void {
      if (report === null) return
      const cause = because === null || because === "unknown" ? undefined : because
      const refused = { line, type, identity, problems: listProblems(problems), because: cause }
      // JSON leaves out what is undefined.
      writeSync(report, `${JSON.stringify(refused)}\n`)
    },
    writeRefusedBytes(bytes: Uint8Array, isEnd: boolean): void {
      if (rejects === null) return
      writeSync(rejects, bytes)
      if (isEnd) writeSync(rejects, "\n")
    },
    writeDefaulted({ line, type, identity, problems }: DefaultedLine): void {
      if (report === null) return
      writeSync(report, `${JSON.stringify({ line, type, identity, defaulted: problems })}\n`)
    },
    close(): void {
      for (const file of [rejects, report]) if (file !== null) closeSync(file)
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
