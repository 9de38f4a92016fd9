/** Exports all accounts, items and purchases as a feed in a fixed order: the same data produces the same bytes. */
import type { FeedStore, Snapshot } from "./import-run.ts"
import { renderAccountLine, renderItemLine, renderPurchaseLine } from "./parse-record.ts"

/** Called with whole lines. Each call is awaited, so that a slow reader slows the export. */
type Write = (lines: string) => Promise<void>

export async function exportFeed(
  feed: Pick<FeedStore, "openSnapshot">,
  write: Write,
): Promise<number> {
  const snapshot = await feed.openSnapshot()
  let records = 0
  try {
    for (const pages of renderAll(snapshot)) {
      for await (const page of pages) {
        records += page.length
        await write(page.join(""))
      }
    }
  } finally {
    await snapshot.close()
  }
  return records
}

const renderAll = (snapshot: Snapshot): readonly AsyncIterable<readonly string[]>[] => [
  render(snapshot.readAccounts(), renderAccountLine),
  render(snapshot.readItems(), renderItemLine),
  render(snapshot.readPurchases(), renderPurchaseLine),
  render(snapshot.readPending(), ({ kind, record }) =>
    kind === "item" ? renderItemLine(record) : renderPurchaseLine(record),
  ),
]

async function* render<Row>(pages: AsyncIterable<readonly Row[]>, line: (row: Row) => string) {
  for await (const page of pages) yield page.map((row) => `${line(row)}\n`)
}
