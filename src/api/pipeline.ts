/**
 * Handles a request under /api: locale → method → body → parameters → key → rights → rate limit → input →
 * challenge → operation → render → outcome, signed if the client sent a challenge.
 */

import type { ApiKey } from "../contract/operation.ts"
import { isList, mayPerform } from "../keys/key.ts"
import { authenticate } from "../keys/key-operations.ts"
import { openRequestDeadline } from "../platform/database/request-deadline.ts"
import { DomainError } from "../platform/error.ts"
import { findLocale, negotiateLocale } from "../platform/http/locale.ts"
import {
  type Parameters,
  parametersOf,
  parseCredentials,
  queryParameters,
  readBody,
} from "../platform/http/parameters.ts"
import { queryOf } from "../platform/http/request-head.ts"
import type { Locale } from "../platform/locale.ts"
import { trimWhitespace } from "../platform/text.ts"
import type { Deadline } from "../platform/timers.ts"
import { signNothing } from "../signing/signing-key.ts"
import type { ApiRequestContext, ApiServices, Endpoint } from "./endpoint.ts"
import { failureOutcome, type Outcome, renderResult, type Variant } from "./outcome.ts"

export async function handleApiRequest<Data, Input, Result>(
  endpoint: Endpoint<Data, Input, Result>,
  api: ApiServices<Data>,
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
    const data = key.kind === "tk" ? api.testData : api.data
    const result = await deadline.within(endpoint.perform(data, key, input, caller))
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
  { inFlight }: Pick<ApiServices<unknown>, "inFlight">,
  { accountId }: ApiKey,
  { signal }: Request,
) => inFlight.takeTurn(`list of author ${accountId}`, 1, signal)

const isAllowed = (
  { method }: Pick<Endpoint<never, never, never>, "method">,
  requestMethod: string,
) => requestMethod === method || (requestMethod === "HEAD" && method === "GET")

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
