/** Packs answers with gzip. Packing a list takes many times what reading it does, so it runs on another thread. */
import { once } from "node:events"
import { createGzip, type Gzip, gzip } from "node:zlib"
import type { Awaitable } from "../../domain/awaitable.ts"
import type { WorkQueue } from "../../domain/work-queue.ts"
import { parseAccept } from "./accept-header.ts"
import type { Bytes } from "./body-bytes.ts"

/** A shorter answer fits one network packet; compressing it saves nothing. */
export const gzipBytesMin = 1_400

export type Packing = Readonly<{
  pack(bytes: Bytes): Awaitable<Bytes>
  /** Gives a piece whenever the packed bytes are enough for one. */
  packPieces(pieces: AsyncIterable<Bytes>): AsyncGenerator<Bytes>
}>

/** Packing fewer bytes takes less than 0.2 ms; handing them to another thread would cost as much. */
const ownThreadBytesMax = 16 * 1024

/** Long lists take turns, so that they use at most one core. */
export const createPacking = (queue: WorkQueue): Packing => ({
  pack: (bytes) => (bytes.length <= ownThreadBytesMax ? Bun.gzipSync(bytes) : packElsewhere(bytes)),
  async *packPieces(pieces) {
    const packer = createGzip()
    const packed: Buffer[] = []
    packer.on("data", (piece) => packed.push(piece))
    const take = () => new Uint8Array(Buffer.concat(packed.splice(0)))
    try {
      for await (const piece of pieces) {
        await queue(() => write(packer, piece))
        if (packed.length > 0) yield take()
      }
      await queue(() => once(packer.end(), "end"))
      yield take()
    } finally {
      packer.destroy()
    }
  },
})

const packElsewhere = (bytes: Bytes): Promise<Bytes> =>
  new Promise((resolve, reject) => {
    gzip(bytes, (error, packed) => (error ? reject(error) : resolve(new Uint8Array(packed))))
  })

const write = (packer: Gzip, piece: Bytes): Promise<void> =>
  new Promise((resolve, reject) => {
    packer.write(piece, (error) => (error ? reject(error) : resolve()))
  })

export function acceptsGzip(header: string | null): boolean {
  if (header === null) return false
  const quality = new Map(parseAccept(header).map(({ name, quality }) => [name, quality]))
  return (quality.get("gzip") ?? quality.get("x-gzip") ?? quality.get("*") ?? 0) > 0
}
