/** Where the descriptions of the API are served. */
import type { Caller } from "../../domain/running/rate-limits.ts"
import type { Locale } from "../api/answer/messages.ts"
import { createFailures } from "../operator-api/failures.ts"
import type { OperatorGuard } from "../operator-api/token.ts"
import { createDocument } from "./document.ts"
import { createDocumentHandler } from "./document-handler.ts"
import { createOperatorDocument } from "./operator-document.ts"

type DocumentOptions = Readonly<{
  version: string
  siteLocale: Locale
  admitOperator: OperatorGuard
  /** Asked when a document is made: the server is listening by then. */
  currentBaseUrl(): string
}>

export const failDocument = createFailures("GET, HEAD", {})

/** By path. The operator's document needs an operator token. */
export function createDocumentHandlers(
  options: DocumentOptions,
): Readonly<Record<string, (request: Request, caller: Caller) => Promise<Response>>> {
  const { version, siteLocale, admitOperator, currentBaseUrl } = options
  const optionsOf = (locale: Locale) => ({ version, baseUrl: currentBaseUrl(), locale })
  const answer = createDocumentHandler(siteLocale, (locale) => createDocument(optionsOf(locale)))
  const answerOperator = createDocumentHandler(siteLocale, (locale) =>
    createOperatorDocument(optionsOf(locale)),
  )
  return {
    "/openapi.json": answer,
    "/operator/openapi.json": async (request, caller) => {
      const admitted = await admitOperator(request, caller)
      return admitted instanceof Response ? admitted : answerOperator(request)
    },
  }
}
