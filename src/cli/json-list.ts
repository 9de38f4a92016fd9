import type { CommandContext } from "./command.ts"

/** Writes one JSON list of texts that are JSON, page by page: a long one is never whole in memory. */
export async function writeJsonList(
  { write }: Pick<CommandContext, "write">,
  pages: AsyncIterable<readonly string[]>,
): Promise<void> {
  let opening = "["
  for await (const page of pages) {
    if (page.length === 0) continue
    await write(`${opening}${page.join(",")}`)
    opening = ","
  }
  await write(opening === "[" ? "[]\n" : "]\n")
}

export async function* mapPages<Row, Mapped>(
  pages: AsyncIterable<readonly Row[]>,
  map: (row: Row) => Mapped,
): AsyncGenerator<readonly Mapped[]> {
  for await (const page of pages) yield page.map(map)
}
