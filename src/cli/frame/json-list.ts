import type { CommandContext } from "./command.ts"

/** Writes one JSON list page by page, so that a long one is never whole in memory. `render` makes JSON of a row. */
export async function writeJsonList<Row>(
  { write }: Pick<CommandContext, "write">,
  pages: AsyncIterable<readonly Row[]>,
  render: (row: Row) => string,
): Promise<void> {
  let opening = "["
  for await (const page of pages) {
    if (page.length === 0) continue
    await write(`${opening}${page.map((row) => render(row)).join(",")}`)
    opening = ","
  }
  await write(opening === "[" ? "[]\n" : "]\n")
}
