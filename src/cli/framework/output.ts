import { hasErrorCode } from "../../domain/values/error.ts"
import { formatCount } from "../../domain/values/text.ts"
import type { CommandContext, Terminal } from "./command.ts"
import { replaceControlCharacters } from "./control-characters.ts"

/** Returns one line, with field names in snake_case: `createdAt` becomes `created_at`. */
export const toJson = (value: unknown) => `${JSON.stringify(value, inSnakeCase)}\n`

function inSnakeCase(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      field,
    ]),
  )
}

export const writeRecord = (
  { write, terminal }: CommandContext,
  isJson: boolean,
  object: unknown,
  [first, ...rows]: readonly [Cells, ...Cells[]],
): Promise<void> => write(isJson ? toJson(object) : renderTable(terminal, first, rows))

/** For commands that do their work whether anybody reads the result or not: `head` closes the pipe early. */
export function tolerateClosedPipe(context: CommandContext) {
  let isClosed = false
  return {
    ...context,
    isOutputClosed: () => isClosed,
    async write(text: string): Promise<void> {
      try {
        await context.write(text)
      } catch (error) {
        if (!hasErrorCode(error, "EPIPE")) throw error
        isClosed = true
      }
    },
  }
}

type Cells = readonly string[]

type List<Row> = Readonly<{
  toObject(row: Row): unknown
  header: Cells
  toCells(row: Row): Cells
  /** Printed on standard error instead of a table without rows. */
  none?: string
}>

/** Writes page by page, so that a long list does not fill the memory. */
export async function writeList<Row>(
  { write, printStderr, terminal }: CommandContext,
  isJson: boolean,
  pages: AsyncIterable<readonly Row[]> | readonly (readonly Row[])[],
  { toObject, header, toCells, none }: List<Row>,
): Promise<void> {
  const render = createTable(terminal, header)
  let opening = "["
  for await (const page of pages) {
    if (page.length === 0) continue
    const json = () => toJson(page.map(toObject)).slice(1, -2)
    await write(isJson ? `${opening}${json()}` : render(page.map(toCells)))
    opening = ","
  }
  const isEmpty = opening === "["
  if (isJson) return write(isEmpty ? "[]\n" : "]\n")
  if (isEmpty && none !== undefined) printStderr(none)
  else if (isEmpty) await write(render([]))
}

export async function writeResult(
  { write, printStderr }: CommandContext,
  isJson: boolean,
  object: unknown,
  done: string,
): Promise<void> {
  if (isJson) await write(toJson(object))
  else printStderr(done)
}

/** A shortened id, key or link would be useless. */
const wholeColumns = new Set(["ID", "KEY", "CODE", "LINK", "USERNAME", "Username"])
const cutWidthMin = 8
const gap = "  "

/** Columns are as wide as their widest cell. A narrow terminal truncates the widest columns; a pipe truncates nothing. */
export const renderTable = (terminal: Terminal, header: Cells, rows: readonly Cells[]) =>
  createTable(terminal, header)(rows)

/** Renders page by page. In a pipe, only the first page has the header, and columns never get narrower. */
export function createTable({ columns, hasColors }: Terminal, header: Cells) {
  const isPipe = columns === null
  let widest = header.map(() => 0)
  let isFirst = true
  return (rows: readonly Cells[]): string => {
    const all = [header, ...rows].map((row) => row.map(replaceControlCharacters))
    const widestOfPage = header.map((_, column) =>
      Math.max(...all.map((row) => width(row[column] ?? ""))),
    )
    widest = widestOfPage.map((each, column) => Math.max(each, isPipe ? (widest[column] ?? 0) : 0))
    const widths = columns === null ? widest : fit(header, widest, columns)
    const [first = "", ...rest] = all.map((row) => {
      const cells = row.map((cell, column) => pad(cell, widths[column] ?? 0))
      return `${cells.join(gap).trimEnd()}\n`
    })
    const heading = hasColors ? `\x1b[1m${first.trimEnd()}\x1b[22m\n` : first
    const shown = isFirst || !isPipe ? [heading, ...rest] : rest
    isFirst = false
    return shown.join("")
  }
}

function fit(header: Cells, widest: readonly number[], columns: number) {
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

const progressEveryMs = 200

export function createProgress(
  { showProgress }: Pick<CommandContext, "showProgress">,
  sizeBytes: number | null,
) {
  const startedAt = performance.now()
  let shownAt = startedAt
  return {
    show(records: number, bytes: number, details: string): void {
      const at = performance.now()
      if (at - shownAt < progressEveryMs) return
      shownAt = at
      const seconds = (at - startedAt) / 1000
      const rate = `${formatCount(Math.round(records / seconds))} records/s`
      const left = sizeBytes === null ? [] : [timeLeft(bytes / sizeBytes, seconds)]
      showProgress([`${formatCount(records)} done`, details, rate, ...left].join(" · "))
    },
    end: () => showProgress(""),
  }
}

function timeLeft(share: number, seconds: number): string {
  const left = share > 0 ? Math.ceil((seconds / share) * (1 - share)) : 0
  return `${Math.floor(share * 100)} % · ${left} s left`
}
