/** Compresses answers with gzip. For a list that takes many times as long as reading it, so it runs on another thread. */
import { once } from "node:events"
import { promisify } from "node:util"
import { createGzip, type Gzip, gzip } from "node:zlib"
import { parseAccept } from "../../request/request-head.ts"
import type { Bytes } from "./body-bytes.ts"

/** A shorter answer fits one network packet; compressing it saves nothing. */
export const gzipBytesMin = 1_400

/** Compressing fewer bytes takes less than 0.2 ms; handing them to another thread would cost as much. */
const ownThreadBytesMax = 16 * 1024

export async function compress(bytes: Bytes): Promise<Bytes> {
  return bytes.length <= ownThreadBytesMax ? Bun.gzipSync(bytes) : compressOnThread(bytes)
}

const compressOnThread = promisify<Bytes, Bytes>(gzip)

/** Yields a piece whenever gzip has one ready. */
export async function* compressChunks(pieces: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  const stream = createGzip()
  const ready: Buffer[] = []
  stream.on("data", (piece) => ready.push(piece))
  const take = () => Buffer.concat(ready.splice(0))
  try {
    for await (const piece of pieces) {
      await write(stream, piece)
      if (ready.length > 0) yield take()
    }
    await once(stream.end(), "end")
    yield take()
  } finally {
    stream.destroy()
  }
}

const write = (stream: Gzip, piece: Bytes): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(piece, (error) => (error ? reject(error) : resolve()))
  })

export function acceptsGzip(header: string | null): boolean {
  if (header === null) return false
  const quality = new Map(parseAccept(header).map(({ name, quality }) => [name, quality]))
  return (quality.get("gzip") ?? quality.get("x-gzip") ?? quality.get("*") ?? 0) > 0
}
