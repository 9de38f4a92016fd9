export type Bytes = Uint8Array<ArrayBuffer>
export type Body = string | Bytes | AsyncIterable<Bytes>

const utf8 = new TextEncoder()

export const isStream = (body: Body): body is AsyncIterable<Bytes> =>
  typeof body !== "string" && !(body instanceof Uint8Array)

/**
 * Reads a chunk after the client has taken the previous one, so a long list is never in memory as a whole.
 * `assertKeyValid` runs between chunks and throws if the client may no longer read.
 */
export function createBodyStream(
  chunks: AsyncIterable<Bytes>,
  assertKeyValid: () => Promise<void>,
  onError: (fault: unknown) => void,
): ReadableStream<Bytes> {
  const source = chunks[Symbol.asyncIterator]()
  let hasReader = true
  let isFirst = true
  return new ReadableStream({
    async pull(controller) {
      try {
        if (!isFirst) await assertKeyValid()
        isFirst = false
        const { done, value } = await source.next()
        if (!hasReader) return
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (fault) {
        // Abort the connection: half a list must not look complete.
        onError(fault)
        controller.error(fault)
      }
    },
    async cancel() {
      hasReader = false
      await source.return?.()
    },
  })
}

export const encodeBody = (body: string | Bytes): Bytes =>
  typeof body === "string" ? utf8.encode(body) : body

/** Returns the chunks unjoined, because a blob copies them once. Null if they exceed `bytesMax`. */
export async function readChunks(body: Body, bytesMax: number): Promise<Bytes[] | null> {
  if (!isStream(body)) return [encodeBody(body)]
  const chunks: Bytes[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > bytesMax) return null
  }
  return chunks
}
