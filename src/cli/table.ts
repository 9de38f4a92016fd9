/** Columns as wide as their widest cell; the last one is left as it is. */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ""))))
  const renderRow = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - width(cell)))
      .join("  ")
      .trimEnd()
  return all.map((row) => `${renderRow(row)}\n`).join("")
}

/** Data of others on a terminal: control characters would move its cursor. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, "\ufffd")

const width = (text: string) => Bun.stringWidth(text)
