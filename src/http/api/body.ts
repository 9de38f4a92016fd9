import type { Awaitable } from "../../domain/awaitable.ts"
import { DomainError } from "../../domain/error.ts"
import type { Exchange } from "./answer.ts"

export const bodyBytesMax = 64 * 1024

/**
 * The body as text, byte order mark dropped. Judged by its length before and while it is read. One
 * sent with GET never reaches us: the runtime drops it.
 */
export function readBody({
  request,
  method,
}: Pick<Exchange, "request" | "method">): Awaitable<string> {
  if (method !== "POST") return ""
  const declared = request.headers.get("content-length")
  // Without a declared length only reading tells. With one, which the runtime keeps to, the stream is
  // left alone: to look at it is to make it, and reading through it costs 3 µs more.
  if (declared === null) return request.body === null ? "" : readAtMost(request.body)
  if (Number(declared) > bodyBytesMax) throw new DomainError("too_large")
  return declared === "0" ? "" : request.text()
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
