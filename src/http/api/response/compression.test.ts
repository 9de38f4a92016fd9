import { expect, test } from "bun:test"
import { gunzipSync } from "node:zlib"
import fc from "fast-check"
import { propertyRuns } from "../../../../tests/harness/full-test-run.ts"
import type { Bytes } from "./body-bytes.ts"
import { compress, compressChunks } from "./compression.ts"

async function* each(pieces: readonly Bytes[]) {
  for (const piece of pieces) yield piece
}

async function compressAll(pieces: readonly Bytes[]): Promise<Buffer> {
  const compressed: Bytes[] = []
  for await (const piece of compressChunks(each(pieces))) compressed.push(piece)
  return gunzipSync(Buffer.concat(compressed))
}

const anyPiece = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  // More than gzip holds back.
  fc.nat({ max: 70_000 }).map((length) => crypto.getRandomValues(new Uint8Array(length & 0xffff))),
)

test("pieces are compressed into one stream, of many at once each into its own", async () => {
  const lists = fc.array(fc.array(anyPiece, { maxLength: 8 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(lists, async (given) => {
      const copies = given.map((pieces) => pieces.map((piece) => new Uint8Array(piece)))
      const inflated = await Promise.all(copies.map(compressAll))
      expect(inflated).toEqual(copies.map((pieces) => Buffer.concat(pieces)))
    }),
    { numRuns: propertyRuns(30) },
  )
})

test("a short and a long answer are compressed whole", async () => {
  for (const length of [1_400, 16 * 1024, 16 * 1024 + 1, 500_000]) {
    const bytes = new Uint8Array(length).map((_, at) => at % 251)
    expect(gunzipSync(await compress(bytes))).toEqual(Buffer.from(bytes))
  }
})

test("a reader that leaves ends the reading, and a source that fails is told", async () => {
  let isEnded = false
  async function* endless() {
    try {
      for (;;) yield crypto.getRandomValues(new Uint8Array(60_000))
    } finally {
      isEnded = true
    }
  }
  for await (const _ of compressChunks(endless())) break
  expect(isEnded).toBe(true)
  async function* failing() {
    yield new Uint8Array(10)
    throw new Error("the key was revoked")
  }
  await expect(Array.fromAsync(compressChunks(failing()))).rejects.toThrow("revoked")
})
