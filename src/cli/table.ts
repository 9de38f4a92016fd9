import { printable } from "./printable.ts"

/** Columns as wide as their widest cell; the last one is left as it is. */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const all = [header, ...rows].map((row) => row.map(printable))
  const widths = header.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ""))))
  const renderRow = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - width(cell)))
      .join("  ")
      .trimEnd()
  return all.map((row) => `${renderRow(row)}\n`).join("")
}

const width = (text: string) => Bun.stringWidth(text)
