/**
 * Where `import` reads from: a file, or standard input, which is spooled if it is read twice. The seal of a feed with
 * keys or passwords is checked before any of them is taken.
 */
import { statSync } from "node:fs"
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { TravelVault } from "../../domain/feed/feed.ts"
import {
  createSealedLineFinder,
  createSealReader,
  readSeal,
  type SealState,
} from "../../feed/feed-seal.ts"
import { CannotRun, type CommandContext } from "../frame/command.ts"

const chunkBytes = 256 * 1024

export type FeedSource = Readonly<{
  /** The name the operator gave it: the path of the file, or "-". */
  name: string
  /** Null when it is not known beforehand. */
  sizeBytes: number | null
  /** False: `readBytes` can be called once. */
  isReadAgain: boolean
  /** From the beginning, each time. */
  readBytes(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}>

/** Throws CannotRun where there is nothing to read. */
export function checkSource(path: string): void {
  if (path === "-") return
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new CannotRun(`there is no file ${path}`)
  if (stats.isDirectory()) throw new CannotRun(`${path} is a folder, not a feed`)
}

/** `isReadAgain`: `readBytes` is called more than once. */
export async function openSource(
  path: string,
  context: Pick<CommandContext, "readStandardInput">,
  isReadAgain: boolean,
): Promise<FeedSource> {
  const name = path === "-" ? "-" : resolve(path)
  const file = path === "-" ? null : await open(path, "r")
  const stats = await file?.stat()
  const ofFile = (kept: FileHandle, sizeBytes: number) => ({
    name,
    sizeBytes,
    isReadAgain: true,
    readBytes: () => readChunks(kept),
    close: () => kept.close(),
  })
  if (file !== null && stats?.isFile() === true) return ofFile(file, stats.size)
  const readBytes = () => (file === null ? context.readStandardInput() : readChunks(file, null))
  const close = async () => file?.close()
  if (!isReadAgain) return { name, sizeBytes: null, isReadAgain, readBytes, close }
  const spool = await openSpool()
  for await (const chunk of readBytes()) await spool.writeFile(chunk)
  await close()
  return ofFile(spool, (await spool.stat()).size)
}

/** A deleted file: it disappears when it is closed, however this program ends. */
async function openSpool(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "pazar-import-"))
  try {
    return await open(join(folder, "feed.ndjson"), "wx+", 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Null: a pipe or a device, which has no positions. */
async function* readChunks(file: FileHandle, from: number | null = 0): AsyncGenerator<Uint8Array> {
  for (let position = from; ; ) {
    const chunk = new Uint8Array(chunkBytes)
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, position)
    if (bytesRead === 0) return
    if (position !== null) position += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}

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
