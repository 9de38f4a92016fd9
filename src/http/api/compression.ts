import { gzip } from "node:zlib"

/** Up to here an answer fits one network packet, and packing it would only cost time. */
export const gzipBytesMin = 1_400

/** Beside the requests, on a thread of the runtime's own. */
export const pack = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    gzip(bytes, (error, packed) => (error ? reject(error) : resolve(new Uint8Array(packed))))
  })

export function acceptsGzip(header: string | null): boolean {
  if (header === null) return false
  const quality = new Map(header.split(",").map(parseCoding))
  return (quality.get("gzip") ?? quality.get("x-gzip") ?? quality.get("*") ?? 0) > 0
}

function parseCoding(text: string): [coding: string, quality: number] {
  const [coding = "", ...parameters] = text.split(";")
  const weight = parameters.map((parameter) => parameter.trim()).find((p) => /^q=/i.test(p))
  return [coding.trim().toLowerCase(), weight === undefined ? 1 : Number(weight.slice(2))]
}
