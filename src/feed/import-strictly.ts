/** Imports all lines of a feed or none, without blocking other writers. */
import { type FeedImport, type FeedOutcome, importFeed } from "./import-feed.ts"

export type StrictImport = Omit<FeedImport, "bytes" | "mode"> &
  Readonly<{
    /** Called twice: the whole feed is judged before the first line of it is written. */
    readBytes: () => AsyncIterable<Uint8Array>
  }>

/**
 * Without `isApplied` a line or the removal was refused and nothing was written. With it, a refused line was good
 * when the feed was judged, and another program has changed the store since; the other lines are kept.
 */
export type StrictOutcome = FeedOutcome & Readonly<{ isApplied: boolean }>

/** Writes in ordinary batches; after an interruption, importing the same feed completes it. */
export async function importStrictly(options: StrictImport): Promise<StrictOutcome> {
  const judged = await importFeed({ ...options, bytes: options.readBytes(), mode: "dry run" })
  const { counts, removalProblem } = judged
  if (counts.rejected > 0 || removalProblem !== null) {
    const none = { ...counts, accepted: 0, adjusted: 0, waiting: 0, removed: 0 }
    return { ...judged, counts: none, outdated: 0, defaulted: 0, isApplied: false }
  }
  const applied = await importFeed({
    ...options,
    bytes: options.readBytes(),
    mode: "batches",
    // They were told when the feed was judged.
    onDefaulted: () => {},
  })
  return { ...applied, isApplied: true }
}
