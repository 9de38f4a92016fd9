import type { CommandContext } from "./command.ts"

/** Writes one JSON list, page by page, so that a long one is never whole in memory. */
export async function writeJsonList(
  { write }: Pick<CommandContext, "write">,
  pages: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  let opening = "["
  for await (const page of pages) {
    if (page.length === 0) continue
    await write(`${opening}${page.map((each) => JSON.stringify(each)).join(",")}`)
    opening = ","
  }
  await write(opening === "[" ? "[]\n" : "]\n")
}
