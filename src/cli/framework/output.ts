import type { CommandContext } from "./command.ts"
import { createTable, renderTable } from "./table.ts"

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
  [first, ...rows]: readonly [readonly string[], ...(readonly string[])[]],
): Promise<void> => write(isJson ? toJson(object) : renderTable(terminal, first, rows))

type List<Row> = Readonly<{
  toObject(row: Row): unknown
  header: readonly string[]
  toCells(row: Row): readonly string[]
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

/** Writes `object` to standard output with `--json`, else `done` to standard error. */
export async function writeResult(
  { write, printStderr }: CommandContext,
  isJson: boolean,
  object: unknown,
  done: string,
): Promise<void> {
  if (isJson) await write(toJson(object))
  else printStderr(done)
}
