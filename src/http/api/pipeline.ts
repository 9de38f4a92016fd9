/**
 * The path of a request under /api to its response, in one function: locale → method → body → parameters →
 * key → rights → rate limit → input → challenge → find (I/O) → decide (pure) → render → outcome, signed if
 * there was a challenge → response.
 */
import { type ApiKey, mayPerform } from "../../domain/keys/api-key.ts"
import { signNothing } from "../../domain/keys/signing-key.ts"
import { DomainError } from "../../domain/values/error.ts"
import type { Locale } from "../../domain/values/locale.ts"
import { trimWhitespace } from "../../domain/values/text.ts"
import { authenticate } from "../../operations/keys/authenticate.ts"
import { queryOf } from "../request/request-head.ts"
import {
  type Parameters,
  parametersOf,
  parseCredentials,
  queryParameters,
  readBody,
} from "./request/parameters.ts"
import type { ApiRequestContext, ApiServices, Endpoint } from "./response/endpoint.ts"
import { findLocale, negotiateLocale } from "./response/locale.ts"
import { failureOutcome, type Outcome, renderResult, type Variant } from "./response/outcome.ts"

export async function handleApiRequest<Input, Found, Result>(
  endpoint: Endpoint<Input, Found, Result>,
  api: ApiServices,
  call: ApiRequestContext,
): Promise<Outcome> {
  const { request, trace, caller } = call
  const { headers } = request
  const query = queryParameters(queryOf(request.url))
  let variant = chooseVariant(query, headers, api.siteLocale)
  let key: ApiKey | null = null
  let isInFlight = false
  let sign = signNothing
  let outcome: Outcome
  try {
    if (!isAllowed(endpoint, trace.method)) throw new DomainError("method_not_allowed")
    // The runtime drops a body sent with GET.
    const text = trace.method === "POST" ? await readBody(request) : ""
    isInFlight = api.inFlight.enter()
    if (!isInFlight) throw new DomainError("unavailable")
    const parameters = parametersOf(text, headers, query)
    if (parameters !== query) variant = preferLocale(variant, parameters)
    const credentials = parseCredentials(parameters, headers)
    const { secret, keyHeaders } = credentials
    const { locale, isLocaleNegotiated } = variant
    variant = { locale, isLocaleNegotiated, keyHeaders }

    key = await authenticate(api, secret, caller)
    if (!mayPerform(key, endpoint.operation)) throw new DomainError("key_not_allowed")
    api.limits.admit(endpoint.operation, key, caller)

    const input = endpoint.parameters(parameters)
    const challenge = endpoint.challenge(parameters, credentials)
    if (challenge !== null) sign = await api.prepareSigning(challenge, key.kind)
    const catalogue = key.kind === "tk" ? api.testCatalogue : api.catalogue
    const found = await endpoint.find(catalogue, key, input)
    const result = endpoint.decide(found, key, input)

    const purchase = key.kind === "tk" ? null : endpoint.requestedPurchase(result)
    const question = { endpoint, api, call, variant, secret, key, catalogue, input, sign, purchase }
    outcome = await renderResult(question, result)
  } catch (error) {
    outcome = failureOutcome(error, endpoint.operation, variant, key, sign)
  }
  if (isInFlight) api.inFlight.leave()
  if (key === null) return outcome
  try {
    api.limits.recordOutcome(endpoint.operation, key, caller, outcome.reason)
    return outcome
  } catch (error) {
    return failureOutcome(error, endpoint.operation, variant, key, sign)
  }
}

const isAllowed = ({ method }: Pick<Endpoint<never, never, never>, "method">, used: string) =>
  used === method || (used === "HEAD" && method === "GET")

/** By the query and the headers: what is known before the body is read. */
export function chooseVariant(query: Parameters, headers: Headers, siteLocale: Locale): Variant {
  const asked = askedLocale(query)
  if (asked !== null) return { locale: asked, isLocaleNegotiated: false, keyHeaders: "" }
  const locale = negotiateLocale(headers.get("accept-language"), siteLocale)
  return { locale, isLocaleNegotiated: true, keyHeaders: "" }
}

/** A body may name the rendering too. */
function preferLocale(variant: Variant, parameters: Parameters): Variant {
  const asked = askedLocale(parameters)
  return asked === null ? variant : { locale: asked, isLocaleNegotiated: false, keyHeaders: "" }
}

function askedLocale(parameters: Parameters): Locale | null {
  const lang = parameters("lang")
  return typeof lang === "string" ? findLocale(trimWhitespace(lang)) : null
}
