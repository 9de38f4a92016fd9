/** The whole store as a feed, in one order for ever: the same data gives the same bytes. */
import type { FeedStore, Snapshot } from "../domain/feed.ts"
import type { PasswordVault } from "../domain/session.ts"
import { renderAccountLine, renderItemLine, renderPurchaseLine } from "./record.ts"
import { renderKeyLine, renderPasswordLine } from "./secret-record.ts"

type Feed = Pick<FeedStore, "openSnapshot">

/** Text in pieces of whole lines; each piece is awaited, so a slow reader holds us back. */
type Write = (lines: string) => Promise<void>

/** Answers with the number of records. */
export const exportFeed = (feed: Feed, write: Write): Promise<number> =>
  exportPages(feed, write, (snapshot) => [
    render(snapshot.readAccounts(), renderAccountLine),
    ...renderCatalogue(snapshot),
  ])

/** Also all that authors get in by, sealed: keys and passwords. */
export const exportFeedWithKeys = (
  feed: Feed,
  passwords: PasswordVault,
  write: Write,
): Promise<number> =>
  exportPages(feed, write, (snapshot) => [
    render(snapshot.readAccounts(), renderAccountLine),
    render(snapshot.readKeys(), renderKeyLine),
    render(snapshot.readPasswords(), (row) => renderPasswordLine(passwords, row)),
    ...renderCatalogue(snapshot),
  ])

type Pages = AsyncIterable<readonly string[]>

const renderCatalogue = (snapshot: Snapshot): readonly Pages[] => [
  render(snapshot.readItems(), renderItemLine),
  render(snapshot.readPurchases(), renderPurchaseLine),
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
