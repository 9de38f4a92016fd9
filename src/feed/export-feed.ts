/** The whole store as a feed, in one order for ever: the same data gives the same bytes. */
import type { FeedStore } from "../domain/feed.ts"
import { renderAccountLine, renderItemLine, renderPurchaseLine } from "./record.ts"

/** Text in pieces of whole lines; each piece is awaited, so a slow reader holds us back. */
export async function exportFeed(
  feed: Pick<FeedStore, "openSnapshot">,
  write: (lines: string) => Promise<void>,
): Promise<number> {
  const snapshot = await feed.openSnapshot()
  let records = 0
  async function writeAll<Row>(pages: AsyncIterable<readonly Row[]>, render: (row: Row) => string) {
    for await (const page of pages) {
      records += page.length
      await write(page.map((row) => `${render(row)}\n`).join(""))
    }
  }
  try {
    await writeAll(snapshot.readAccounts(), renderAccountLine)
    await writeAll(snapshot.readItems(), renderItemLine)
    await writeAll(snapshot.readPurchases(), renderPurchaseLine)
  } finally {
    await snapshot.close()
  }
  return records
}
