/** Where the descriptions of the API are served. */
import type { Locale } from "../api/messages.ts"
import { createFailures } from "../operator/failures.ts"
import { hasToken } from "../operator/token.ts"
import { createDocument } from "./document.ts"
import { createDocumentHandler, type DocumentHandler } from "./document-handler.ts"
import { createOperatorDocument } from "./operator-document.ts"

type DocumentOptions = Readonly<{
  version: string
  siteLocale: Locale
  /** Null where the operator's paths do not exist. */
  operatorToken: string | null
  /** Asked when a document is made: the server is listening by then. */
  currentBaseUrl(): string
}>

/** By path. The operator's document needs the operator's token. */
export function createDocumentHandlers(
  options: DocumentOptions,
): Readonly<Record<string, DocumentHandler>> {
  const { version, siteLocale, operatorToken, currentBaseUrl } = options
  const optionsOf = (locale: Locale) => ({ version, baseUrl: currentBaseUrl(), locale })
  const answer = createDocumentHandler(siteLocale, (locale) => createDocument(optionsOf(locale)))
  if (operatorToken === null) return { "/openapi.json": answer }
  const answerOperator = createDocumentHandler(siteLocale, (locale) =>
    createOperatorDocument(optionsOf(locale)),
  )
  const fail = createFailures("GET, HEAD", {})
  return {
    "/openapi.json": answer,
    "/operator/openapi.json": async (request) =>
      hasToken(request.headers, operatorToken) ? answerOperator(request) : fail(401),
  }
}
