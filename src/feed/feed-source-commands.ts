/** The input of `import`: a file, or standard input, which is copied to a file if it is read twice. */
import { statSync } from "node:fs"
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { CannotRunError, type CommandContext } from "../platform/cli/command.ts"

const chunkBytes = 256 * 1024

export function checkFeedSource(path: string): void {
  if (path === "-") return
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new CannotRunError(`${path} does not exist; name a file`)
  if (stats.isDirectory()) throw new CannotRunError(`${path} is a folder; name a file`)
}

/**
 * `name` is the absolute path or "-"; `sizeBytes` is null for a pipe or a device. With `isReadTwice`, the caller may call
 * `readBytes` more than once.
 */
export async function openFeedSource(
  path: string,
  context: Pick<CommandContext, "readStandardInput">,
  isReadTwice: boolean,
) {
  const name = path === "-" ? "-" : resolve(path)
  const file = path === "-" ? null : await open(path, "r")
  const stats = await file?.stat()
  const fromFile = (handle: FileHandle, sizeBytes: number) => ({
    name,
    sizeBytes,
    readBytes: () => readChunks(handle),
    close: () => handle.close(),
  })
  if (file !== null && stats?.isFile() === true) return fromFile(file, stats.size)
  const readBytes = () => (file === null ? context.readStandardInput() : readChunks(file, null))
  const close = async () => file?.close()
  if (!isReadTwice) return { name, sizeBytes: null, readBytes, close }
  const spool = await openSpool()
  for await (const chunk of readBytes()) await spool.writeFile(chunk)
  await close()
  return fromFile(spool, (await spool.stat()).size)
}

/** The file is deleted while it is open, so that it disappears even if the program is killed. */
async function openSpool(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "pazar-import-"))
  try {
    return await open(join(folder, "feed.ndjson"), "wx+", 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** `from` is null for a pipe or a device, which cannot seek. */
async function* readChunks(file: FileHandle, from: number | null = 0): AsyncGenerator<Uint8Array> {
  for (let position = from; ; ) {
    const chunk = new Uint8Array(chunkBytes)
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, position)
    if (bytesRead === 0) return
    if (position !== null) position += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}
