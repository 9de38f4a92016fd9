import type { Locale } from "../platform/locale.ts"
import author from "./openapi.json" with { type: "json" }
import operator from "./operator.json" with { type: "json" }
import turkish from "./texts.tr.json" with { type: "json" }

type Translations = Readonly<Record<string, string>>

const sentences = ["title", "summary", "description"]
const exampleSentences = ["status", "msg"]

function translate(part: unknown, texts: Translations, names = sentences): unknown {
  if (Array.isArray(part)) return part.map((each) => translate(each, texts, names))
  if (typeof part !== "object" || part === null) return part
  // The operator API writes its own messages in English only, with an English `status`.
  if ("msg" in part && typeof part.msg === "string" && !(part.msg in texts)) return part
  const fields = Object.entries(part).map(([name, value]) => {
    if (names.includes(name) && typeof value === "string") return [name, texts[value] ?? value]
    return [name, translate(value, texts, name.startsWith("example") ? exampleSentences : names)]
  })
  return Object.fromEntries(fields)
}

const { common } = turkish
// `as`: a translation changes values only.
export const authorDocuments = {
  en: author,
  tr: translate(author, { ...common, ...turkish.author }) as typeof author,
}
export const operatorDocuments = {
  en: operator,
  tr: translate(operator, { ...common, ...turkish.operator }) as typeof operator,
}

export const webhooksOf = (locale: Locale) => ({
  ...authorDocuments[locale].webhooks,
  ...operatorDocuments[locale].webhooks,
})

export function createDocument(
  audience: "author" | "operator",
  locale: Locale,
  version: string,
  baseUrl: string,
): object {
  const document = (audience === "author" ? authorDocuments : operatorDocuments)[locale]
  return { ...document, info: { ...document.info, version }, servers: [{ url: baseUrl }] }
}
