/** A text without case and accents, for comparing; ı, i, I and İ are one letter. */
export function foldLetters(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase()
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ı", "i")
}
