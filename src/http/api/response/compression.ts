import { once } from "node:events"
import { promisify } from "node:util"
import { createGzip, type Gzip, gzip } from "node:zlib"
import { COMPRESSIBLE_CONTENT_TYPE_REGEX as compressible } from "hono/utils/compress"
import { acceptsGzip } from "../../request/request-head.ts"
import type { Bytes } from "./body-bytes.ts"
import { compressedTag } from "./entity-tag.ts"

/** A shorter body fits one network packet, so compressing it saves nothing. */
export const gzipBytesMin = 1_400

/** Up to this size, compressing costs less than handing the bytes to another thread. */
const ownThreadBytesMax = 16 * 1024

/** Compresses the body while it is sent, if the client accepts that and the type of content is worth it. */
export function compress(request: Request, response: Response): Response {
  const { status, headers } = response
  if (status !== 304 && !compressible.test(headers.get("content-type") ?? "")) return response
  headers.append("Vary", "Accept-Encoding")
  // A response to HEAD has the headers of the one to GET.
  const body = request.method === "HEAD" ? new ReadableStream() : response.body
  if (status === 304 || body === null || !acceptsGzip(request.headers)) return response
  const compressed = new Response(body.pipeThrough(new CompressionStream("gzip")), response)
  const tag = headers.get("etag")
  if (tag !== null) compressed.headers.set("ETag", compressedTag(tag))
  compressed.headers.set("Content-Encoding", "gzip")
  compressed.headers.delete("Content-Length")
  return compressed
}

export async function compressBytes(bytes: Bytes): Promise<Bytes> {
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
