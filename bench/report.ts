import { cpus } from "node:os"
import { ownProgram, revisionOf } from "./program.ts"
import type { Laps } from "./race.ts"
import { ratios, type Spread, spreadOf } from "./statistics.ts"

export type Row = Readonly<{
  what: string
  /** Null if it could not be measured; the note says why. */
  measured: number | Spread | null
  /** As in "×", "MB" or "ms". */
  unit: string
  note: string
}>

export type Report = Readonly<{
  rows: readonly Row[]
  othersCores: number
}>

/** Above this share the generator, not the server, limits the rate. */
const busyShare = 0.9

/**
 * How much faster `one` is than `other`, round by round. The ratio by CPU time is less affected by other programs,
 * and is used if the generator was the bottleneck.
 */
export function compareSpeed(what: string, one: Laps, other: Laps): Row {
  const byCpu = spreadOf(ratios(other.cpuMicros, one.cpuMicros))
  const isBottleneck = [one, other].some(
    ({ loadShares }) => spreadOf(loadShares).median > busyShare,
  )
  return {
    what,
    measured: isBottleneck ? byCpu : spreadOf(ratios(one.rates, other.rates)),
    unit: "×",
    note: isBottleneck ? "by CPU" : `${show(byCpu.median)} by CPU`,
  }
}

const show = (value: number) =>
  value >= 1000 || Number.isInteger(value)
    ? String(Math.round(value))
    : value.toFixed(value >= 100 ? 0 : 2)

function cellsOf({ what, measured, unit, note }: Row): readonly string[] {
  if (measured === null) return [what, "–", note]
  if (typeof measured === "number") return [what, `${show(measured)} ${unit}`, note]
  const { median, lowerQuartile, upperQuartile } = measured
  return [what, `${show(median)} ${unit} (${show(lowerQuartile)}–${show(upperQuartile)})`, note]
}

export const renderRow = (row: Row) => `  ${cellsOf(row).join("  ")}`

export function renderMarkdown({ rows, othersCores }: Report): string {
  const lines = [["what", "median (quartiles)", "note"], ...rows.map(cellsOf)]
  const widths = [0, 1, 2].map((at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const render = (line: readonly string[]) =>
    `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`
  const [head = "", ...others] = lines.map(render)
  const rule = render(widths.map((width) => "-".repeat(width)))
  const { version, commit } = revisionOf(ownProgram)
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Bun ${Bun.version}`
  const day = new Date().toISOString().slice(0, 10)
  return `# Benchmark results

Pazar ${version}, commit ${commit}, ${day}, ${machine}. Other programs used ${othersCores.toFixed(2)} cores. [Method](README.md).

${[head, rule, ...others].join("\n")}
`
}
