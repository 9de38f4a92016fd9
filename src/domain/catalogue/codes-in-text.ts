/**
 * Buyers send their code inside a message: "Hi, my code is 8f14… thanks". Codes are opaque, so only a
 * look-up can tell which word is one. This lists the words that are worth looking up.
 */
import { normalisePurchaseCode } from "./purchase-code.ts"

/** Most words of a message are shorter or have no digit. */
const charactersMin = 8
/** Each word costs up to three look-ups. */
const wordsMax = 30

const punctuation = "\"'`‘’“”„«»()\\[\\]{}<>*,;:!?.…"
const opening = new RegExp(`^[${punctuation}]+`, "u")
const closing = new RegExp(`[${punctuation}]+$`, "u")
/** As in `code:8f14…`. Letters only, so no part of a code is taken for one. */
const label = /^\p{L}+[:=]+/u

/**
 * The words that may be codes, each in normal form. A word has up to three readings, tried in this
 * order: as it is, without the punctuation around it, and without a label in front. No reading drops
 * anything inside a word, so a part of a longer code is never taken for a code.
 */
export function listCodeReadings(pasted: string): readonly (readonly string[])[] {
  const words = new Set(pasted.split(/\p{White_Space}+/u))
  return [...words]
    .map(readWord)
    .filter((readings) => readings.length > 0)
    .slice(0, wordsMax)
}

function readWord(word: string): readonly string[] {
  const whole = normalisePurchaseCode(word) ?? ""
  const bare = whole.replace(opening, "").replace(closing, "")
  const unlabelled = bare.replace(label, "").replace(opening, "")
  return [...new Set([whole, bare, unlabelled])].filter(mayBeCode)
}

const mayBeCode = (text: string) => text.length >= charactersMin && /\d/.test(text)
