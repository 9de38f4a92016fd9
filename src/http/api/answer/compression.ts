/** Compresses answers with gzip. For a list that takes many times as long as reading it, so it runs on another thread. */
import { once } from "node:events"
import { createGzip, type Gzip, gzip } from "node:zlib"
import type { Awaitable, WorkQueue } from "../../../domain/values/work-queue.ts"
import { parseAccept } from "../../request/request-head.ts"
import type { Bytes } from "./body-bytes.ts"

/** A shorter answer fits one network packet; compressing it saves nothing. */
export const gzipBytesMin = 1_400

export type Compression = Readonly<{
  compress(bytes: Bytes): Awaitable<Bytes>
  /** Yields a piece whenever gzip has one ready. */
  compressPieces(pieces: AsyncIterable<Bytes>): AsyncGenerator<Bytes>
}>

/** Compressing fewer bytes takes less than 0.2 ms; handing them to another thread would cost as much. */
const ownThreadBytesMax = 16 * 1024

/** Long lists take turns, so that they use at most one core. */
export const createCompression = (queue: WorkQueue): Compression => ({
  compress: (bytes) =>
    bytes.length <= ownThreadBytesMax ? Bun.gzipSync(bytes) : compressOnThread(bytes),
  async *compressPieces(pieces) {
    const stream = createGzip()
    const ready: Buffer[] = []
    stream.on("data", (piece) => ready.push(piece))
    const take = () => Buffer.concat(ready.splice(0))
    try {
      for await (const piece of pieces) {
        await queue(() => write(stream, piece))
        if (ready.length > 0) yield take()
      }
      await queue(() => once(stream.end(), "end"))
      yield take()
    } finally {
      stream.destroy()
    }
  },
})

const compressOnThread = (bytes: Bytes): Promise<Bytes> =>
  new Promise((resolve, reject) => {
    gzip(bytes, (error, zipped) => (error ? reject(error) : resolve(new Uint8Array(zipped))))
  })

const write = (stream: Gzip, piece: Bytes): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(piece, (error) => (error ? reject(error) : resolve()))
  })

export function acceptsGzip(header: string | null): boolean {
  if (header === null) return false
  const quality = new Map(parseAccept(header).map(({ name, quality }) => [name, quality]))
  return (quality.get("gzip") ?? quality.get("x-gzip") ?? quality.get("*") ?? 0) > 0
}
