/** Where `import` reads from: a file, or standard input, which is spooled if it is read twice. */
import { statSync } from "node:fs"
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { CannotRunError, type CommandContext } from "../framework/command.ts"

const chunkBytes = 256 * 1024

export type FeedSource = Readonly<{
  /** The name the operator gave it: the path of the file, or "-". */
  name: string
  /** Null when it is not known beforehand. */
  sizeBytes: number | null
  /** From the beginning, each time. */
  readBytes(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}>

/** Throws CannotRun where there is nothing to read. */
export function checkFeedSource(path: string): void {
  if (path === "-") return
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new CannotRunError(`there is no file ${path}`)
  if (stats.isDirectory()) throw new CannotRunError(`${path} is a folder, not a feed`)
}

/** `isReadAgain`: `readBytes` is called more than once. */
export async function openFeedSource(
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
    readBytes: () => readChunks(kept),
    close: () => kept.close(),
  })
  if (file !== null && stats?.isFile() === true) return ofFile(file, stats.size)
  const readBytes = () => (file === null ? context.readStandardInput() : readChunks(file, null))
  const close = async () => file?.close()
  if (!isReadAgain) return { name, sizeBytes: null, readBytes, close }
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
