import { splitHeader } from "./header-list.ts"

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
