/** Unicode whitespace, and invisible characters that are copied with text (byte order mark, joiners). */
const whitespace = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]/u
const isPlain = (unit: number) => unit > 0x20 && unit < 0x7f

/** Scans from both ends: a regular expression anchored with `+$` is quadratic on long inner runs. */
export function trimWhitespace(text: string): string {
  if (isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(text.length - 1))) return text
  let start = 0
  let end = text.length
  while (start < end) {
    const character = String.fromCodePoint(text.codePointAt(start) ?? 0)
    if (!whitespace.test(character)) break
    start += character.length
  }
  while (end > start) {
    const isPair = end - start > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff
    const character = text.slice(isPair ? end - 2 : end - 1, end)
    if (!whitespace.test(character)) break
    end -= character.length
  }
  return text.slice(start, end)
}

const marks = /\p{M}/gu

/** Removes case and accents for comparisons; ı, i, I and İ become one letter. */
export function foldLetters(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase()
  // Marks are also removed first: NFKD sorts the marks of a letter in quadratic time.
  const bare = text.replace(marks, "").normalize("NFKD").replace(marks, "")
  return bare.toLowerCase().replaceAll("ı", "i")
}

/** `15,992` */
export const formatCount = (count: number) => count.toLocaleString("en")

/** `1 problem`, `2 problems`. */
export const pluralize = (count: number, noun: string) =>
  `${count} ${noun}${count === 1 ? "" : "s"}`

/** Returns the candidate nearest to the typed word; null if none is a plausible typo. */
export function findNearest(typed: string, candidates: readonly string[]): string | null {
  const distanceMax = Math.max(1, Math.floor(typed.length / 3))
  const [nearest] = candidates
    .filter((word) => word.startsWith(typed) || Math.abs(word.length - typed.length) <= distanceMax)
    .map((word) => ({ word, distance: word.startsWith(typed) ? 0 : editDistance(typed, word) }))
    .filter(({ distance }) => distance <= distanceMax)
    .toSorted((one, other) => one.distance - other.distance)
  return typed === "" ? null : (nearest?.word ?? null)
}

function editDistance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next[column] = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = next
  }
  return at(last, other.length)
}

const at = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY

/** In lower case. */
const placeholders: ReadonlySet<string> = new Set(
  [
    "n/a, n.a., n.a, na, n-a, nan, nil, none, null, (null), <null>, undefined, unknown, empty, blank",
    "no, no code, no-code, nocode, missing, pending, tba, tbd, todo, invalid, default, manual, free, gift",
    "test, testing, test code, test-code, testcode, demo, sample, example, dummy, true, false, xxx, xxxx",
    "yok, boş, bos, kod yok, deneme, bilinmiyor, belirsiz, hediye",
  ].flatMap((line) => line.split(", ")),
)

const letterOrDigit = /[\p{L}\p{N}]/u

/** Marketplaces write `N/A`, `-` or `0` for sales without a code. Anybody can guess these. Expects the normal form. */
export const isPlaceholder = (code: string): boolean =>
  placeholders.has(lowerAscii(code)) || !letterOrDigit.test(code.replaceAll("0", ""))

/** Not `toLowerCase`, which turns the Kelvin sign into k: only ASCII letters are case-insensitive. */
export const lowerAscii = (code: string) =>
  /[A-Z]/.test(code) ? code.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : code
