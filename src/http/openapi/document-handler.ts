/** Serves a description of the API: JSON, in the language that was asked for, with an entity tag. */
import { entityTag, hashBody, matchesTag } from "../api/answer/entity-tag.ts"
import { type Locale, renderErrorBody } from "../api/answer/messages.ts"
import { createLocaleCache } from "../api/locale-cache.ts"
import { chooseVariant } from "../api/pipeline.ts"
import { queryParameters } from "../api/request/parameters.ts"
import { queryOf } from "../request/request-head.ts"

type DocumentHandler = (request: Request) => Promise<Response>

export function createDocumentHandler(
  siteLocale: Locale,
  create: (locale: Locale) => Promise<object>,
): DocumentHandler {
  const render = createLocaleCache(async (locale) => JSON.stringify(await create(locale)))
  return async ({ url, headers, method }) => {
    const variant = chooseVariant(queryParameters(queryOf(url)), headers, siteLocale)
    const { locale, isLocaleNegotiated } = variant
    const common = {
      "Cache-Control": "no-cache",
      "Content-Language": locale,
      ...(isLocaleNegotiated ? { Vary: "Accept-Language" } : {}),
    }
    const json = { ...common, "Content-Type": "application/json; charset=utf-8" }
    if (method !== "GET" && method !== "HEAD") {
      const body = renderErrorBody(null, "method_not_allowed", locale)
      return new Response(body, { status: 405, headers: { ...json, Allow: "GET, HEAD" } })
    }
    const body = await render(locale)
    const tag = entityTag(hashBody({ body }), locale, false)
    const isKept = matchesTag(headers.get("if-none-match") ?? "", tag)
    return isKept
      ? new Response(null, { status: 304, headers: { ...common, ETag: tag } })
      : new Response(body, { headers: { ...json, ETag: tag } })
  }
}
