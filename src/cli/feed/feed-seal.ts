/** Checks the seal of a feed with keys or passwords before any of them is taken. */
import type { TravelVault } from "../../domain/feed/feed.ts"
import {
  createSealedLineFinder,
  createSealReader,
  readSeal,
  type SealState,
} from "../../feed/feed-seal.ts"
import { CannotRun } from "../frame/command.ts"
import { type FeedSource, openSpool, readChunks } from "./feed-source.ts"

type Checked = Pick<FeedSource, "readBytes"> & Readonly<{ isSealed: () => boolean }>

/** Throws CannotRun for a seal that is missing or wrong; a stream throws while it is read. */
export async function checkSeal(source: FeedSource, travel: TravelVault): Promise<Checked> {
  const { readBytes } = source
  if (!source.isReadAgain) return checkStream(readBytes, travel)
  const isSealed = admit(await readSeal(readBytes, travel.createFeedSeal()), "Nothing was taken.")
  return { readBytes, isSealed: () => isSealed }
}

/** Yields a stream up to its first key or password, and the rest after its seal was checked. */
function checkStream(readBytes: FeedSource["readBytes"], travel: TravelVault): Checked {
  let isSealed = false
  async function* readChecked(): AsyncGenerator<Uint8Array> {
    const reader = createSealReader(travel.createFeedSeal())
    const hasSealedLine = createSealedLineFinder()
    let spool: Awaited<ReturnType<typeof openSpool>> | null = null
    try {
      for await (const chunk of readBytes()) {
        reader.add(chunk)
        if (spool === null && hasSealedLine(chunk)) spool = await openSpool()
        if (spool === null) yield chunk
        else await spool.writeFile(chunk)
      }
      if (spool === null) return
      isSealed = admit(reader.end(), "Nothing was taken from its first key or password on.")
      yield* readChunks(spool)
    } finally {
      await spool?.close()
    }
  }
  return { readBytes: readChecked, isSealed: () => isSealed }
}

function admit(state: SealState, consequence: string): boolean {
  if (state === "unsealed") {
    throw new CannotRun(
      `the feed has keys or passwords, but no seal at its end: it was cut off, or exported by a version before 0.4. Export it again with this version. ${consequence}`,
    )
  }
  if (state === "broken") {
    throw new CannotRun(
      `the seal of the feed is wrong: it was changed since it was exported, or under another master key. ${consequence}`,
    )
  }
  return state === "sealed"
}
