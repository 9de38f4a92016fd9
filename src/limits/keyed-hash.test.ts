import { expect, test } from "bun:test"
import fc from "fast-check"
import { createKeyedHash } from "./keyed-hash.ts"

const hashOf = createKeyedHash(new Uint8Array(32).fill(7))
const otherKey = createKeyedHash(new Uint8Array(32).fill(8))
const read = (hash: Int32Array) => hash.join()

test("differs with the kind, each text, where one ends, and the key", () => {
  const texts = fc.string({ unit: "binary", maxLength: 50 })
  const names = fc.tuple(fc.nat({ max: 5_000 }), texts, texts)
  fc.assert(
    fc.property(names, names, (one, other) => {
      const isSame = one.join("\0") === other.join("\0")
      expect(read(hashOf(...one)) === read(hashOf(...other))).toBe(isSame)
      expect(read(hashOf(...one))).not.toBe(read(otherKey(...one)))
      const [kind, first, second] = one
      if (second !== "") {
        expect(read(hashOf(kind, first + second, ""))).not.toBe(read(hashOf(...one)))
      }
    }),
  )
})

test("spreads addresses that follow each other", () => {
  const sets = new Set<number>()
  for (let last = 0; last < 256; last += 1) {
    sets.add(((hashOf(5, "key_1", `192.0.2.${last}`)[0] ?? 0) >>> 0) % 12_500)
  }
  expect(sets.size).toBeGreaterThan(240)
})
