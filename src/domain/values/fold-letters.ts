const marks = /\p{M}/gu

/** A text without case and accents, for comparing; ı, i, I and İ are one letter. */
export function foldLetters(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase()
  // Marks go first, too: NFKD sorts those of a letter, which costs the square of their number.
  const bare = text.replace(marks, "").normalize("NFKD").replace(marks, "")
  return bare.toLowerCase().replaceAll("ı", "i")
}
