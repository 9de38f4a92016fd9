/**
 * Parses the responses of one keep-alive connection, in pieces of any size. Supports only the HTTP/1.1 of our
 * contenders: a length or chunks, and 204 and 304 without a body.
 */
export type HttpResponse = Readonly<{
  status: number
  /** Whether the server closes the connection after this response. */
  isLast: boolean
  /** The length of the body, without the framing of chunks. */
  bytes: number
  /** Null unless requested. Valid until the next piece is read. */
  body: Uint8Array | null
}>

export type HttpReader = ReturnType<typeof createHttpReader>

export class HttpError extends Error {
  override name = "HttpError"
}

const headEnd = Buffer.from("\r\n\r\n")
const lineEnd = Buffer.from("\r\n")
const nothing = Buffer.alloc(0)

type Framing = Readonly<{ status: number; isLast: boolean; length: number; isChunked: boolean }>

export function createHttpReader() {
  let held: Buffer = nothing
  let framing: Framing | null = null
  let bytes = 0
  /** The remaining bytes of the body or of the current chunk. */
  let left = 0
  let chunks: Buffer[] = []

  function end({ status, isLast }: Framing, rest: number, body: Uint8Array | null): HttpResponse {
    if (rest > 0) throw new HttpError(`${rest} bytes behind the end of an answer`)
    const response = { status, isLast, bytes, body }
    held = nothing
    framing = null
    bytes = 0
    chunks = []
    return response
  }

  function take(data: Buffer, wantsBody: boolean): void {
    bytes += data.length
    left -= data.length
    if (wantsBody) chunks.push(Buffer.from(data))
  }

  function readLength(data: Buffer, head: Framing, wantsBody: boolean) {
    const { length } = head
    // Most responses arrive in one piece, which needs no copy.
    if (bytes === 0 && data.length >= length) {
      bytes = length
      return end(head, data.length - length, wantsBody ? data.subarray(0, length) : null)
    }
    const part = data.subarray(0, left)
    take(part, wantsBody)
    if (left > 0) return null
    return end(head, data.length - part.length, wantsBody ? Buffer.concat(chunks) : null)
  }

  /** `left` counts the data of a chunk; at zero a size line follows. */
  function readChunks(data: Buffer, head: Framing, wantsBody: boolean): HttpResponse | null {
    let rest = data
    for (;;) {
      if (left > 0) {
        const part = rest.subarray(0, left)
        take(part, wantsBody)
        rest = rest.subarray(part.length)
        if (left > 0) return null
      }
      // The data of a chunk ends with CRLF.
      const from = bytes > 0 ? lineEnd.length : 0
      const at = rest.indexOf(lineEnd, from)
      if (at === -1) {
        held = Buffer.from(rest)
        return null
      }
      const size = Number.parseInt(rest.toString("latin1", from, at), 16)
      if (Number.isNaN(size)) throw new HttpError("a chunk without a size")
      if (size === 0) {
        const rests = rest.length - at - headEnd.length
        if (rests < 0) {
          held = Buffer.from(rest)
          return null
        }
        return end(head, rests, wantsBody ? Buffer.concat(chunks) : null)
      }
      left = size
      rest = rest.subarray(at + lineEnd.length)
    }
  }

  return {
    /** Returns the response that this piece completes, or null. Throws if a piece contains two responses. */
    read(piece: Buffer, wantsBody: boolean): HttpResponse | null {
      let data = held.length === 0 ? piece : Buffer.concat([held, piece])
      held = nothing
      if (framing === null) {
        const at = data.indexOf(headEnd)
        if (at === -1) {
          held = Buffer.from(data)
          return null
        }
        framing = parseHead(data.toString("latin1", 0, at))
        left = framing.isChunked ? 0 : framing.length
        data = data.subarray(at + headEnd.length)
      }
      if (framing.isChunked) return readChunks(data, framing, wantsBody)
      return readLength(data, framing, wantsBody)
    },
  }
}

const lengthHeader = /\r\ncontent-length: *(\d+)/i

function parseHead(head: string): Framing {
  const status = Number(head.slice(9, 12))
  if (!head.startsWith("HTTP/1.1 ") || !(status >= 200)) throw new HttpError(`no answer: ${head}`)
  const isLast = head.includes("\r\nConnection: close")
  if (status === 204 || status === 304) return { status, isLast, length: 0, isChunked: false }
  const length = lengthHeader.exec(head)?.[1]
  if (length !== undefined) return { status, isLast, length: Number(length), isChunked: false }
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head)
  if (isChunked) return { status, isLast, length: 0, isChunked }
  throw new HttpError(`an answer without a length: ${head}`)
}
