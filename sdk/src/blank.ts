/** Unicode white space, and invisible characters that are copied along with text. */
const blank = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]/u

/**
 * Trims as the server does. By characters from both ends, because an expression that ends in `+$` takes
 * quadratic time on long inner runs of blanks.
 */
export function trimBlank(typed: string): string {
  // `String`: a caller in JavaScript may pass nothing at all, and no question about a code throws.
  const characters = [...String(typed ?? "")]
  const isText = (character: string) => !blank.test(character)
  const start = characters.findIndex(isText)
  return start < 0 ? "" : characters.slice(start, characters.findLastIndex(isText) + 1).join("")
}

/** The server ignores a line feed within a code too, but signs no answer to it. */
export const cleanCode = (typed: string) => trimBlank(typed).replaceAll("\n", "")
