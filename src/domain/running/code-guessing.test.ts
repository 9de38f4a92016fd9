import { describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import fc from "fast-check"
import { runs } from "../../../tests/harness/tier.ts"
import { countGuesses, estimateGuessing } from "./code-guessing.ts"

const count = 1_000
const digestOf = (at: number) => createHash("sha256").update(String(at)).digest()
const codesOf = (write: (bytes: Buffer, at: number) => string) =>
  Array.from({ length: count }, (_, at) => write(digestOf(at), at))

/** Bits of the space that the codes are taken to come from. */
const bitsOf = (codes: readonly string[]) =>
  Math.log2((estimateGuessing(codes, count, 1) ?? Number.NaN) * count)

const uuid = (bytes: Buffer) =>
  bytes.toString("hex").replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-a$4-$5")
const digits = (bytes: Buffer, length: number) => bytes.join("").slice(1, length + 1)

describe("the space of codes", () => {
  test("of random UUIDs is that of their random digits", () => {
    expect(Math.abs(bitsOf(codesOf(uuid)) - 120)).toBeLessThan(1)
  })

  test("of numbers that count upwards is hardly larger than the codes themselves", () => {
    expect(bitsOf(codesOf((_, at) => `ORDER-${100_000 + at}`))).toBeLessThan(Math.log2(count) + 1)
  })

  test("of eight random digits is a hundred million at most", () => {
    const bits = bitsOf(codesOf((bytes) => digits(bytes, 8)))
    expect(bits).toBeGreaterThan(22)
    expect(bits).toBeLessThan(Math.log2(1e8) + 0.1)
  })

  test("does not grow with the case of letters, which look-ups ignore", () => {
    const mixed = codesOf((bytes, at) => (at % 2 === 0 ? uuid(bytes) : uuid(bytes).toUpperCase()))
    expect(bitsOf(mixed)).toBeCloseTo(bitsOf(codesOf(uuid)), 6)
  })
})

test("the weakest form counts, by its share of all codes", () => {
  const weak = codesOf((_, at) => String(100_000 + at))
  const mixed = [...codesOf(uuid), ...weak]
  const alone = estimateGuessing(weak, count, 1) ?? 0
  expect(estimateGuessing(mixed, 2 * count, 1)).toBeCloseTo(alone, 9)
})

test("with more codes to hit, guessing takes less time", () => {
  const codes = codesOf(uuid)
  const [few = 0, many = 0] = [1_000, 1_000_000].map(
    (total) => estimateGuessing(codes, total, 1) ?? 0,
  )
  expect(few / many).toBeCloseTo(1_000, 6)
})

test("too few codes of one form say nothing", () => {
  expect(estimateGuessing([], 0, 1)).toBeNull()
  expect(estimateGuessing(codesOf(uuid).slice(0, 49), 49, 1)).toBeNull()
})

test("any codes give null or a time that is not negative", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 200 }),
      (codes) => {
        const seconds = estimateGuessing(codes, codes.length, 1)
        return seconds === null || seconds >= 0
      },
    ),
    { numRuns: runs(200) },
  )
})

test("guesses are as many as the limit allows to ten thousand addresses", () => {
  expect(countGuesses({ intervalMs: 10_000, burst: 60 }, 1)).toBe(1_000)
  expect(countGuesses({ intervalMs: 10_000, burst: 60 }, 4)).toBe(4_000)
  expect(countGuesses({ intervalMs: 1_000, burst: 60 }, 1)).toBe(10_000)
  expect(countGuesses({ intervalMs: 1, burst: 60 }, 1)).toBe(50_000)
  expect(countGuesses(null, 1)).toBe(50_000)
})

test("with more guesses a second, one is hit sooner", () => {
  const [slow = 0, fast = 0] = [1, 50].map(
    (guesses) => estimateGuessing(codesOf(uuid), 1, guesses) ?? 0,
  )
  expect(slow / fast).toBeCloseTo(50, 6)
})
