/** Headers that are lists. */

/** Three times the length of real lists. Reading 15 KB of commas would take 8 ms. */
const lettersMax = 256

/** The entries of a header such as `Accept-Language`. A list that is too long loses its end. */
export function splitHeader(header: string): readonly string[] {
  if (header.length <= lettersMax) return header.split(",")
  // The cut may go through the last entry.
  return header.slice(0, lettersMax).split(",").slice(0, -1)
}

type Preference = Readonly<{ name: string; quality: number }>

/** The entries of a header such as `tr-TR;q=0.8, *;q=0.1`, in its order. An invalid weight counts as zero. */
export const parseAccept = (header: string): readonly Preference[] =>
  splitHeader(header).map(parsePreference)

function parsePreference(text: string): Preference {
  const [name = "", ...parameters] = text.split(";")
  const weight = parameters.map((parameter) => parameter.trim()).find((p) => /^q=/i.test(p))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { name: name.trim().toLowerCase(), quality: quality >= 0 && quality <= 1 ? quality : 0 }
}
