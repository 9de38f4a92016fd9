import type { Terminal } from "./command.ts"
import { replaceControlCharacters } from "./control-characters.ts"

/** A shortened id, key or link would be useless. */
const wholeColumns = new Set(["ID", "KEY", "CODE", "LINK", "USERNAME", "Username"])
const cutWidthMin = 8
const gap = "  "

/** Columns are as wide as their widest cell. A narrow terminal truncates the widest columns; a pipe truncates nothing. */
export const renderTable = (
  terminal: Terminal,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string => createTable(terminal, header)(rows)

/** Renders page by page. In a pipe, only the first page has the header, and columns never get narrower. */
export function createTable(terminal: Terminal, header: readonly string[]) {
  const isPipe = terminal.columns === null
  let widest = header.map(() => 0)
  let isFirst = true
  return (rows: readonly (readonly string[])[]): string => {
    const all = [header, ...rows].map((row) => row.map(replaceControlCharacters))
    const widestOfPage = header.map((_, column) =>
      Math.max(...all.map((row) => width(row[column] ?? ""))),
    )
    widest = widestOfPage.map((each, column) => Math.max(each, isPipe ? (widest[column] ?? 0) : 0))
    const lines = renderLines(terminal, header, all, widest)
    const shown = isFirst || !isPipe ? lines : lines.slice(1)
    isFirst = false
    return shown.map((line) => `${line}\n`).join("")
  }
}

function renderLines(
  { columns, hasColors }: Terminal,
  header: readonly string[],
  all: readonly (readonly string[])[],
  widest: readonly number[],
): readonly string[] {
  const widths = columns === null ? widest : fit(header, widest, columns)
  const [first = "", ...rest] = all.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  )
  return [hasColors ? `\x1b[1m${first}\x1b[22m` : first, ...rest]
}

function fit(header: readonly string[], widest: readonly number[], columns: number) {
  const widths = [...widest]
  const room = columns - gap.length * (header.length - 1)
  const lengthOf = (column: number) => widths[column] ?? 0
  const sum = () => widths.reduce((total, each) => total + each, 0)
  const cuttable = header.flatMap((name, column) => (wholeColumns.has(name) ? [] : [column]))
  while (sum() > room) {
    const [column] = cuttable.toSorted((one, other) => lengthOf(other) - lengthOf(one))
    if (column === undefined || lengthOf(column) <= cutWidthMin) break
    widths[column] = lengthOf(column) - 1
  }
  return widths
}

function pad(cell: string, columns: number): string {
  const shown = width(cell) > columns ? cut(cell, columns) : cell
  return shown + " ".repeat(columns - width(shown))
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

function cut(cell: string, columns: number): string {
  let kept = ""
  for (const { segment } of graphemes.segment(cell)) {
    if (width(kept) + width(segment) > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

const width = (text: string) => Bun.stringWidth(text)
