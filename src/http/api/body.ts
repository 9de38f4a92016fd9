import type { Awaitable } from "../../domain/awaitable.ts"
import { DomainError } from "../../domain/error.ts"
import { findContentLength } from "../content-length.ts"

export const bodyBytesMax = 64 * 1024

/** Where the body of such a request ends is unknown, so the connection is closed after the answer. */
export class UntrustedLength extends DomainError {
  constructor() {
    super("invalid_parameter")
  }
}

/**
 * The body as text, byte order mark dropped. Its length is checked before and while it is read. The
 * runtime drops a body sent with GET.
 */
export function readBody(request: Request, method: string): Awaitable<string> {
  if (method !== "POST") return ""
  const declared = request.headers.get("content-length")
  // Without a declared length the stream is counted while it is read.
  if (declared === null) return request.body === null ? "" : readAtMost(request.body)
  const length = findContentLength(declared)
  if (length === null) throw new UntrustedLength()
  if (length > bodyBytesMax) throw new DomainError("too_large")
  // The runtime reads no byte beyond a plain length. Reading through `request.body` would cost 3 µs.
  // A sender that disconnects has no parameters; the answer is lost anyway.
  return length === 0 ? "" : request.text().catch(() => "")
}

async function readAtMost(stream: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
    if (done || value === undefined) break
    bytes += value.length
    if (bytes > bodyBytesMax) {
      reader.cancel().catch(() => {})
      throw new DomainError("too_large")
    }
    chunks.push(value)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
