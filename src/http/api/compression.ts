import { gzip } from "node:zlib"
import { parseAccept } from "./accept-header.ts"

/** A shorter answer fits one network packet; compressing it saves nothing. */
export const gzipBytesMin = 1_400

/** Runs on a thread of the runtime, so that requests do not wait. */
export const pack = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    gzip(bytes, (error, packed) => (error ? reject(error) : resolve(new Uint8Array(packed))))
  })

export function acceptsGzip(header: string | null): boolean {
  if (header === null) return false
  const quality = new Map(parseAccept(header).map(({ name, quality }) => [name, quality]))
  return (quality.get("gzip") ?? quality.get("x-gzip") ?? quality.get("*") ?? 0) > 0
}
