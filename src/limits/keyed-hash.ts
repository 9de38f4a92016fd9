/**
 * HalfSipHash-1-3 with 64 bits of output (Aumasson and Bernstein), as Linux uses it for its hash tables:
 * without the key, nobody can find texts that share an entry. No call allocates.
 */

/** The low and the high half of a hash. */
export type Hash = Int32Array

export type KeyedHash = (kind: number, first: string, second: string) => Hash

/** The returned array is filled anew by the next call. */
export function createKeyedHash(key: Uint8Array): KeyedHash {
  const words = new DataView(key.buffer, key.byteOffset, key.byteLength)
  const [low, high] = [words.getInt32(0, true), words.getInt32(4, true)]
  const hash = new Int32Array(2)

  return (kind, first, second) => {
    const ofFirst = 1 + ((first.length + 1) >> 1)
    const all = ofFirst + ((second.length + 1) >> 1)
    let v0 = low
    let v1 = high ^ 0xee
    let v2 = low ^ 0x6c796765
    let v3 = high ^ 0x74656462
    // One step for each word of the text, one for its length, and two that end the hash.
    for (let step = 0; step < all + 3; step += 1) {
      let word = 0
      let rounds = 1
      if (step === 0) word = kind
      else if (step < ofFirst) word = wordOf(first, step - 1)
      else if (step < all) word = wordOf(second, step - ofFirst)
      // Both lengths, so that no part of one text can be taken for a part of the other.
      else if (step === all) word = (first.length << 16) | second.length
      else {
        rounds = 3
        if (step === all + 1) v2 ^= 0xee
        else v1 ^= 0xdd
      }
      v3 ^= word
      for (let round = 0; round < rounds; round += 1) {
        v0 = (v0 + v1) | 0
        v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
        v0 = (v0 << 16) | (v0 >>> 16)
        v2 = (v2 + v3) | 0
        v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
        v0 = (v0 + v3) | 0
        v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
        v2 = (v2 + v1) | 0
        v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
        v2 = (v2 << 16) | (v2 >>> 16)
      }
      v0 ^= word
      if (step === all + 1) hash[0] = v1 ^ v3
    }
    hash[1] = v1 ^ v3
    return hash
  }
}

/** Two characters. */
const wordOf = (text: string, at: number) =>
  text.charCodeAt(2 * at) | (text.charCodeAt(2 * at + 1) << 16)
