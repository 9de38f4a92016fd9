/** Loads a feed into the store, wherever it comes from, and tells the operator what became of it. */
import { closeSync, openSync, writeSync } from "node:fs"
import { constants, getPriority, setPriority } from "node:os"
import type { App } from "../app.ts"
import type { FeedOrigin } from "../domain/import-run.ts"
import { type FeedProgress, importFeed } from "../feed/import-feed.ts"
import { importStrictly } from "../feed/import-strictly.ts"
import type { RefusedLine } from "../feed/refused-line.ts"
import type { CommandContext } from "./command.ts"
import type { FeedOptions } from "./feed-options.ts"
import { createProgress } from "./progress.ts"

const batchRecords = 1_000

export type LoadedFeed = FeedOrigin &
  Readonly<{
    /** Null when it is not known beforehand. */
    sizeBytes: number | null
    /** NDJSON from the beginning; called twice for `--strict`. */
    readBytes(): AsyncIterable<Uint8Array>
    /** Whether the seal of the whole feed was checked: only then keys and passwords are taken. */
    isSealed(): boolean
    mayReplacePasswords: boolean
  }>

/** Returns the exit status: 0 all taken, 1 some refused. */
export async function loadFeed(
  app: App,
  context: CommandContext,
  loaded: LoadedFeed,
  { mode, rejectsPath }: FeedOptions,
): Promise<number> {
  giveWay()
  const { source, via, sizeBytes, readBytes, isSealed, mayReplacePasswords } = loaded
  const startedAt = performance.now()
  const progress = createProgress(context, sizeBytes)
  const rejects = openRejects(rejectsPath)
  const options = {
    feed: app.store.feed,
    secrets: { ...app.feedSecrets, mayReplacePasswords },
    ...{ source, via, isSealed, batchRecords },
    onRefused: (refused: RefusedLine) => context.tell(explain(refused)),
    onRefusedBytes: rejects.write,
    onProgress: ({ accepted, rejected, bytes }: FeedProgress) =>
      progress.show(accepted + rejected, bytes, `${rejected} refused`),
  }
  try {
    const { isApplied, counts } =
      mode === "strict"
        ? await importStrictly({ ...options, readBytes })
        : { ...(await importFeed({ ...options, mode, bytes: readBytes() })), isApplied: true }
    progress.end()
    const seconds = Math.round(performance.now() - startedAt) / 1000
    await context.write(`${JSON.stringify({ ...counts, seconds })}\n`)
    if (mode === "dry run") context.tell("A dry run: nothing was kept.")
    const { rejected } = counts
    if (mode === "strict" && rejected > 0) context.tell(isApplied ? changedMeanwhile : nothingKept)
    return rejected > 0 ? 1 : 0
  } finally {
    rejects.close()
  }
}

/** A server on the same machine has priority. */
function giveWay(): void {
  const low = constants.priority.PRIORITY_BELOW_NORMAL
  // Lower it only: an ordinary user cannot raise a priority.
  if (getPriority() < low) setPriority(low)
}

/** `line 3: item 1229: price.regular: must be a number; version: is missing` */
function explain({ line, type, identity, problems }: RefusedLine): string {
  const record = [type, identity].filter((part) => part !== undefined).join(" ")
  const reasons = problems.map(({ member, reason }) => `${member}: ${reason}`).join("; ")
  return [`line ${line}`, ...(record === "" ? [] : [record]), reasons].join(": ")
}

const nothingKept = "Nothing was kept: --strict takes all or none."
const changedMeanwhile =
  "Another program changed the store after the feed was judged: the lines above were refused, the others were kept. Import the feed again."

type Rejects = Readonly<{ write(bytes: Uint8Array, isEnd: boolean): void; close(): void }>

function openRejects(path: string | null): Rejects {
  if (path === null) return { write() {}, close() {} }
  const file = openSync(path, "w", 0o600)
  return {
    write(bytes, isEnd) {
      writeSync(file, bytes)
      if (isEnd) writeSync(file, "\n")
    },
    close: () => closeSync(file),
  }
}
