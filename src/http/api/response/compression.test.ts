import { expect, test } from "bun:test"
import { gunzipSync } from "node:zlib"
import fc from "fast-check"
import { propertyRuns } from "../../../../tests/harness/full-test-run.ts"
import type { Bytes } from "./body-bytes.ts"
import { compressBytes, compressChunks } from "./compression.ts"

async function* each(chunks: readonly Bytes[]) {
  for (const chunk of chunks) yield chunk
}

async function compressAll(chunks: readonly Bytes[]): Promise<Buffer> {
  const compressed: Bytes[] = []
  for await (const chunk of compressChunks(each(chunks))) compressed.push(chunk)
  return gunzipSync(Buffer.concat(compressed))
}

const anyChunk = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  // Longer than the internal buffer of gzip.
  fc.nat({ max: 70_000 }).map((length) => crypto.getRandomValues(new Uint8Array(length & 0xffff))),
)

test("chunks are compressed into one stream; concurrent streams do not mix", async () => {
  const lists = fc.array(fc.array(anyChunk, { maxLength: 8 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(lists, async (input) => {
      const copies = input.map((chunks) => chunks.map((chunk) => new Uint8Array(chunk)))
      const inflated = await Promise.all(copies.map(compressAll))
      expect(inflated).toEqual(copies.map((chunks) => Buffer.concat(chunks)))
    }),
    { numRuns: propertyRuns(30) },
  )
})

test("short and long bodies are compressed completely", async () => {
  for (const length of [1_400, 16 * 1024, 16 * 1024 + 1, 500_000]) {
    const bytes = new Uint8Array(length).map((_, at) => at % 251)
    expect(gunzipSync(await compressBytes(bytes))).toEqual(Buffer.from(bytes))
  }
})

test("a reader that stops ends the source, and an error of the source is thrown", async () => {
  let isClosed = false
  async function* endless() {
    try {
      for (;;) yield crypto.getRandomValues(new Uint8Array(60_000))
    } finally {
      isClosed = true
    }
  }
  for await (const _ of compressChunks(endless())) break
  expect(isClosed).toBe(true)
  async function* failing() {
    yield new Uint8Array(10)
    throw new Error("the key was revoked")
  }
  await expect(Array.fromAsync(compressChunks(failing()))).rejects.toThrow("revoked")
})
