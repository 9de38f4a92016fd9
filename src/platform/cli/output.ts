import { hasErrorCode } from "../error.ts"
import { formatCount } from "../text.ts"
import type { CommandContext } from "./command.ts"

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
  { write, hasColors }: CommandContext,
  isJson: boolean,
  object: unknown,
  [first, ...rows]: readonly [Cells, ...Cells[]],
): Promise<void> => write(isJson ? toJson(object) : renderTable(hasColors, first, rows))

/** For commands that do their work whether anybody reads the result or not: `head` closes the pipe early. */
export function tolerateClosedPipe<Context extends CommandContext>(context: Context) {
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
  { write, printStderr, hasColors }: CommandContext,
  isJson: boolean,
  pages: AsyncIterable<readonly Row[]> | readonly (readonly Row[])[],
  { toObject, header, toCells, none }: List<Row>,
): Promise<void> {
  const render = createTable(hasColors, header)
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

/** No cell is truncated, so that each can be copied; a narrow terminal wraps the lines. */
export const renderTable = (hasColors: boolean, header: Cells, rows: readonly Cells[]) =>
  createTable(hasColors, header)(rows)

/** Renders page by page: only the first page has the header, and columns never get narrower. */
export function createTable(hasColors: boolean, header: Cells) {
  const widths = header.map(() => 0)
  let isFirst = true
  return (page: readonly Cells[]): string => {
    const rows = (isFirst ? [header, ...page] : page).map((row) =>
      row.map(replaceControlCharacters),
    )
    for (const row of rows) {
      for (const [column, cell] of row.entries())
        widths[column] = Math.max(widths[column] ?? 0, width(cell))
    }
    const lines = rows.map((row) => {
      const cells = row.map(
        (cell, column) => cell + " ".repeat((widths[column] ?? 0) - width(cell)),
      )
      return cells.join("  ").trimEnd()
    })
    if (isFirst && hasColors) lines[0] = `\x1b[1m${lines[0]}\x1b[22m`
    isFirst = false
    return lines.map((line) => `${line}\n`).join("")
  }
}

const width = (text: string) => Bun.stringWidth(text)

const progressEveryMs = 200

/** Shows the time left if `size` is known, in the unit of `position`. */
export function createProgress(
  { showProgress }: Pick<CommandContext, "showProgress">,
  size: number | null,
) {
  const startedAt = performance.now()
  let shownAt = startedAt
  return {
    show(records: number, position: number, details: string): void {
      const at = performance.now()
      if (at - shownAt < progressEveryMs) return
      shownAt = at
      const seconds = (at - startedAt) / 1000
      const rate = `${formatCount(Math.round(records / seconds))} records/s`
      const left = size === null ? [] : [timeLeft(position / size, seconds)]
      showProgress([`${formatCount(records)} done`, details, rate, ...left].join(" · "))
    },
    end: () => showProgress(""),
  }
}

function timeLeft(share: number, seconds: number): string {
  const left = share > 0 ? Math.ceil((seconds / share) * (1 - share)) : 0
  return `${Math.floor(share * 100)} % · ${left} s left`
}
/** Untrusted text could move the cursor of a terminal, change its title, or reorder lines (bidirectional overrides). */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const unsafeInJson = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu

/** For one line or one cell: line breaks are replaced too. */
export const replaceControlCharacters = (text: string) => text.replace(unsafe, "\ufffd")

/** For lines of JSON, whose value stays the same. JSON.stringify already escapes characters below U+0020. */
export const escapeControlCharacters = (text: string) =>
  text.replace(unsafeInJson, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  )
