import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { createTravelVault } from "../secrets/vaults.ts"
import { createSealedLineFinder, createSealReader, renderSealLine } from "./feed-seal.ts"

const travel = createTravelVault(new Uint8Array(32).fill(7))

function sealOf(feed: string): string {
  const seal = travel.createFeedSeal()
  seal.add(Buffer.from(feed))
  return `${renderSealLine(seal)}\n`
}

function stateOf(chunks: readonly Uint8Array[]) {
  const reader = createSealReader(travel.createFeedSeal())
  for (const chunk of chunks) reader.add(chunk)
  return reader.end()
}

function cut(bytes: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  const chunks: Uint8Array[] = []
  let at = 0
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return [...chunks, bytes.subarray(at)]
}

const secret = '{"type":"password","username":"elif","sealed":"AA=="}'
/** Around the length from which a line cannot be the seal. */
const line = fc.oneof(
  fc.constantFrom("", secret, '{"type":"account"}'),
  fc.integer({ min: 1_000, max: 1_050 }).map((length) => "x".repeat(length)),
)
const feed = fc.array(line, { maxLength: 6 }).map((lines) => [secret, ...lines, ""].join("\n"))
const sizes = fc.array(
  fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 900, max: 1_200 })),
)

describe("however the bytes are cut", () => {
  test("a whole feed is sealed, and a shortened one is not", () => {
    fc.assert(
      fc.property(feed, sizes, fc.integer({ min: 2, max: 60 }), (text, pieces, missing) => {
        const whole = Buffer.from(text + sealOf(text))
        expect(stateOf(cut(whole, pieces))).toBe("sealed")
        expect(stateOf(cut(whole.subarray(0, -1), pieces))).toBe("sealed")
        expect(stateOf(cut(whole.subarray(0, -missing), pieces))).toBe("unsealed")
        expect(stateOf(cut(Buffer.from(text), pieces))).toBe("unsealed")
      }),
    )
  })

  test("one changed byte breaks the seal", () => {
    fc.assert(
      fc.property(feed, sizes, fc.nat(), (text, pieces, at) => {
        const whole = Buffer.from(text + sealOf(text))
        // After the first line, so that it still is one that needs a seal.
        const place = secret.length + (at % (text.length - secret.length))
        whole.writeUInt8(whole.readUInt8(place) ^ 1, place)
        // Without the line break before it, the seal is no line of its own.
        const isSealAlone = place < text.length - 1
        expect(stateOf(cut(whole, pieces))).toBe(isSealAlone ? "broken" : "unsealed")
      }),
    )
  })
})

test("a seal comes right after a line of any length", () => {
  for (const length of [1_000, 1_022, 1_023, 1_024, 1_025, 5_000]) {
    const text = `${secret}\n${"x".repeat(length)}\n`
    expect(stateOf([Buffer.from(text), Buffer.from(sealOf(text))])).toBe("sealed")
  }
})

describe("a line that needs a seal", () => {
  const find = (chunks: readonly Uint8Array[]) => chunks.some(createSealedLineFinder())

  test.each(["key", "password", "seal"])("is found however the bytes are cut: %s", (type) => {
    fc.assert(
      fc.property(sizes, fc.nat({ max: 2_000 }), (pieces, before) => {
        const bytes = Buffer.from(`${" ".repeat(before)}{"type" : "${type}","username":"elif"}`)
        expect(find(cut(bytes, pieces))).toBe(true)
      }),
    )
  })

  test("is not in a feed without keys and passwords, whatever its texts say", () => {
    const description = 'the "key" is {"type":"key"}'
    const texts = JSON.stringify({ type: "account", description, tags: ["key", "password"] })
    expect(find([Buffer.from(texts)])).toBe(false)
    expect(find([])).toBe(false)
  })
})
