import type { Locale } from "../../domain/values/locale.ts"
import en from "./openapi.en.json" with { type: "json" }
import tr from "./openapi.tr.json" with { type: "json" }
import operatorEn from "./operator.en.json" with { type: "json" }
import operatorTr from "./operator.tr.json" with { type: "json" }

export const authorDocuments = { en, tr }
export const operatorDocuments = { en: operatorEn, tr: operatorTr }

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
