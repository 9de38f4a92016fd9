import { createBoundedMap } from "../platform/collections.ts"

/** Bounds memory: about 18 MB when both generations of the map are full. An address that validates often stays. */
const addressesPerGenerationMax = 25_000
const windowMs = 86_400_000
/** Words of 32 bits per window: 470 codes are counted within 4 %. */
const words = 16
const bits = 32 * words

/**
 * Estimates how many different codes an address validated, by linear counting: each code sets one bit of the running
 * day, and the unset bits of this day and the day before show how many codes there were.
 */
export function createValidCodes(nowMs: () => number) {
  const sketches =
    createBoundedMap<Readonly<{ window: number; days: Uint32Array }>>(addressesPerGenerationMax)
  const currentWindow = () => Math.floor(nowMs() / windowMs)

  /** The words of the running day, then those of the day before. */
  function findDays(address: string): Uint32Array | null {
    const sketch = sketches.find(address)
    const age = sketch === undefined ? 2 : currentWindow() - sketch.window
    if (sketch === undefined || age >= 2) return null
    if (age === 0) return sketch.days
    const days = new Uint32Array(2 * words)
    days.set(sketch.days.subarray(0, words), words)
    return days
  }
  return {
    add(address: string, code: string): void {
      const days = findDays(address) ?? new Uint32Array(2 * words)
      const bit = Bun.hash.xxHash32(code) % bits
      days[bit >>> 5] = (days[bit >>> 5] ?? 0) | (1 << (bit & 31))
      sketches.set(address, { window: currentWindow(), days })
    },
    /** In the last 24 to 48 hours. */
    count(address: string): number {
      const days = findDays(address)
      if (days === null) return 0
      let unset = 0
      for (let at = 0; at < words; at += 1)
        unset += 32 - countBits((days[at] ?? 0) | (days[at + words] ?? 0))
      return Math.round(bits * Math.log(bits / Math.max(1, unset)))
    },
  }
}

function countBits(word: number): number {
  let count = 0
  for (let rest = word; rest !== 0; rest &= rest - 1) count += 1
  return count
}
