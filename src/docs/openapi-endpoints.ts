import { createErrorResponder, type OperatorGuard } from "../api/operator-guard.ts"
import { chooseVariant } from "../api/pipeline.ts"
import { entityTag, findCurrentTag, hashBody } from "../platform/http/compression.ts"
import { createLocaleCache } from "../platform/http/locale.ts"
import { queryParameters } from "../platform/http/parameters.ts"
import { queryOf } from "../platform/http/request-head.ts"
import type { Caller } from "../platform/ip-range.ts"
import type { Locale } from "../platform/locale.ts"

type DocumentOptions = Readonly<{
  version: string
  siteLocale: Locale
  admitOperator: OperatorGuard
  /** Not called before the server listens. */
  currentBaseUrl(): string
}>

export const failDocument = createErrorResponder("GET, HEAD", {})

/** Handlers by path. The document of the operator API requires an operator token. */
export function createDocumentHandlers(
  options: DocumentOptions,
): Readonly<Record<string, (request: Request, caller: Caller) => Promise<Response>>> {
  const { version, siteLocale, admitOperator, currentBaseUrl } = options
  const createHandler = (audience: "author" | "operator") =>
    createDocumentHandler(siteLocale, async (locale) => {
      // Imported lazily: the pages load the same module.
      const { createDocument } = await import("../contract/openapi.ts")
      return createDocument(audience, locale, version, currentBaseUrl())
    })
  const handleOperator = createHandler("operator")
  return {
    "/openapi.json": createHandler("author"),
    "/operator/openapi.json": async (request, caller) => {
      const admitted = await admitOperator(request, caller)
      return admitted instanceof Response ? admitted : handleOperator(request)
    },
  }
}

function createDocumentHandler(
  siteLocale: Locale,
  create: (locale: Locale) => Promise<object>,
): (request: Request) => Promise<Response> {
  const render = createLocaleCache(async (locale) => JSON.stringify(await create(locale)))
  return async ({ url, headers, method }) => {
    if (method !== "GET" && method !== "HEAD") return failDocument(405)
    const query = queryParameters(queryOf(url))
    const { locale, isLocaleNegotiated } = chooseVariant(query, headers, siteLocale)
    const body = await render(locale)
    const tag = entityTag(hashBody({ body }), locale)
    const currentTag = findCurrentTag(headers, tag)
    const tagged = {
      "Cache-Control": "no-cache",
      "Content-Language": locale,
      ...(isLocaleNegotiated ? { Vary: "Accept-Language" } : {}),
      ETag: currentTag ?? tag,
    }
    if (currentTag !== null) return new Response(null, { status: 304, headers: tagged })
    const type = "application/json; charset=utf-8"
    return new Response(body, { headers: { ...tagged, "Content-Type": type } })
  }
}
