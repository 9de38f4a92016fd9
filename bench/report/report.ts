/** The results and their targets, as Markdown and as JSON. */
import { cpus, totalmem } from "node:os"
import { describeRevision, type Revision } from "../processes/program.ts"
import { renderTable } from "./markdown-table.ts"
import { compareSpeed, type Laps, medianOf } from "./race.ts"
import { median, type Spread } from "./statistics.ts"

export type Target = (Readonly<{ atLeast: number }> | Readonly<{ atMost: number }>) &
  /** Why this much, where that is not plain. */
  Readonly<{ because?: string }>

export type Finding = Readonly<{
  what: string
  target: Target
  /** As in "×", "MB" or "ms". */
  unit: string
  /** Null where it could not be measured. */
  value: number | null
  spread: Spread | null
  note: string
}>

export type PartReport = Readonly<{
  findings: readonly Finding[]
  laps?: readonly Laps[]
  notes?: readonly string[]
}>

export type Section = Required<PartReport> &
  Readonly<{
    name: string
    title: string
    seconds: number
    /** Cores that other programs used. */
    strangers: number
  }>

export const finding = (
  what: string,
  target: Target,
  unit: string,
  measured: number | Spread | null,
  note = "",
): Finding => {
  const spread = typeof measured === "object" ? measured : null
  const value = typeof measured === "number" ? measured : (spread?.median ?? null)
  return { what, target, unit, value, spread, note }
}

/** Of two that raced each other. */
export function speedFinding(what: string, target: Target, one: Laps, other: Laps): Finding {
  const { ratio, note } = compareSpeed(one, other)
  return finding(what, target, "×", ratio, note)
}

export const missingNote = (name: string, why: string) => `${name} is missing: ${why}.`

const isMet = ({ target, value }: Finding) =>
  value !== null && ("atLeast" in target ? value >= target.atLeast : value <= target.atMost)

const verdictOf = (found: Finding) =>
  found.value === null ? "not measured" : isMet(found) ? "yes" : "**no**"

const show = (value: number) =>
  value >= 1000 || Number.isInteger(value)
    ? String(Math.round(value))
    : value >= 100
      ? value.toFixed(0)
      : value.toFixed(2)

const showTarget = (target: Target, unit: string) =>
  ("atLeast" in target ? `≥ ${target.atLeast} ${unit}` : `≤ ${target.atMost} ${unit}`).trim()

const showSpread = ({ lowerQuartile, upperQuartile, min, max }: Spread) =>
  `${show(lowerQuartile)}–${show(upperQuartile)} (${show(min)}–${show(max)})`

function findingsTable(findings: readonly Finding[]): string {
  return renderTable([
    ["what", "target", "measured", "quartiles (all rounds)", "met", ""],
    ...findings.map((found) => [
      found.what,
      showTarget(found.target, found.unit),
      found.value === null ? "–" : `${show(found.value)} ${found.unit}`,
      found.spread === null ? "" : showSpread(found.spread),
      verdictOf(found),
      found.note,
    ]),
  ])
}

function showCpu(laps: Laps): string {
  const { databaseMicros } = laps
  const share = databaseMicros.length === 0 ? "" : ` (database ${show(median(databaseMicros))})`
  return `${show(medianOf(laps, "cpuMicros"))}${share}`
}

function lapsTable(laps: readonly Laps[]): string {
  return renderTable([
    [
      "server",
      "requests/s",
      "CPU µs a request",
      "p50 ms",
      "p99 ms",
      "generator's core",
      "strangers' cores",
      "answers checked",
    ],
    ...laps.map((one) => [
      one.name,
      show(medianOf(one, "rates")),
      showCpu(one),
      show(medianOf(one, "p50s")),
      show(medianOf(one, "p99s")),
      `${Math.round(medianOf(one, "loadShares") * 100)} %`,
      medianOf(one, "strangers").toFixed(2),
      String(one.requests),
    ]),
  ])
}

const reasonsOf = ({ findings }: Section) =>
  findings.flatMap(({ what, unit, target }) =>
    target.because === undefined
      ? []
      : [`Why ${showTarget(target, unit)} (${what}): ${target.because}.`],
  )

const strangersNote = ({ strangers }: Section) =>
  `Meanwhile others used ${Math.max(0, strangers).toFixed(2)} cores of this machine.`

/** Above this, the results say as much about the other programs. */
const strangersMax = 0.2

function warn(sections: readonly Section[]): string {
  const disturbed = sections.filter(({ strangers }) => strangers > strangersMax)
  if (disturbed.length === 0) return "The machine was quiet."
  const most = Math.max(...disturbed.map(({ strangers }) => strangers)).toFixed(2)
  const titles = disturbed.map(({ title }) => title).join("; ")
  return `**Others used up to ${most} cores during some parts, which should be measured again on a quiet machine: ${titles}.**`
}

export const describeMachine = () =>
  `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}, Bun ${Bun.version}`

export type Report = Readonly<{
  measuredAt: Date
  machine: string
  program: Revision
  /** As in "npm run bench -- full". */
  command: string
  sections: readonly Section[]
}>

/** `report` with the sections of `again`, which say so, in the order of `names`. */
export function replaceSections(
  report: Report,
  { program, sections: again }: Pick<Report, "program" | "sections">,
  names: readonly string[],
): Report {
  const note = `Measured at commit ${program.commit}, after other parts.`
  const sections = new Map(report.sections.map((section) => [section.name, section]))
  for (const section of again) {
    sections.set(section.name, { ...section, notes: [...section.notes, note] })
  }
  return { ...report, sections: names.flatMap((name) => sections.get(name) ?? []) }
}

export function renderMarkdown({
  measuredAt,
  machine,
  program,
  command,
  sections,
}: Report): string {
  const all = sections.flatMap(({ findings }) => findings)
  const parts = sections.map((section) =>
    [
      `## ${section.title}`,
      section.findings.length > 0 ? findingsTable(section.findings) : "",
      section.laps.length > 0 ? lapsTable(section.laps) : "",
      [
        ...reasonsOf(section),
        ...section.notes,
        strangersNote(section),
        `Alone: \`npm run bench -- ${section.name}\`.`,
      ]
        .map((note) => `- ${note}`)
        .join("\n"),
    ]
      .filter((text) => text !== "")
      .join("\n\n"),
  )
  return `${[
    "# What Pazar costs",
    `Pazar ${describeRevision(program)}, measured by \`${command}\`, ${measuredAt.toISOString().slice(0, 16)}Z, on ${machine}. How it is measured and read: [README.md](README.md).`,
    warn(sections),
    "## All targets",
    findingsTable(all),
    ...parts,
  ].join("\n\n")}\n`
}

export const renderJson = (report: Report) => `${JSON.stringify(report, roundNumbers, 2)}\n`

const roundNumbers = (_: string, value: unknown) =>
  typeof value === "number" ? Number(value.toPrecision(6)) : value

/** Short enough for a terminal. */
export function renderSummary(section: Section): string {
  const { findings, laps, notes } = section
  const lines = [
    ...laps.map(
      (one) =>
        `  ${one.name.padEnd(16)} ${show(medianOf(one, "rates")).padStart(7)}/s  ${show(medianOf(one, "cpuMicros")).padStart(7)} µs CPU  p50 ${show(medianOf(one, "p50s"))} ms  p99 ${show(medianOf(one, "p99s"))} ms  generator ${Math.round(medianOf(one, "loadShares") * 100)} %  strangers ${medianOf(one, "strangers").toFixed(2)} cores`,
    ),
    ...findings.map((found) => {
      const spread = found.spread === null ? "" : `  ${showSpread(found.spread)}`
      const value = found.value === null ? "–" : `${show(found.value)} ${found.unit}`
      return `  ${found.what}: ${value}${spread}  target ${showTarget(found.target, found.unit)}: ${verdictOf(found)}  ${found.note}`
    }),
    ...[...notes, strangersNote(section)].map((note) => `  ${note}`),
  ]
  return lines.join("\n")
}
