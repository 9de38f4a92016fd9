/**
 * Blanks at the ends of a text: Unicode white space, and the invisible characters (byte order mark,
 * zero-width space, joiners) that are copied along with text.
 */
const blank = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]/u

const isPlain = (unit: number) => unit > 0x20 && unit < 0x7f

/** Walks inward from both ends: an expression anchored with `+$` is quadratic on long inner runs. */
export function trimBlank(text: string): string {
  if (isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(text.length - 1))) return text
  let start = 0
  let end = text.length
  while (start < end) {
    const character = String.fromCodePoint(text.codePointAt(start) ?? 0)
    if (!blank.test(character)) break
    start += character.length
  }
  while (end > start) {
    const isPair = end - start > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff
    const character = text.slice(isPair ? end - 2 : end - 1, end)
    if (!blank.test(character)) break
    end -= character.length
  }
  return text.slice(start, end)
}
