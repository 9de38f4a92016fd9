/** Code samples, extracted from the HTML of the documentation as a reader would copy them. */
export type PageSample = Readonly<{
  id: string
  language: string
  text: string
}>

export const samplesOf = (html: string): readonly PageSample[] =>
  [...html.matchAll(/<code data-sample="(\w+) (\w+)">(.*?)<\/code>/gs)].map(
    ([, id = "", language = "", text = ""]) => ({ id, language, text: textOf(text) }),
  )

export const textOf = (html: string) => unescapeHtml(html.replace(/<[^>]*>/g, ""))

export const unescapeHtml = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
