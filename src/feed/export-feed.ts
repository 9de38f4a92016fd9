/** The whole store as a feed, in a fixed order: the same data gives the same bytes. */
import type { FeedSecrets, FeedStore, Snapshot } from "../domain/feed/feed.ts"
import { renderSealLine } from "./feed-seal.ts"
import { renderAccountLine, renderItemLine, renderPurchaseLine } from "./records/record.ts"
import { renderKeyLine, renderPasswordLine } from "./records/secret-record.ts"

type Feed = Pick<FeedStore, "openSnapshot">

/** Called with whole lines; each call is awaited, so a slow reader slows the export. */
type Write = (lines: string) => Promise<void>

/** Returns the number of records. */
export const exportFeed = (feed: Feed, write: Write): Promise<number> =>
  exportPages(feed, write, (snapshot) => [
    render(snapshot.readAccounts(), renderAccountLine),
    ...renderCatalogue(snapshot),
  ])

/** Also writes keys and passwords, sealed. The last line seals the whole file. */
export async function exportFeedWithKeys(
  feed: Feed,
  secrets: FeedSecrets,
  write: Write,
): Promise<number> {
  const seal = secrets.travel.createFeedSeal()
  const writeSealed: Write = async (lines) => {
    seal.add(Buffer.from(lines))
    await write(lines)
  }
  const records = await exportPages(feed, writeSealed, (snapshot) => [
    render(snapshot.readAccounts(), renderAccountLine),
    render(snapshot.readKeys(), (row) => renderKeyLine(secrets, row)),
    render(snapshot.readPasswords(), (row) => renderPasswordLine(secrets.passwords, row)),
    ...renderCatalogue(snapshot),
  ])
  await write(`${renderSealLine(seal)}\n`)
  return records
}

type Pages = AsyncIterable<readonly string[]>

const renderCatalogue = (snapshot: Snapshot): readonly Pages[] => [
  render(snapshot.readItems(), renderItemLine),
  render(snapshot.readPurchases(), renderPurchaseLine),
  render(snapshot.readWaiting(), (waiting) =>
    waiting.kind === "item" ? renderItemLine(waiting.record) : renderPurchaseLine(waiting.record),
  ),
]

async function* render<Row>(pages: AsyncIterable<readonly Row[]>, line: (row: Row) => string) {
  for await (const page of pages) yield page.map((row) => `${line(row)}\n`)
}

async function exportPages(
  feed: Feed,
  write: Write,
  choose: (snapshot: Snapshot) => readonly Pages[],
): Promise<number> {
  const snapshot = await feed.openSnapshot()
  let records = 0
  try {
    for (const pages of choose(snapshot)) {
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
