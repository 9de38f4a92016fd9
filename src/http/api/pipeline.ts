/**
 * Handles a request under /api: locale → method → body → parameters → key → rights → rate limit → input →
 * challenge → operation → render → outcome, signed if the client sent a challenge.
 */
import { type ApiKey, isList, mayPerform } from "../../domain/keys/api-key.ts"
import { signNothing } from "../../domain/keys/signing-key.ts"
import { openRequestDeadline } from "../../domain/store.ts"
import { DomainError } from "../../domain/values/error.ts"
import type { Locale } from "../../domain/values/locale.ts"
import { trimWhitespace } from "../../domain/values/text.ts"
import type { Deadline } from "../../domain/values/timers.ts"
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

export async function handleApiRequest<Input, Result>(
  endpoint: Endpoint<Input, Result>,
  api: ApiServices,
  context: ApiRequestContext,
): Promise<Outcome> {
  const { request, trace, caller } = context
  const { headers } = request
  const query = queryParameters(queryOf(request.url))
  let variant = chooseVariant(query, headers, api.siteLocale)
  let key: ApiKey | null = null
  let isInFlight = false
  let deadline: Deadline | null = null
  let endTurn = () => {}
  let sign = signNothing
  let outcome: Outcome
  try {
    if (!isAllowed(endpoint, trace.method)) throw new DomainError("method_not_allowed")
    // The runtime drops a body sent with GET.
    const text = trace.method === "POST" ? await readBody(request) : ""
    isInFlight = api.inFlight.enter()
    if (!isInFlight) throw new DomainError("unavailable")
    deadline = openRequestDeadline()
    const parameters = parametersOf(text, headers, query)
    if (parameters !== query) variant = preferLocale(variant, parameters)
    const credentials = parseCredentials(parameters, headers)
    variant = { ...variant, keyHeaders: credentials.keyHeaders }

    key = await deadline.within(authenticate(api, credentials.secret, caller, endpoint.operation))
    if (!mayPerform(key, endpoint.operation)) throw new DomainError("key_not_allowed")
    api.limits.admit(endpoint.operation, key, caller)

    const input = endpoint.parameters(parameters)
    const challenge = endpoint.challenge(parameters, credentials)
    if (challenge !== null) sign = await deadline.within(api.prepareSigning(challenge, key.kind))
    if (isList(endpoint.operation)) {
      deadline.end()
      endTurn = await takeListTurn(api, key, request)
      deadline = openRequestDeadline()
    }
    const catalog = key.kind === "tk" ? api.testCatalog : api.catalog
    const result = await deadline.within(endpoint.perform(catalog, key, input, caller))
    const purchase = endpoint.requestedPurchase(result)
    outcome = await renderResult({ endpoint, context, variant, key, sign, purchase }, result)
  } catch (error) {
    outcome = failureOutcome(error, endpoint.operation, variant, key, sign)
  }
  deadline?.end()
  endTurn()
  if (isInFlight) api.inFlight.leave()
  if (key === null) return outcome
  try {
    api.limits.recordOutcome(endpoint.operation, key, caller, outcome)
    return outcome
  } catch (error) {
    return failureOutcome(error, endpoint.operation, variant, key, sign)
  }
}

export const takeListTurn = (
  { inFlight }: Pick<ApiServices, "inFlight">,
  { accountId }: ApiKey,
  { signal }: Request,
) => inFlight.takeTurn(`list of author ${accountId}`, 1, signal)

const isAllowed = ({ method }: Pick<Endpoint<never, never>, "method">, requestMethod: string) =>
  requestMethod === method || (requestMethod === "HEAD" && method === "GET")

/** The language by query and headers, before the body is read. */
export function chooseVariant(query: Parameters, headers: Headers, siteLocale: Locale): Variant {
  const locale = negotiateLocale(headers.get("accept-language"), siteLocale)
  return preferLocale({ locale, isLocaleNegotiated: true, keyHeaders: "" }, query)
}

function preferLocale(variant: Variant, parameters: Parameters): Variant {
  const lang = parameters("lang")
  const locale = typeof lang === "string" ? findLocale(trimWhitespace(lang)) : null
  return locale === null ? variant : { ...variant, locale, isLocaleNegotiated: false }
}
