/** The code samples of the documentation, taken from its HTML as a reader would copy them. */
export type PageSample = Readonly<{
  /** The operation it belongs to. */
  id: string
  language: string
  text: string
}>

export const samplesOf = (html: string): readonly PageSample[] =>
  [...html.matchAll(/<code data-sample="(\w+) (\w+)">(.*?)<\/code>/gs)].map(
    ([, id = "", language = "", text = ""]) => ({ id, language, text: textOf(text) }),
  )

/** What the reader sees of it, whatever tags colour it. */
export const textOf = (html: string) => unescapeHtml(html.replace(/<[^>]*>/g, ""))

export const unescapeHtml = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
