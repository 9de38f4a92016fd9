/** How long somebody who tries random purchase codes needs to find one, estimated from a sample. */
import type { Rate } from "./rate-limits.ts"

/** Fewer codes of a form say too little about it. */
const sampleMin = 50

/** The addresses of a botnet that is cheap to rent. */
const guessers = 10_000
/** Answers of a server with a few cores. */
const answersEachSecond = 50_000

/** Attempts per second. `misses` is the limit of one address on each thread; null for no limit. */
export function countGuesses(misses: Rate | null, threads: number): number {
  if (misses === null) return answersEachSecond
  return Math.min(answersEachSecond, Math.round((guessers * threads * 1_000) / misses.intervalMs))
}

/**
 * Seconds until somebody with this many guesses a second is expected to hit one of `total` codes; null when
 * the sample is too small. Codes of different forms are judged apart, and the weakest form counts.
 *
 * Each place of a code is taken to be independent of the others, so this is an upper bound: the hash of a
 * counter looks random here.
 */
export function estimateGuessing(
  sample: readonly string[],
  total: number,
  guessesEachSecond: number,
): number | null {
  const forms = [...Map.groupBy(sample, formOf).values()].filter(
    ({ length }) => length >= sampleMin,
  )
  if (forms.length === 0) return null
  const seconds = forms.map((codes) => {
    const live = total * (codes.length / sample.length)
    return 2 ** entropyBits(codes) / live / guessesEachSecond
  })
  return Math.min(...seconds)
}

/** The length of a code and the places of its separators. Case is ignored, as in look-ups. */
const formOf = (code: string) => code.replace(/[\p{L}\p{N}]/gu, "x")

/** The sum of the entropies of all places. */
function entropyBits(codes: readonly string[]): number {
  const folded = codes.map((code) => [...code.toLowerCase()])
  const places = folded[0]?.keys() ?? [].keys()
  return [...places].reduce((bits, place) => bits + bitsAt(folded, place), 0)
}

function bitsAt(codes: readonly (readonly string[])[], place: number): number {
  const counts = [...Map.groupBy(codes, (code) => code[place] ?? "").values()]
  return counts.reduce((bits, { length }) => {
    const share = length / codes.length
    return bits - share * Math.log2(share)
  }, 0)
}
