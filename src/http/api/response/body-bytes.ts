/** The body of an answer: a text, bytes, or a stream of pieces. */

export type Bytes = Uint8Array<ArrayBuffer>
export type Body = string | Bytes | AsyncIterable<Bytes>

const utf8 = new TextEncoder()

export const isStream = (body: Body): body is AsyncIterable<Bytes> =>
  typeof body !== "string" && !(body instanceof Uint8Array)

/**
 * Reads the next piece when the client has taken the last one: a long list is never whole in memory.
 * `assertAdmitted` is called between the pieces and throws when the client may no longer read.
 */
export function createBodyStream(
  pieces: AsyncIterable<Bytes>,
  assertAdmitted: () => Promise<void>,
  onBroken: (fault: unknown) => void,
): ReadableStream<Bytes> {
  const source = pieces[Symbol.asyncIterator]()
  let hasReader = true
  let isFirst = true
  return new ReadableStream({
    async pull(controller) {
      try {
        if (!isFirst) await assertAdmitted()
        isFirst = false
        const { done, value } = await source.next()
        if (!hasReader) return
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (fault) {
        // Cut the connection: half a list must not look like a whole one.
        onBroken(fault)
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

/** Its pieces, not joined: a blob copies them once. Null when they are longer than `bytesMax`. */
export async function readChunks(body: Body, bytesMax: number): Promise<Bytes[] | null> {
  if (!isStream(body)) return [encodeBody(body)]
  const pieces: Bytes[] = []
  let bytes = 0
  for await (const piece of body) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > bytesMax) return null
  }
  return pieces
}
