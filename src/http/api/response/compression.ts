import { once } from "node:events"
import { promisify } from "node:util"
import { createGzip, type Gzip, gzip } from "node:zlib"
import { parseAccept } from "../../request/request-head.ts"
import type { Bytes } from "./body-bytes.ts"

/** A shorter body fits one network packet, so compressing it saves nothing. */
export const gzipBytesMin = 1_400

/** Up to this size, compressing costs less than handing the bytes to another thread. */
const ownThreadBytesMax = 16 * 1024

export async function compress(bytes: Bytes): Promise<Bytes> {
  return bytes.length <= ownThreadBytesMax ? Bun.gzipSync(bytes) : compressOnThread(bytes)
}

const compressOnThread = promisify<Bytes, Bytes>(gzip)

export async function* compressChunks(chunks: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  const stream = createGzip()
  const ready: Buffer[] = []
  stream.on("data", (chunk) => ready.push(chunk))
  const take = () => Buffer.concat(ready.splice(0))
  try {
    for await (const chunk of chunks) {
      await write(stream, chunk)
      if (ready.length > 0) yield take()
    }
    await once(stream.end(), "end")
    yield take()
  } finally {
    stream.destroy()
  }
}

const write = (stream: Gzip, chunk: Bytes): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()))
  })

export function acceptsGzip(header: string | null): boolean {
  if (header === null) return false
  const quality = new Map(parseAccept(header).map(({ name, quality }) => [name, quality]))
  return (quality.get("gzip") ?? quality.get("x-gzip") ?? quality.get("*") ?? 0) > 0
}
